#!/usr/bin/env bash
# Whether the quickstart's placements come out in the order that is known to be there, seed by seed, and whether the order
# of start and end turns round when the root's files lie at the end of the drive. Prints what was measured; judges nothing
# by its exit status; the first seed is run twice, to see how near two executions of the same plan come. Needs jq. Nothing
# else should be running; about 4 minutes a seed, 6 for the root, which "no" as the third argument leaves out.
#   tests/bench/placement_order.sh [BUILD-FOLDER] [SEEDS] [ROOT: yes|no]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${1:-$here/build}" && pwd)
seeds=${2:-5}
root=${3:-yes}
work=$(mktemp -d "${TMPDIR:-/tmp}/swaprig-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
swaprig=("$build/swaprig" --quiet --state "$work/state" --images "$here/images")

# scenario, best seconds, busy seconds in that run of the drive that it swaps to (the HDD also serves the root)
figures() {
  "${swaprig[@]}" export "$1" --format json | jq -r '
    {"NVMe": "nvme", "SATA SSD": "ssd"} as $drives
    | [.runs[] | select(.state == "valid")] | group_by(.scenario)[] | min_by(.wall_s)
    | .evidence as $e | ($drives[.scenario] // "hdd") as $drive | [.scenario, .wall_s,
       ($e.host_after.drives[] as $a | $e.host_before.drives[] | select(.drive == $drive and $a.drive == $drive)
         | ($a.simulated.busy_ns - .simulated.busy_ns) / 1e9)] | @tsv'
}
value() { awk -F'\t' -v name="$1" -v column="$2" '$1 == name { print $column }' figures; }
below() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }

held=0
with_seed() {   # SEED NAME
  sed "s/^seed .*/seed    = $1/" "$here/experiments/quickstart.toml" >"$2.toml"
  "${swaprig[@]}" run "$2.toml" >/dev/null || echo "$2: not every run is valid"
  figures "$2" >figures
}
for seed in $(seq "$seeds"); do
  with_seed "$seed" "seed$seed"
  [ "$seed" -gt 1 ] || cp figures first
  ram=$(value "RAM only" 2) nvme=$(value NVMe 2) ssd=$(value "SATA SSD" 2)
  start=$(value "start of the HDD" 2) end=$(value "end of the HDD" 2)
  ok=yes
  below "$ram" "$nvme" && below "$ram" "$ssd" && below "$nvme" "$start" && below "$ssd" "$start" && below "$start" "$end" || ok=no
  below "$(value NVMe 3)" "$(value "SATA SSD" 3)" || ok=no
  [ $ok = no ] || held=$((held + 1))
  echo "seed $seed: order holds: $ok"; sed 's/^/  /' figures
done
echo "the required order held in $held of $seeds seeds"

with_seed 1 seed1-again
echo "seed 1 again; busy seconds of the drive in the two executions and their difference:"
paste first figures | awk -F'\t' '{ printf "  %-16s %8.3f %8.3f  %+.1f %%\n", $1, $3, $6, ($3 > 0 ? 100 * ($6 / $3 - 1) : 0) }'
[ "$root" = yes ] || exit 0

# File reads beside the swapping: every second page that comes back crosses between the root's files and swap.
for place in start end; do
  data='  { name = "data", size = "rest", type = "ext4" },'
  root='  { name = "root", size = "2 GiB", type = "ext4", holds = "image" },'
  if [ $place = start ]; then middle="$root
$data"; else middle="$data
$root"; fi
  cat >"root-at-$place.toml" <<TOML
schema = 1
title = "The root's files at the $place of the drive"
baseline = "swap at the start"
[guest]
image = "quickstart"
memory = "160 MiB"
[drives.hdd]
simulate = "wd20earx"
partitions = [
  { name = "swap-start", size = "256 MiB", type = "swap" },
$middle
  { name = "swap-end", size = "256 MiB", type = "swap" },
]
[workload]
kind = "command"
command = "(while :; do find /usr -xdev -type f -size -64k -exec cat {} + >/dev/null; done) & reader=\$!; /run/swaprig/probe memory --size=83886080 --pattern=sweep --passes=1; status=\$?; kill \$reader; exit \$status"
[[scenarios]]
name = "swap at the start"
swap = [{ partition = "hdd.swap-start" }]
[[scenarios]]
name = "swap at the end"
swap = [{ partition = "hdd.swap-end" }]
[runs]
count = 2
timeout = "10 min"
TOML
  "${swaprig[@]}" run "root-at-$place.toml" >/dev/null || echo "root at the $place: not every run is valid"
  figures "root-at-$place" >figures
  echo "root's files at the $place: swap at the start $(value "swap at the start" 2) s (arm busy $(value "swap at the start" 3) s)," \
    "at the end $(value "swap at the end" 2) s (arm busy $(value "swap at the end" 3) s)"
done
