mkdir -p "$STATE"
sqlite3 "$STATE/results.db" "create table meta(x); pragma application_id = 1400328807; pragma user_version = 9999;"
before=$(sha256sum < "$STATE/results.db")
good_toml > a.toml
expect 4 list; complains "newer"; complains "9999"
expect 4 run a.toml; complains "newer"
# A plan needs no store.
expect 0 plan a.toml; complains "earlier runs are not known"
[ "$before" = "$(sha256sum < "$STATE/results.db")" ] || fail "the newer store was changed"
