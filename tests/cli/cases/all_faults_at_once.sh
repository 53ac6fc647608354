good_toml | sed -e 's/memory = "160 MiB"/memory = "-3 MiB"/' -e 's/count = 2/count = "two"/' -e 's/hdd\.swap/sdd.swap/' > bad.toml
expect 2 plan bad.toml
[ "$(grep -c '^bad.toml:[0-9]*:[0-9]*: error:' err)" -eq 3 ] || fail "not three faults"
grep '^bad.toml' err | sort -t: -k2n -c || fail "not sorted by line"
grep -q '\^' err || fail "no caret"
