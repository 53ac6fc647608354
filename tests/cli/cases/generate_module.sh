# The generator of Haskell modules that goes into images: the same arguments give the same text, wrong ones none.
generate() { perl "$SWAPRIG_SOURCE/images/generate-module.pl" "$@"; }
generate --types 2 --constructors 30 --seed 1 >first
generate --types 2 --constructors 30 --seed 1 >again
generate >defaults
generate --types 2 --constructors 30 --seed 2 >other
cmp -s first again || fail "the same seed gave another module"
cmp -s first defaults || fail "the defaults are not 2 types, 30 constructors, seed 1"
cmp -s first other && fail "another seed gave the same module"
[ "$(grep -c '^data ' first)" -eq 2 ] || fail "not two types"
[ "$(grep -c 'deriving (Eq, Ord, Show, Read)' first)" -eq 2 ] || fail "not every type derives"
[ "$(grep -c '^  [=|] T2C' first)" -eq 30 ] || fail "not thirty constructors"
for wrong in "--types 0" "--constructors x" "--seed 10001" "more" "--unknown 1"; do
  # shellcheck disable=SC2086  # two words
  generate $wrong >out 2>err && fail "$wrong was taken"
  grep -q '^usage: generate-module' err || fail "$wrong: no usage"
  [ ! -s out ] || fail "$wrong: something was written"
done
true
