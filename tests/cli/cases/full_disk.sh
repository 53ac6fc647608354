# With a full disk nothing can be stored, and the message says so; reading works, or fails with the same words. Needs to
# mount.
mkdir full
mount -t tmpfs -o size=1m tmpfs full 2>/dev/null || { echo "skipped: may not mount a tmpfs here"; exit 77; }
trap 'umount "$WORK/full"' EXIT
STATE="$WORK/full/state"
good_toml > small.toml
sed 's/160 MiB/15 TiB/' small.toml > large.toml
expect 4 run large.toml; [ -f "$STATE/results.db" ] || fail "no store was made"
expect 0 list
dd if=/dev/zero of=full/filler bs=4096 2>/dev/null || true
status=0; swaprig list >out 2>err || status=$?
[ $status -eq 0 ] || { [ $status -eq 4 ] && complains "the disk is full; make room"; } || fail "exit $status"
expect 4 run small.toml; complains "full"
rm full/filler
expect 0 list
