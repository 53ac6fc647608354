# Nights of an experiment: a planted step is found, a quiet history says so, other conditions are not compared unasked.
aa_free() { sed -e '/^aa/d' "$EXPERIMENTS/quickstart.toml"; }
aa_free >nightly.toml
"$MAKE_NIGHTS" "$STATE" nightly.toml "$SWAPRIG_SOURCE" 30 7 25 1.05 || fail "no nights"

expect 0 history nightly
says "last 30 nights"; says "RAM only: slower, suspect"; says "RAM only: slower, confirmed"
grep -q "end of the HDD.*as usual" out || fail "the other scenarios changed as well"

expect 0 history nightly --json
jq -e '.series[] | select(.scenario == "RAM only")
  | (.nights | length == 30) and (.nights[25].standing == "suspect") and (.nights[26].standing == "confirmed")
    and (.levels_of_last_epoch | length == 2) and (.levels_of_last_epoch[1].from_batch == .nights[25].batch)' out >/dev/null \
  || { cat out; fail "the step is not in the JSON"; }
jq -e '[.series[] | select(.scenario != "RAM only") | .nights[] | select(.standing == "confirmed")] == []' out >/dev/null \
  || fail "a change where none is"

expect 0 regressions; says "no change in the last night of any of 6 series"
expect 0 regressions --fail-on regression

# The night of the confirmation is the last one.
export STATE="$WORK/second"
"$MAKE_NIGHTS" "$STATE" nightly.toml "$SWAPRIG_SOURCE" 27 7 25 1.05 || fail "no nights"
expect 0 regressions; says "RAM only"; says "slower, confirmed"
expect 3 regressions --fail-on regression
expect 3 history nightly --fail-on regression
expect 0 history nightly --fail-on invalid
expect 2 history nightly --fail-on sometimes
expect 2 history nosuch

# Two nights of one epoch; then one with another drive.
mapfile -t batches < <(sqlite3 "$STATE/results.db" 'SELECT id FROM batches ORDER BY started')
expect 0 compare "${batches[0]}" "${batches[26]}"; says "indication only"
expect 0 compare "${batches[0]}" "${batches[26]}" --json
jq -e '.scenarios | length == 6 and all(.verdict == "indication only")' out >/dev/null || fail "not six comparisons"
expect 2 compare "${batches[0]}" "${batches[0]}"; complains "name two different ones"
sqlite3 "$STATE/results.db" "UPDATE batches SET host_facts = replace(host_facts, '6.1', '6.12') WHERE id = '${batches[26]}'"
expect 2 compare "${batches[0]}" "${batches[26]}"; complains "+ kernel: 6.12"
expect 0 compare "${batches[0]}" "${batches[26]}" --across-epochs; says "+ kernel: 6.12"
expect 0 history nightly; says "other conditions from here"
