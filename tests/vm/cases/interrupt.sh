# One signal: the guest is destroyed, the state saved, exit 130 or 143. While a run goes on, a second one of the same
# experiment is refused, and one of another experiment as well.
good_toml > small.toml
# A process in the background of a script has SIGINT ignored; a new session with its own handling does not.
setsid bash -c 'trap - INT; exec "$0" "$@"' "$SWAPRIG" --state "$STATE" --images "$SWAPRIG_SOURCE/images" run small.toml >first.out 2>first.err &
pid=$!
for _ in $(seq 600); do pgrep -f "guest=swaprig-small" >/dev/null && break; sleep 0.2; done
expect 2 run small.toml; complains "is being run already by process $pid"
sed 's/A small one/Another/' small.toml > other.toml
expect 4 run other.toml; complains "another swaprig (process $pid) is measuring on this host"
kill -TERM $pid; status=0; wait $pid || status=$?
cp first.err err
[ $status -eq 143 ] || fail "exit $status instead of 143"
expect 0 export small --format csv; says ",aborted,"
pgrep -f "guest=swaprig-small" && fail "a guest was left behind"
[ -z "$(find "$STATE" -name '*.lock')" ] || fail "a lock was left behind"
[ -z "$(find "$STATE/drives" -type f)" ] || fail "a drive was left behind"
true
