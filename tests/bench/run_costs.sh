#!/usr/bin/env bash
# What a run costs beyond its workload. Runs the quickstart's experiment once more (in a state folder of its own), then in
# the same minutes: the same kernel and initrd under bare QEMU to "init ready", and a plain copy of as many bytes as a fill
# writes. Prints medians and ratios; judges nothing. Needs jq. Nothing else should be running.
#   tests/bench/run_costs.sh [BUILD-FOLDER]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${1:-$here/build}" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/swaprig-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
now() { date +%s.%N; }

swaprig=("$build/swaprig" --state "$work/state" --images "$here/images")
"${swaprig[@]}" run "$here/experiments/quickstart.toml" >table 2>progress &
pid=$!
peak_kib=0 ticks=0
while kill -0 $pid 2>/dev/null; do   # the controller's own CPU time and memory, children not counted
  stat=$(cut -d')' -f2 "/proc/$pid/stat" 2>/dev/null) && ticks=$(awk '{ print $12 + $13 }' <<<"$stat")
  kib=$(awk '/VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null) && [ -n "$kib" ] && peak_kib=$kib
  sleep 1
done
wait $pid || { cat progress; exit 1; }
"${swaprig[@]}" export quickstart --format json >runs.json

runs() { jq -r ".runs[] | select(.state == \"valid\") | $1" runs.json; }
phase() { echo "(.evidence.phases | map(select(.name == \"$1\"))[0].seconds)"; }
stamp='def t: sub("\\.(?<f>[0-9]+)Z$"; "Z") as $s | ($s | fromdateiso8601) + ((capture("\\.(?<f>[0-9]+)Z$").f | "0." + . | tonumber)); '

cost=$(jq -r "$stamp .runs[] | select(.state == \"valid\") | (.ended_utc | t) - (.started_utc | t) - .wall_s - $(phase "fill the root")" runs.json | median)
echo "beyond the workload, create to recorded, without filling the root: median $cost s a run"

boot=$(runs "$(phase boot)" | median)
image=$("${swaprig[@]}" --quiet image build quickstart | awk '{ print $3 }')
initrd=$(ls -t "$(dirname "$(dirname "$image")")"/initrds/*.cpio | head -1)
fs=$(ls "$image"/fs-*.ext4 | head -1)
size=$(stat -c %s "$fs")
truncate -s $((size + 2 * 1048576)) disk.raw
echo "start=2048, size=$((size / 512))" | sfdisk --quiet --label gpt --no-reread --no-tell-kernel disk.raw
dd if="$fs" of=disk.raw bs=1M seek=1 conv=notrunc,sparse status=none
tsc=$(jq -r '.runs[0].evidence.kernel_command_line | capture("(?<a>tsc_early_khz=[0-9]+)").a // ""' runs.json)
for _ in 1 2 3 4 5; do
  : >console; begin=$(now)
  qemu-system-x86_64 -M q35 -accel tcg -cpu max -m 160 -nodefaults -no-user-config -display none -no-reboot \
    -kernel "$image/vmlinux" -initrd "$initrd" -append "console=ttyS0 quiet loglevel=4 panic=-1 swaprig.root=bench:1 $tsc" \
    -drive file=disk.raw,format=raw,if=none,id=d,cache=none,aio=native -device virtio-blk-pci,drive=d,serial=bench \
    -device virtio-serial-pci -chardev null,id=agent -device virtserialport,chardev=agent,name=org.qemu.guest_agent.0 \
    -serial file:console >/dev/null &
  qemu=$!
  until grep -q 'swaprig: init ready' console; do sleep 0.02; kill -0 $qemu || { cat console >&2; exit 1; }; done
  awk -v a="$begin" -v b="$(now)" 'BEGIN { print b - a }'
  kill $qemu 2>/dev/null; wait $qemu 2>/dev/null || true
done >bare
bare=$(median <bare)
echo "create to agent answering: median $boot s; bare QEMU to init: median $bare s; ratio $(ratio "$boot" "$bare")"

cat >fill.toml <<'TOML'
schema = 1
[guest]
image = "quickstart"
memory = "160 MiB"
[drives.hdd]
file = "8 GiB"
partitions = [{ name = "root", size = "rest", type = "ext4", holds = "image" }]
[workload]
kind = "command"
command = "true"
[[scenarios]]
name = "no swap"
swap = []
[runs]
count = 6
TOML
"${swaprig[@]}" --quiet run fill.toml >/dev/null
"${swaprig[@]}" export fill --format json >fills.json   # the first one also makes the file system of that size
fill=$(jq -r ".runs[1:][] | $(phase "fill the root")" fills.json | median)
bytes=$(jq -r '.data_bytes' "$image/manifest.json")
dd if=/dev/urandom of=source bs=1M count=$((bytes / 1048576)) status=none
for _ in 1 2 3 4 5; do
  begin=$(now); dd if=source of=disk.raw bs=1M oflag=direct conv=notrunc,fsync status=none
  awk -v a="$begin" -v b="$(now)" 'BEGIN { print b - a }'
done >copies
copy=$(median <copies)
echo "fill the root of an 8 GiB file drive, its cache dropped: median $fill s; copying $((bytes / 1048576)) MiB: median $copy s; ratio $(ratio "$fill" "$copy")"

block=$(jq -r '.runs[] | select(.block == 1) | .wall_s' runs.json | awk '{ s += $1 } END { print s }')
echo "workloads of the first block: $block s"
total=$(jq -r "$stamp [.runs[] | (.ended_utc | t) - (.started_utc | t)] | add" runs.json)
awk -v t="$ticks" -v hz="$(getconf CLK_TCK)" -v s="$total" -v kib="$peak_kib" \
  'BEGIN { printf "controller: %.2f %% of a core over %.0f s, %.0f MiB at most\n", 100 * t / hz / s, s, kib / 1024 }'
share='.evidence.sampler_us / 1e6 / .wall_s * 100'
long=$(jq -r ".runs[] | select(.state == \"valid\" and .wall_s >= 5) | $share" runs.json | sort -n)
all=$(runs "$share" | sort -n)
echo "sampler: median $(median <<<"$long") %, worst $(tail -1 <<<"$long") % of the wall time of workloads of 5 s and more; worst of all $(tail -1 <<<"$all") %"
