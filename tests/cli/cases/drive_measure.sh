# A simulated drive is measured: its curve, a picture, and a profile that gives the same curve again.
expect 2 drive measure wd20eark; complains "did you mean 'wd20earx'?"
touch file; expect 2 drive measure ./file; complains "is not a block device"; complains "losetup"
mkdir kept; touch kept/null-measured.toml; expect 2 drive measure null --to kept; complains "exists already"
for program in nbdkit fio gnuplot; do
  command -v $program >/dev/null || { echo "skipped: no $program"; exit 77; }
done
expect 0 drive measure wd20earx --seconds 0.5 --places 5 --to first; says "5400 rpm (the profile wd20earx)"
[ -s first/wd20earx-measured.svg ] || fail "no picture"
rates() { awk '$4 == "MB/s" { print $3 }' "$1"; }
rates out >before
[ "$(wc -l <before)" -eq 5 ] || fail "not five places"
awk 'NR == 1 && ($1 < 105 || $1 > 120) || NR == 5 && ($1 < 50 || $1 > 60) { exit 1 }' before || { cat before; fail "not its curve"; }
expect 0 drive measure first/wd20earx-measured.toml --seconds 0.5 --places 5 --to second
rates out >after
# A busy host delivers late; the exact figure is the bench's business.
paste before after | awk '{ d = $2 / $1 - 1; if (d > 0.1 || d < -0.1) exit 1 }' || { paste before after; fail "another curve"; }
expect 0 drive measure vertex4 --seconds 0.3 --places 3 --to ssd; says "a drive without an arm"
grep -q '^kind = "ssd"' ssd/vertex4-measured.toml || fail "no SSD"
true
