# A drive served by hand: it answers, refuses a taken socket, and a signal ends it without leaving anything.
command -v nbdkit >/dev/null || { echo "skipped: no nbdkit"; exit 77; }
expect 2 drive simulate wd20eark --socket a.sock; complains "did you mean 'wd20earx'?"
expect 2 drive simulate null --socket "$(printf 'x%.0s' $(seq 120))"; complains "characters"
expect 2 drive simulate null --socket a.sock --time-scale 0
touch taken.sock
expect 2 drive simulate null --socket taken.sock; complains "exists already"
setsid bash -c 'trap - INT; exec "$0" "$@"' "$SWAPRIG" drive simulate null --socket drive.sock >out 2>err &
pid=$!
for _ in $(seq 200); do grep -q "^nbd" out && break; sleep 0.1; done
says "nbd+unix:///?socket=$WORK/drive.sock"
server=$(pgrep -P $pid nbdkit)
[ "$(qemu-io -f raw -c 'write -P 7 1M 64k' -c 'read -P 7 1M 64k' "nbd+unix:///?socket=$WORK/drive.sock" | grep -c '65536/65536')" -eq 2 ] || fail "no reading or writing"
kill -INT $pid; status=0; wait $pid || status=$?
[ $status -eq 0 ] || fail "exit $status after the signal"
[ ! -e drive.sock ] && [ ! -e drive.sock.ctl ] || fail "a socket is left"
[ -d "/proc/$server" ] && fail "the server is left"
true
