# Root and swap on one simulated HDD, swap on a simulated SSD: the guest sees the drives as they are, the counters arrive,
# and no server is left.
simulated_toml > sim.toml
cat >> sim.toml <<'TOML'
[[scenarios]]
name = "file"
swap = [{ file = "/swapfile", on = "hdd.root", size = "256 MiB", create = "fallocate" }]
[[scenarios]]
name = "ssd"
swap = [{ partition = "ssd.swap" }]
TOML
# A busy machine may make the simulation late; anything else is wrong.
status=0; swaprig run sim.toml --report report >out 2>err || status=$?
[ $status -eq 0 ] || [ $status -eq 1 ] || fail "exit $status"
expect 0 export sim --format csv; cp out runs.csv
[ "$(grep -c ',simulated,' runs.csv)" -eq "$(($(wc -l < runs.csv) - 1))" ] || fail "o_direct is not simulated"
for run in $(sed 1d runs.csv | grep -o '[0-9]\{8\}T[0-9]*-[0-9a-f]*-b1p[123]a[0-9]*'); do
  expect 0 show "$run" --json
  jq -e '
    (.state == "valid" or [.reasons[].code] == ["simulation late"])
    and (.evidence.guest_drives[] | select(.drive == "hdd")
         | .rotational and .size_bytes == 2000398934016 and .physical_sector_bytes == 4096)
    and (.evidence.guest_drives[] | select(.drive == "ssd") | .rotational | not)
    and (.evidence.host_after.drives[] | select(.drive == "hdd")
         | .simulated | .busy_ns > 0 and .time_scale == 0.5)' out >/dev/null || fail "run $run is not as expected"
  jq -e '.scenario != "file" or
    (.evidence.host_after.drives[] | select(.drive == "hdd") | .simulated.regions[] | select(.name == "swap files")
     | .written_bytes > 16777216)' out >/dev/null || fail "the swap file of run $run has no traffic"
done
[ "$(sed 1d runs.csv | cut -d, -f6 | sort -u | wc -l)" -eq 3 ] || fail "not three scenarios"
grep -q "Simulated drives" report/index.html || fail "no banner"
pgrep -f "nbdkit.*$(dirname "$SWAPRIG")/swaprig-simdrive" && fail "a server was left behind"
pgrep -f "guest=swaprig-sim" && fail "a guest was left behind"
grep -q ",valid," runs.csv || { echo "skipped: the host is too busy, every run was simulation late"; exit 77; }
