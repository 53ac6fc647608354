good_toml > a.toml
expect 2 --connect qemu+ssh://elsewhere/system run a.toml; complains "qemu+ssh://elsewhere/system"
[ ! -e "$STATE/drives" ] || [ -z "$(find "$STATE/drives" -type f)" ] || fail "a drive was left behind"
