expect 0 report --published swap-on-hdd-2021
says "reports/published-swap-on-hdd-2021/index.html"
page=reports/published-swap-on-hdd-2021
for file in index.html report.md report.json; do [ -s "$page/$file" ] || fail "no $file"; done
grep -q 'not measured here' "$page/index.html" || fail "the page does not say whose figures they are"
grep -q '1701 s (28:21)' "$page/report.md" || fail "the figures are missing"
grep -q '1.95' "$page/report.md" || fail "the excess is missing"
[ ! -e "$page/runs.csv" ] || fail "a study has no runs"
[ ! -e "$STATE/results.db" ] || fail "a report of a study wrote into the store"

expect 0 report --published swapfile-creation-2017 --to study; says "study/index.html"
grep -q '755 times' study/report.md || fail "the ratio is missing"
cp "$EXPERIMENTS/published/swapfile-creation-2017.toml" mine.toml
expect 0 report --published ./mine.toml --to study
expect 0 report --published mine.toml --to study

expect 2 report --published swap-on-hd-2021; complains "did you mean swap-on-hdd-2021?"; silent_out
expect 2 report --published moon; complains "there is: swap-on-hdd-2021, swapfile-creation-2017"
expect 2 report --published missing.toml; complains "missing.toml"
sed -i 's/real_seconds = 4.528/real_seconds = "fast"/; s/author/autor/' mine.toml
expect 2 report --published mine.toml; complains "mine.toml:"; complains "autor"; complains "3 fault(s)"
expect 2 report; complains "--published"
expect 2 report quickstart --published swap-on-hdd-2021
expect 2 report --published swap-on-hdd-2021 --batch x
mkdir other; echo letter > other/letter.txt
expect 2 report --published swap-on-hdd-2021 --to other; complains "no report of swaprig"
[ "$(ls other)" = letter.txt ] || fail "something was written beside the letter"
