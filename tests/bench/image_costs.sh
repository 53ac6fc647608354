#!/usr/bin/env bash
# What an image costs: building it against mmdebstrap alone with the very same packages, asking for it when it is in the
# cache, and filling a partition of 2 TB with it against copying as many bytes. Prints figures and ratios; judges nothing.
# Needs root, the network, and about four times the image's size of disk. Nothing else should be running.
#   tests/bench/image_costs.sh [IMAGE] [BUILD-FOLDER]
# KEEP=1 skips the builds and takes the image from the usual cache.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
name=${1:-debian-ghc}
build=$(cd "${2:-$here/build}" && pwd)
cmake --build "$build" --target swaprig image_fill >/dev/null
work=$(mktemp -d "${TMPDIR:-/var/tmp}/swaprig-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
seconds() { local begin; begin=$(date +%s.%N); "$@" >&2; awk -v a="$begin" -v b="$(date +%s.%N)" 'BEGIN { printf "%.3f\n", b - a }'; }
swaprig=("$build/swaprig" --quiet --images "$here/images" image build "$name")

if [ -z "${KEEP:-}" ]; then
  export SWAPRIG_CACHE=$work/cache
  # The build's own command line for mmdebstrap, and how long it took in there.
  real=$(command -v mmdebstrap)
  mkdir bin
  cat >bin/mmdebstrap <<SH
#!/usr/bin/env bash
printf '%s\0' "\$@" >"$work/arguments"
begin=\$(date +%s.%N); "$real" "\$@"; status=\$?
awk -v a="\$begin" -v b="\$(date +%s.%N)" 'BEGIN { print b - a }' >"$work/inside"
exit \$status
SH
  chmod +x bin/mmdebstrap
  whole=$(PATH="$work/bin:$PATH" seconds "${swaprig[@]}")
  mapfile -d '' -t arguments <arguments
  alone=()
  for argument in "${arguments[@]}"; do
    case $argument in
      --customize-hook=*) ;;
      */rootfs.tar) alone+=("$work/alone.tar") ;;
      *) alone+=("$argument") ;;
    esac
  done
  bare=$(seconds "$real" --quiet "${alone[@]}")
  rm alone.tar
  echo "building $name: $whole s, of these $(cat inside) s in mmdebstrap; mmdebstrap alone: $bare s"
  awk -v w="$whole" -v b="$bare" 'BEGIN { printf "ratio %.2f; 1.15 times mmdebstrap alone and 30 s would be %.0f s\n", w / b, 1.15 * b + 30 }'
fi

"${swaprig[@]}" >line
image=$(awk '{ print $3 }' line)
for _ in 1 2 3 4 5 6 7 8 9; do seconds "${swaprig[@]}" 2>/dev/null; done >cached
echo "asking for it again: median $(median <cached) s, worst $(sort -n cached | tail -1) s"

bytes=$(stat -c %s "$image/rootfs.tar")
copy() { dd if="$image/rootfs.tar" of="$1" bs=4M conv=notrunc,fsync status=none "${@:2}"; }
for place in file memory; do
  target=$work/disk
  "$build/image_fill" "$here/images" "$name" "$([ $place = file ] && echo "$target" || echo memory)" 5 >fills
  [ $place = file ] || { target=/dev/shm/swaprig-bench.$$; trap 'rm -rf "$work" "$target"' EXIT; }
  for i in 0 1 2 3 4 5; do
    [ $place = file ] || rm -f "$target"
    if [ $place = file ]; then s=$(seconds copy "$target" oflag=direct); else s=$(seconds copy "$target"); fi
    [ "$i" = 0 ] || echo "$s"
  done >copies
  fill=$(median <fills)
  copied=$(median <copies)
  echo "filling 2 TB ($place) with $(awk 'NR == 1 { printf "%.0f", $2 / 1048576 }' fills) MiB: median $fill s;" \
    "copying its $((bytes / 1048576)) MiB of files there: median $copied s; ratio $(ratio "$fill" "$copied")"
done
