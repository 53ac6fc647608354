# Swap files on XFS and btrfs (there beside another one): made, switched on, swapped to, and found where they lie on the
# drive. A file system that is full has its own reason, and so has an image without the tools.
cat > systems.toml <<'TOML'
schema = 1

[guest]
image = "filesystems"
memory = "192 MiB"

[drives.disk]
simulate = "null"
partitions = [
  { name = "root", size = "512 MiB", type = "ext4", holds = "image" },
  { name = "xfs", size = "400 MiB", type = "xfs" },
  { name = "btrfs", size = "600 MiB", type = "btrfs" },
]

[workload]
kind = "memory"
size = "120 MiB"

[[scenarios]]
name = "XFS"
swap = [{ file = "/swapfile", on = "disk.xfs", size = "160 MiB", create = "dd", block = "1 MiB" }]

[[scenarios]]
name = "btrfs"
swap = [{ file = "/deep/swapfile", on = "disk.btrfs", size = "160 MiB", create = "fallocate", beside = "/deep/first" }]

[runs]
count = 1
order = "sequential"
TOML
expect 0 run systems.toml
expect 0 export systems --format csv; cp out runs.csv
[ "$(grep -c ',valid,' runs.csv)" -eq 2 ] || { cat runs.csv; fail "not two valid runs"; }
mib=1048576
check() {   # RUN FROM-MIB TO-MIB: all of the swap file lies between
  expect 0 show "$1" --json
  jq -e --argjson from $(($2 * mib)) --argjson to $(($3 * mib)) --argjson size $((160 * mib)) '
    .evidence.areas[0] | (.own_block_device | not)
    and ([.extents[].size_bytes] | add) == $size
    and all(.extents[]; .drive == "disk" and .offset_bytes >= $from and .offset_bytes + .size_bytes <= $to)
    ' out >/dev/null || { jq .evidence.areas out; fail "the file of $1 is not where it has to be"; }
  # What was swapped out went to these bytes.
  jq -e '.evidence.host_after.drives[0].simulated.regions[] | select(.name == "swap files") | .written_bytes > 8388608' out >/dev/null ||
    fail "nothing was written to the swap file of $1"
}
run=$(grep -o '[0-9]\{8\}T[0-9]*-[0-9a-f]*-b1p1a1' runs.csv | head -1)
check "$run" 513 913
check "${run%p1a1}p2a1" 913 1513

sed -e '/^\[workload\]/,$d' -e 's/size = "400 MiB", type = "xfs"/size = "64 MiB", type = "ext4"/' systems.toml > full.toml
cat >> full.toml <<'TOML'
[workload]
kind = "swapfile-creation"
sizes = ["60 MiB"]
durable = "no"
on = "disk.xfs"
[[scenarios]]
name = "full"
swap = []
[runs]
count = 1
TOML
expect 1 run full.toml
expect 0 export full --format csv; says ',failed,file system full,'; says 'No space left on device'

sed -e 's/on = "disk.xfs"/on = "disk.btrfs"/' -e 's/^image = .*/image = "quickstart"/' full.toml > tools.toml
expect 1 run tools.toml
expect 0 export tools --format csv; says ',failed,set-up failed,'; says 'the image lacks the package btrfs-progs'
true
