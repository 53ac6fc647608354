# run_case.sh CASE: runs one case in a folder of its own, which stays when the case fails.
set -uo pipefail
work=$(mktemp -d "${TMPDIR:-/tmp}/swaprig-cli.XXXXXX")
export STATE="$work/state" WORK="$work" EXPERIMENTS="$SWAPRIG_SOURCE/experiments"
cd "$work" || exit 1

swaprig() { "$SWAPRIG" --state "$STATE" --images "$SWAPRIG_SOURCE/images" "$@"; }

fail() { echo "FAILED: $*"; echo "--- stdout"; cat out 2>/dev/null; echo "--- stderr"; cat err 2>/dev/null; exit 1; }

# expect STATUS ARGUMENT...: runs swaprig and compares the exit status; output is in ./out and ./err
expect() {
  local wanted=$1 status=0; shift
  swaprig "$@" >out 2>err </dev/null || status=$?
  [ "$status" -eq "$wanted" ] || fail "swaprig $*: exit $status instead of $wanted"
}

says() { grep -qF -- "$1" out || fail "stdout lacks: $1"; }
complains() { grep -qF -- "$1" err || fail "stderr lacks: $1"; }
silent_out() { [ ! -s out ] || fail "stdout is not empty"; }

# A small experiment that is right; cases break one thing in it.
good_toml() {
  cat <<'TOML'
schema = 1
title = "A small one"

[guest]
image = "quickstart"
memory = "160 MiB"

[drives.hdd]
file = "1 GiB"
partitions = [
  { name = "swap", size = "256 MiB", type = "swap" },
  { name = "root", size = "rest", type = "ext4", holds = "image" },
]

[workload]
kind = "memory"
size = "150 MiB"
passes = 1

[[scenarios]]
name = "swap partition"
swap = [{ partition = "hdd.swap" }]

[runs]
count = 2
TOML
}

# Root and swap on a simulated HDD twice as fast as it would be, and a simulated SSD.
simulated_toml() {
  cat <<'TOML'
schema = 1

[guest]
image = "quickstart"
memory = "160 MiB"

[drives.hdd]
simulate = "wd20earx"
time_scale = 0.5
partitions = [
  { name = "swap", size = "256 MiB", type = "swap" },
  { name = "root", size = "1 GiB", type = "ext4", holds = "image" },
]

[drives.ssd]
simulate = "vertex4"
partitions = [{ name = "swap", size = "256 MiB", type = "swap" }]

[workload]
kind = "memory"
size = "80 MiB"

[runs]
count = 1
order = "sequential"
timeout = "90 s"

[[scenarios]]
name = "start"
swap = [{ partition = "hdd.swap" }]
TOML
}

( . "$1" )
status=$?
if [ $status -eq 0 ] || [ $status -eq 77 ]; then rm -rf "$work"; else echo "kept: $work"; fi
exit $status
