# Broken sectors, a drive that vanishes, a server that is killed: each run ends in bounded time with its reason, and the
# next one goes on.
one() {   # NAME LINE-FOR-THE-SSD
  # The first run of each has a fault on its drive; the second has no swap.
  simulated_toml | sed -e '/^\[\[scenarios/,/^swap/d' -e "s|^simulate = \"vertex4\"|&\n$2|" > "$1.toml"
  printf '[[scenarios]]\nname = "swap"\nswap = [{ partition = "ssd.swap" }]\n' >> "$1.toml"
  printf '[[scenarios]]\nname = "RAM only"\nguest = { memory = "384 MiB" }\nswap = []\n' >> "$1.toml"
}
ends() {   # NAME STATE REASON; a drive that vanishes does so in the next run as well, when that takes long enough
  expect 1 run "$1.toml"
  expect 0 export "$1" --format csv
  grep -q ",RAM only,\(valid,\|failed,drive lost,\)" out || { cat out; fail "$1: the next run did not go on"; }
  grep -q ",swap,$2," out || { cat out; fail "$1: swap is not $2"; }
  local run; run=$(grep ",swap,$2," out | grep -o '[0-9]*T[0-9]*-[0-9a-f]*-b[0-9]*p[0-9]*a[0-9]*' | head -1)
  expect 0 show "$run"; says "$3"
}
one readerror 'bad = [{ partition = "swap", operation = "read" }]'; ends readerror failed "new I/O errors"
one writeerror 'bad = [{ partition = "swap", offset = "64 MiB", size = "32 MiB", operation = "write" }]'; ends writeerror "\(invalid\|failed\)" "new I/O errors"
one vanished 'vanish = "500 ms"'; ends vanished failed "drive lost"
one full 'room = "16 MiB"'; ends full failed "backing full"

one killed ''
"$SWAPRIG" --state "$STATE" --images "$SWAPRIG_SOURCE/images" run killed.toml >out 2>err &
pid=$!
for _ in $(seq 900); do
  pgrep -f "guest=swaprig-killed" >/dev/null && break; sleep 0.1
done
sleep 1
server=''
for child in $(pgrep -P $pid -x nbdkit); do grep -q -- '-ssd\.nbd' "/proc/$child/cmdline" && server=$child; done
[ -n "$server" ] || fail "no server runs"
kill -9 "$server"
wait $pid
expect 0 export killed --format csv
grep -q ',failed,drive lost,.*signal 9' out || { cat out; fail "a killed server is not the reason"; }
grep -q ',valid,' out || fail "no other run went on"

# kill -9 of swaprig itself: the next command ends the guest, and with that its servers end.
one orphan ''
"$SWAPRIG" --state "$STATE" --images "$SWAPRIG_SOURCE/images" run orphan.toml >out 2>err &
pid=$!
for _ in $(seq 900); do pgrep -f "guest=swaprig-orphan" >/dev/null && break; sleep 0.1; done
servers=$(pgrep -P $pid -x nbdkit)
[ -n "$servers" ] || fail "no server runs"
kill -9 $pid; wait $pid 2>/dev/null
expect 0 run orphan.toml
for server in $servers; do
  grep -q '^State:.*Z' "/proc/$server/status" 2>/dev/null && continue   # only its parent could do more
  [ -d "/proc/$server" ] && fail "server $server is left"
done
expect 0 export orphan --format csv; [ "$(grep -c ',valid,' out)" -eq 2 ] || fail "not done in the end"
pgrep -f "guest=swaprig-orphan" && fail "a guest was left behind"
true
