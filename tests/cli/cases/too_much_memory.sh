good_toml | sed 's/memory = "160 MiB"/memory = "15 TiB"/' > a.toml
expect 4 run a.toml; complains "15 TiB"
[ ! -e "$STATE/drives" ] || [ -z "$(find "$STATE/drives" -type f)" ] || fail "a drive was left behind"
