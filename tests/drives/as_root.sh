# as_root.sh PROGRAM: runs it, or skips where no loop device can be attached.
[ "$(id -u)" -eq 0 ] || { echo "skipped: loop devices need root"; exit 77; }
[ -e /dev/loop-control ] && losetup -f >/dev/null 2>&1 || { echo "skipped: this host has no loop devices"; exit 77; }
exec "$1"
