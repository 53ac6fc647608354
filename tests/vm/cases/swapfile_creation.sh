# Swap files by fallocate and dd on ext4 and btrfs, timed and proven; a btrfs whose files may not be swap is unsupported
# (case 10), and no dd steps in.
creation_toml() {   # WORKLOAD-LINES
  cat <<TOML
schema = 1

[guest]
image = "filesystems"
memory = "192 MiB"

[drives.disk]
simulate = "null"
partitions = [
  { name = "root", size = "512 MiB", type = "ext4", holds = "image" },
  { name = "ext4", size = "256 MiB", type = "ext4" },
  { name = "btrfs", size = "256 MiB", type = "btrfs" },
]

[workload]
kind = "swapfile-creation"
methods = ["fallocate", "dd"]
$1

[runs]
count = 1
order = "sequential"
TOML
}
on() { printf '[[scenarios]]\nname = "%s"\nswap = []\non = "disk.%s"\n' "$1" "$1"; }

creation_toml 'sizes = ["4 MiB", "16 MiB"]
repeat = 1' > making.toml
on ext4 >> making.toml; on btrfs >> making.toml
expect 0 run making.toml --report report
expect 0 export making --format csv
[ "$(grep -c ',valid,' out)" -eq 2 ] || { cat out; fail "not two valid runs"; }
expect 0 export making --format csv --what makings; grep -E '^experiment,|,valid,' out > makings.csv   # not attempts before
# true, and for each size and with and without fsync: fallocate, the bare call, dd.
[ "$(sed 1d makings.csv | wc -l)" -eq 26 ] || { cat makings.csv; fail "not 13 cells on each file system"; }
for system in ext4 btrfs; do
  [ "$(grep -c ",$system,valid,[a-z0-9()]*,$system," makings.csv)" -eq 13 ] || { cat makings.csv; fail "$system: not 13 cells"; }
done
grep -v ',$' makings.csv | sed 1d | grep . && fail "something is unsupported"
for file in index.html makings.csv charts/making-time-ext4.svg charts/making-rate.svg charts/making-ratio.svg; do
  [ -s "report/$file" ] || fail "report lacks $file"
done
grep -q 'Making a swap file' report/index.html || fail "the page is not about it"
jq -e '.makings | length == 2 and all(.[].lines[]; .growth.exponent != null)' report/report.json >/dev/null || fail "no growth"

creation_toml 'sizes = ["4 MiB"]
durable = "no"
repeat = 2
nocow = false' > cow.toml
on btrfs >> cow.toml
expect 0 run cow.toml
expect 0 export cow --format csv; says ",unsupported,unsupported,"
run=$(grep -o '[0-9]\{8\}T[0-9]*-[0-9a-f]*-b1p1a1' out | head -1)
expect 0 show "$run" --json
jq -e '[.evidence.creations[] | select(.method == "fallocate" or .method == "dd")]
  | length == 2 and all(.unsupported | test("swapon failed: Invalid argument")) and all(.real_ns == [])' out >/dev/null ||
  fail "not both methods are unsupported for that reason"

true
