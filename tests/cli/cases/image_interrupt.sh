# A signal while an image is built ends the step at once, and leaves nothing half-done.
export SWAPRIG_CACHE="$WORK/cache"
mkdir bin; export PATH="$WORK/bin:$PATH"
printf '#!/bin/sh\necho $$ > "%s/started"\nexec sleep 600\n' "$WORK" > bin/mmdebstrap; chmod +x bin/mmdebstrap
setsid bash -c 'trap - INT; exec "$0" "$@"' "$SWAPRIG" --images "$SWAPRIG_SOURCE/images" image build quickstart >out 2>err &
pid=$!
for _ in $(seq 300); do [ -s started ] && break; sleep 0.1; done
[ -s started ] || fail "the build did not start"
kill -INT $pid; kill -INT $pid   # as timeout(1) does: one wish, two signals
status=0; wait $pid || status=$?
[ $status -eq 130 ] || fail "exit $status instead of 130"
complains "interrupted"
[ -d "/proc/$(cat started)" ] && fail "the step still runs"
[ -z "$(find "$SWAPRIG_CACHE/images" -mindepth 1)" ] || fail "something half-done is left: $(ls "$SWAPRIG_CACHE/images")"
[ -z "$(find "$SWAPRIG_CACHE/locks" -name '*.build')" ] || fail "a lock is left"
true
