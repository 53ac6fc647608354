# What the host has, for people and for programs; paths that are no drive.
expect 0 drive list; says "use"
expect 0 drive list --json
jq -e '.drives | type == "array"' out >/dev/null || fail "no list of drives"
expect 4 drive claim /no/such/disk; complains "/no/such/disk is not there; swaprig drive list"
touch file
expect 4 drive claim "$WORK/file" --serial x --erase; complains "is no block device"
expect 4 drive release /dev/null; complains "is no block device"
expect 2 drive claim
expect 2 drive
