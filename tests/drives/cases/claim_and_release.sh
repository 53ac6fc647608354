# A loop device from blank to claimed and back, with the serial in a script and on a terminal.
[ "$(id -u)" -eq 0 ] && losetup -f >/dev/null 2>&1 || { echo "skipped: loop devices need root"; exit 77; }
truncate -s 2T drive.img
loop=$(losetup --direct-io=on --find --show drive.img)
trap 'losetup --detach $loop' EXIT
facts() { "$SWAPRIG" --state "$WORK/state" drive list --json | jq -r ".drives[] | select(.path == \"$loop\") | $1"; }
[ "$(facts .use)" = claim ] || fail "a blank drive should be claimable"
serial=$(facts .serial)
blank=$(md5sum < <(dd if=$loop bs=1M count=1 2>/dev/null))
expect 2 drive claim "$loop" </dev/null; complains "nothing was written"
expect 2 drive claim "$loop" --erase; complains "wants the serial"
expect 2 drive claim "$loop" --serial "$serial" </dev/null; complains "--serial SERIAL --erase"
expect 4 drive claim "$loop" --serial loop:1 --erase; complains "nothing was written: the serial is $serial"
[ "$(md5sum < <(dd if=$loop bs=1M count=1 2>/dev/null))" = "$blank" ] || fail "something was written"
expect 0 drive claim "$loop" --serial "$serial" --erase; says "claimed $loop"
[ "$(facts .use)" = yes ] || fail "not usable once claimed: $(facts .refusals)"
expect 0 drive release "$loop"; says "released $loop"
expect 4 drive release "$loop"; complains "not claimed for swaprig"
command -v script >/dev/null || { echo "skipped: no script(1) for the part with a terminal"; exit 77; }
echo "$serial" | script -qec "$SWAPRIG --state $WORK/state drive claim $loop" /dev/null >typed || fail "typing the serial: $(cat typed)"
grep -q "Type the serial" typed || fail "not asked: $(cat typed)"
[ "$(facts .claimed)" = true ] || fail "not claimed by typing"
expect 0 drive release "$loop"
echo "no" | script -qec "$SWAPRIG --state $WORK/state drive claim $loop" /dev/null >typed && fail "claimed by another word"
[ "$(facts .use)" = claim ] || fail "claimed by another word"
