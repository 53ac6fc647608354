# kill -9 in the middle of a run, then run again: finished runs kept, the torn one done again, nothing left over.
good_toml > small.toml
"$SWAPRIG" --state "$STATE" --images "$SWAPRIG_SOURCE/images" run small.toml >out 2>err & pid=$!
for _ in $(seq 600); do grep -q '^ *1/' err && break; sleep 0.2; kill -0 $pid || fail "ended early"; done
sleep 6
kill -9 $pid; wait $pid 2>/dev/null
expect 0 export small --format csv; cp out before.csv
[ "$(grep -c ',valid,' before.csv)" -eq 1 ] || fail "the first run is not stored"
expect 0 run small.toml
expect 0 export small --format csv; cp out after.csv
grep -F "$(grep ',valid,' before.csv)" after.csv >/dev/null || fail "the finished run changed"
[ "$(grep -c ',valid,' after.csv)" -eq 2 ] || fail "not two valid runs"
[ "$(grep -c ',aborted,' after.csv)" -eq 1 ] || fail "the torn run is not shown as aborted"
pgrep -f "guest=swaprig-small" && fail "a guest was left behind"
[ -z "$(find "$STATE/drives" -type f)" ] || fail "a drive was left behind"
true
