# A simulated drive is measured: its curve, a picture, and a profile that gives the same curve again.
expect 2 drive measure wd20eark; complains "did you mean 'wd20earx'?"
touch file; expect 2 drive measure ./file; complains "is not a block device"; complains "losetup"
mkdir kept; touch kept/null-measured.toml; expect 2 drive measure null --to kept; complains "exists already"
for program in nbdkit fio gnuplot; do
  command -v $program >/dev/null || { echo "skipped: no $program"; exit 77; }
done
expect 0 drive measure wd20earx --seconds 0.5 --places 3 --to first; says "5400 rpm (the profile wd20earx)"
[ -s first/wd20earx-measured.svg ] || fail "no picture"
rates() { awk '$4 == "MB/s" { print $3 }' "$1"; }
rates out >before
[ "$(wc -l <before)" -eq 3 ] || fail "not three places"
# The least that a busy host leaves of it: what is wanted is 115 and 55, and 5 %.
awk 'NR == 1 && ($1 < 95 || $1 > 125) || NR == 3 && ($1 < 45 || $1 > 65) { exit 1 }' before || { cat before; fail "not its curve"; }
expect 0 drive measure first/wd20earx-measured.toml --seconds 0.5 --places 3 --to second
rates out >after
paste before after | awk '{ d = $2 / $1 - 1; if (d > 0.15 || d < -0.15) exit 1 }' || { paste before after; fail "another curve"; }
expect 0 drive measure vertex4 --seconds 0.3 --places 3 --to ssd; says "a drive without an arm"
grep -q '^kind = "ssd"' ssd/vertex4-measured.toml || fail "no SSD"

# A loop device over a file, as root: read only, so the file stays as it is.
[ "$(id -u)" -eq 0 ] || { echo "the loop device was left out: not root"; exit 0; }
dd if=/dev/urandom of=bytes bs=1M count=64 status=none; before=$(sha256sum <bytes)
device=$(losetup --find --show --direct-io=on bytes 2>/dev/null) || { echo "the loop device was left out: none with direct I/O"; exit 0; }
trap 'losetup -d "$device"' EXIT
# Whether it looks like a drive without an arm is up to the host; the curve is there either way.
swaprig drive measure "$device" --seconds 0.2 --places 3 --to loop >out 2>err
case $? in 0) ;; 2) complains "give it with --rpm" ;; *) fail "the loop device could not be measured" ;; esac
[ -s loop/loop*-measured.svg ] || fail "no picture of the loop device"
[ "$(rates out | wc -l)" -eq 3 ] || fail "no curve of the loop device"
[ "$(sha256sum <bytes)" = "$before" ] || fail "the file was written to"
true
