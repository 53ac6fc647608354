# A loop device as the HDD, root and swap on it: refused before it is claimed, then valid with proof; through the host's cache, refused,
# and where that is overridden, invalid. Needs root and a loop device.
[ "$(id -u)" -eq 0 ] || { echo "SKIP: attaching loop devices needs root"; exit 77; }
truncate -s 4G hdd.raw
loop=$(losetup --direct-io=on --find --show hdd.raw 2>err) || { cat err; echo "SKIP: no loop device"; exit 77; }
# The case's folder stays when it fails, the loop device never.
trap 'swaprig drive release "$loop" >/dev/null 2>&1; losetup -d "$loop"' EXIT
[ "$(cat "/sys/block/${loop#/dev/}/loop/dio")" = 1 ] || { echo "SKIP: the file system of $WORK has no O_DIRECT"; exit 77; }
digest() { cksum < hdd.raw; }

expect 0 drive list --json
serial=$(jq -r --arg device "$loop" '[.. | objects | select(.path? == $device) | .serial][0]' out)
case $serial in loop:*) ;; *) fail "no serial of $loop" ;; esac
device_toml() {
  good_toml | sed -e "s|^file = \"1 GiB\"|device = \"$loop\"\nserial = \"$serial\"\nsize = \"4 GiB\"|" -e 's/count = 2/count = 1/' \
    -e 's/^size = "150 MiB"/size = "80 MiB"/'
  printf '[[scenarios]]\nname = "RAM only"\nguest = { memory = "384 MiB" }\nswap = []\n'
}
device_toml > real.toml
before=$(digest)
expect 4 run real.toml; complains "not-claimed"; complains "nothing was written"
[ "$(digest)" = "$before" ] || fail "something was written to a drive that is not claimed"
expect 2 run real.toml --allow nonsense; complains "nonsense"

expect 0 drive claim "$loop" --serial "$serial" --erase
sed 's/^size = "4 GiB"/size = "4095 MiB"/' real.toml > wrong.toml
before=$(digest)
expect 4 run wrong.toml; complains "size-differs"
[ "$(digest)" = "$before" ] || fail "something was written to a drive of another size"

expect 0 run real.toml --report report
expect 0 export real --format csv
[ "$(grep -c ',valid,' out)" -eq 2 ] || { cat out; fail "not two valid runs"; }
[ "$(grep -c ',yes,' out)" -eq 2 ] || fail "o_direct is not yes"
expect 0 export real --format json
jq -e 'all(.runs[].evidence; .direct_io[0].loop_direct and .host_before.drives[0].cached_bytes == 0 and .host_after.drives[0].cached_bytes == 0)' out >/dev/null \
  || fail "the evidence shows no direct I/O"
grep -q "$serial" report/report.md || fail "the report does not name the drive"

# The same through the host's cache.
losetup --direct-io=off "$loop"
expect 4 run real.toml --again; complains "loop-buffered"
expect 1 run real.toml --again --allow loop-buffered --report report
expect 0 export real --format csv
[ "$(grep -c ',invalid,host caching,' out)" -ge 2 ] || { cat out; fail "runs through the host's cache are not invalid"; }
grep -q ',valid,' out && fail "a run through the host's cache is valid"
grep -q "loop-buffered" report/report.md || fail "the report does not show the overridden check"
losetup --direct-io=on "$loop"

expect 0 drive release "$loop"
expect 4 run real.toml --again; complains "not-claimed"
pgrep -f "guest=swaprig-real" && fail "a guest was left behind"
true
