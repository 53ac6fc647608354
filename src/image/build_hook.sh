# Run by mmdebstrap once the image's packages are installed, as root of the image; $1 is the image's root folder.
# The text is fixed. All that varies stands in files under $1/.swaprig: setup/NNN, the definition's setup lines;
# kernel, the name of the kernel package. $1/.swaprig/out is read from the finished tar; the folder is not unpacked with it.
set -eu
root=$1
work=$root/.swaprig
mkdir "$work/out"

# The host's own: they would make each host's image another one.
rm -f "$root/etc/resolv.conf"
echo swaprig >"$root/etc/hostname"

for line in "$work"/setup/*; do
  [ -e "$line" ] || continue
  name=${line##*/}
  if ! chroot "$root" /bin/sh -e "/.swaprig/setup/$name"; then
    echo "E: swaprig: setup line $name failed: $(cat "$line")" >&2
    exit 1
  fi
done

chroot "$root" dpkg-query -W -f '${binary:Package} ${Version}\n' >"$work/out/packages"

# The kernel is downloaded and not installed: its scripts would build an initrd that nobody boots.
# A metapackage is followed to the packages that hold the kernel and its modules.
export APT_CONFIG="$MMDEBSTRAP_APT_CONFIG"
cd "$work/out"
kernel=$(cat "$work/kernel")
names=$(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
  --no-enhances --no-pre-depends "$kernel" | grep -E '^linux-(image|modules|binary)-' | sort -u || true)
if [ -z "$names" ]; then
  echo "E: swaprig: the archive has no kernel package $kernel" >&2
  exit 1
fi
# Package names hold no characters that the shell would split or expand.
apt-get -q download $names >&2
