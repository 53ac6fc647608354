#!/usr/bin/env bash
# Whether measuring changes what is measured: the GHC build of experiments/ghc-build.toml with enough memory and no swap, run
# by swaprig (its drive, its probe, a sample every second, evidence), against the same build started by hand.
#
# "By hand" is QEMU on its own command line: the same kernel, initrd, file system, memory and cache mode, no libvirt and no
# port of the probe. The guest agent starts one shell script and is left alone. The script prepares, syncs, drops the
# caches, waits two seconds, and times the build by the guest's own /proc/uptime (10 ms, no process of its own). Nothing
# samples, nothing asks. The answer comes over the serial line. Both time the same thing in the guest: the command from
# its start to its end.
#
# A switch for sampling would say less: what else swaprig does around a run would be on both sides of it.
#
# Pairs, each within the same minutes, the order within them turning round, so that a drift of the host cancels. The
# figure is the mean of log(swaprig / by hand) over the pairs with its 95 % interval (t); wanted is an upper bound of at most
# 3 %. It prints and judges nothing by its exit status. Needs jq, python3, sfdisk. Nothing else should be running.
#   tests/bench/by_hand.sh [BUILD-FOLDER] [PAIRS] [CONSTRUCTORS]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${1:-$here/build}" && pwd)
pairs=${2:-8} constructors=${3:-20}
work=$(mktemp -d "${TMPDIR:-/tmp}/swaprig-bench.XXXXXX")
# The guest is started in a subshell, so its process id is handed on in a file.
trap 'kill "$(cat "$work/qemu.pid" 2>/dev/null)" 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"
swaprig=("$build/swaprig" --quiet --state "$work/state" --images "$here/images")

prepare="rm -f *.o *.hi && generate-module --types 1 --constructors $constructors --seed 1 >Generated.hs"
command="ghc -O0 -c Generated.hs +RTS -A128m"
verify="test -s Generated.o"
root_bytes=$((3 << 30))
cat >measured.toml <<TOML
schema = 1
title = "A GHC compile with enough memory"
[guest]
image = "debian-ghc"
memory = "1 GiB"
vcpus = 1
[drives.disk]
file = "4 GiB"
partitions = [{ name = "root", size = "3 GiB", type = "ext4", holds = "image" }]
[workload]
kind = "command"
directory = "/root"
prepare = "$prepare"
command = "$command"
verify = "$verify"
[[scenarios]]
name = "RAM only"
swap = []
[runs]
count = 1
timeout = "1 h"
TOML

by_swaprig() {   # seconds
  "${swaprig[@]}" run measured.toml --again >table 2>err || { cat table err >&2; exit 1; }
  "${swaprig[@]}" export measured --format json >runs.json
  jq -e '.runs | length == 1 and .[0].state == "valid"' runs.json >/dev/null || { echo "the run is not valid" >&2; exit 1; }
  jq '.runs[0].wall_s' runs.json
}

by_hand() {   # seconds
  rm -f disk.raw && truncate -s $((4 << 30)) disk.raw
  echo "start=2048, size=$((root_bytes / 512))" | sfdisk --quiet --label gpt --no-reread --no-tell-kernel disk.raw
  dd if="$fs" of=disk.raw bs=1M seek=1 conv=notrunc,sparse,fdatasync status=none
  : >console
  qemu-system-x86_64 -name by-hand -M q35,vmport=off -accel "$accel" -cpu max -m 1024 -smp 1 -nodefaults -no-user-config \
    -display none -no-reboot -object memory-backend-ram,id=ram,size=1G,prealloc=on -machine memory-backend=ram \
    -kernel "$image/vmlinux" -initrd "$initrd" -append "console=ttyS0 quiet loglevel=4 panic=-1 swaprig.root=byhand:1 $tsc" \
    -object iothread,id=io -drive file=disk.raw,format=raw,if=none,id=d,cache=none,aio=native,discard=ignore \
    -device virtio-blk-pci,drive=d,serial=byhand,iothread=io -object rng-random,id=r,filename=/dev/urandom \
    -device virtio-rng-pci,rng=r -device virtio-serial-pci -chardev socket,id=agent,path=agent,server=on,wait=off \
    -device virtserialport,chardev=agent,name=org.qemu.guest_agent.0 -serial file:console 2>qemu-words &
  qemu=$!
  echo $qemu >qemu.pid
  until grep -q 'swaprig: init ready' console; do sleep 0.1; alive; done
  python3 agent.py agent script
  until grep -q '^BY-HAND' console; do sleep 0.5; alive; done
  kill "$qemu"; wait "$qemu" 2>/dev/null || true
  rm qemu.pid
  tr -d '\r' <console | awk '/^BY-HAND/ { if ($2 != "done") exit 1; printf "%.2f\n", $4 - $3 }' || { cat console >&2; exit 1; }
}
alive() { kill -0 "$qemu" 2>/dev/null || { cat qemu-words console >&2; exit 1; }; }

# The whole of what the agent is asked: start this, never asked for again.
cat >agent.py <<'PYTHON'
import json, socket, sys, time
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
connection.settimeout(120)
text = open(sys.argv[2]).read()
request = {"execute": "guest-exec", "arguments": {"path": "/bin/sh", "arg": ["-c", text], "capture-output": False}}
connection.sendall(json.dumps(request).encode() + b"\n")
answer = connection.makefile().readline()
if "return" not in json.loads(answer):
    sys.exit("the guest agent says " + answer)
PYTHON
cat >script <<SCRIPT
cd /root || exit 1
{ $prepare; } </dev/null >/dev/null 2>&1
sync
echo 3 >/proc/sys/vm/drop_caches
sleep 2
read -r before rest </proc/uptime
/bin/sh -c '$command' </dev/null >/run/said 2>&1
read -r after rest </proc/uptime
if $verify; then word=done; else word=failed; cat /run/said >/dev/ttyS0; fi
echo "BY-HAND \$word \$before \$after" >/dev/ttyS0
SCRIPT

# The first run builds what is missing (image, file system), and tells how the guest is started.
warm=$(by_swaprig)
echo "a run to warm up: $warm s"
image=$("${swaprig[@]}" image build debian-ghc | awk '{ print $3 }')
fs="$image/fs-$root_bytes.ext4"
domain=$(find state -name domain.xml | head -1)
initrd=$(sed -n 's|.*<initrd>\(.*\)</initrd>.*|\1|p' "$domain")
accel=$(grep -q '<domain type="kvm"' "$domain" && echo kvm || echo tcg)
tsc=$(jq -r '.runs[0].evidence.kernel_command_line | capture("(?<a>tsc_early_khz=[0-9]+)").a // ""' runs.json)

for pair in $(seq "$pairs"); do
  if [ $((pair % 2)) -eq 1 ]; then ours=$(by_swaprig); hand=$(by_hand); else hand=$(by_hand); ours=$(by_swaprig); fi
  echo "pair $pair: swaprig $ours s, by hand $hand s"
  echo "$ours $hand" >>seconds
done

python3 - seconds <<'PYTHON'
import math, statistics, sys
# 97.5 % quantiles of Student's t by degrees of freedom.
T = [None, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
     2.110, 2.101, 2.093, 2.086]
logs = [math.log(float(ours) / float(hand)) for ours, hand in (line.split() for line in open(sys.argv[1]))]
n = len(logs)
mean = statistics.mean(logs)
percent = lambda value: (math.exp(value) - 1) * 100
if n < 2:
    sys.exit(f"{n} pair: {percent(mean):+.2f} %; no interval from that")
half = T[min(n - 1, len(T) - 1)] * statistics.stdev(logs) / math.sqrt(n)
low, high = percent(mean - half), percent(mean + half)
few = "" if n >= 6 else " (fewer than the 6 pairs that are asked for)"
print(f"swaprig against by hand over {n} pairs{few}: {percent(mean):+.2f} %, 95 % {low:+.2f} to {high:+.2f} %; "
      f"the upper bound is {'within' if high <= 3 else 'ABOVE'} 3 %")
PYTHON
