good_toml > a.toml
: > file_in_the_way
status=0
"$SWAPRIG" --state "$WORK/file_in_the_way/state" --images "$SWAPRIG_SOURCE/images" run a.toml >out 2>err || status=$?
[ $status -eq 4 ] || fail "exit $status instead of 4"
complains "file_in_the_way"
