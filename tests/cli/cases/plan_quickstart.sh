expect 0 plan "$EXPERIMENTS/quickstart.toml"
says "RAM only"
# Two blocks, the second the mirror of the first: 6 scenarios, 12 lines.
awk '$1 == 1 || $1 == 2 { print $1 "|" substr($0, 30) }' out > order
[ "$(grep -c '^1|' order)" -ge 6 ] || fail "fewer than six scenarios in a block"
grep '^1|' order | cut -d'|' -f2 > first; grep '^2|' order | cut -d'|' -f2 | tac > second
cmp -s first second || fail "the second block is not the mirror of the first"
says "12 runs, about"
[ ! -e "$STATE/results.db" ] || fail "plan wrote to the store"
# A quick look is one block, under a name of its own.
expect 0 plan --quick "$EXPERIMENTS/quickstart.toml"
says "quickstart-quick: "
says "6 runs, about"
says "guessed at"
