# Which Debian packages are needed for what, and how they are installed. Sourced by ./quickstart and ./check.

boost_package() {
  # Process v2 came with Boost 1.81; Debian 12 has it beside its default 1.74, later releases have it as the default.
  if apt-cache show libboost1.81-dev >/dev/null 2>&1; then echo libboost1.81-dev; else echo libboost-dev; fi
}

build_packages() {
  echo g++ cmake ninja-build pkg-config libvirt-dev "$(boost_package)" libtomlplusplus-dev libcli11-dev libfmt-dev \
    libspdlog-dev nlohmann-json3-dev libsqlitecpp-dev libsqlite3-dev libpugixml-dev libkainjow-mustache-dev libssl-dev zlib1g-dev libext2fs-dev \
    nbdkit-plugin-dev libblkid-dev
}

run_packages() {
  echo libvirt-daemon-driver-qemu qemu-system-x86 seabios mmdebstrap uidmap e2fsprogs kmod fdisk util-linux xz-utils zstd \
    gnuplot-nox nbdkit fio
}

test_packages() {
  echo catch2 sqlite3 lz4 qemu-utils jq git libnbd-bin
}

# Says what is missing, then installs it; does nothing when nothing is missing.
install_missing() {
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Missing packages, and neither root nor sudo to install them: ${missing[*]}" >&2
      return 4
    fi
    as_root=(sudo)
  fi
  echo "Installing ${#missing[@]} missing packages: ${missing[*]}" >&2
  local install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends)
  local log; log=$(mktemp)
  if ! "${install[@]}" "${missing[@]}" >"$log" 2>&1; then
    "${as_root[@]}" apt-get update -q >"$log" 2>&1 && "${install[@]}" "${missing[@]}" >>"$log" 2>&1 || {
      tail -n 20 "$log" >&2; rm -f "$log"
      echo "The packages could not be installed; see above." >&2
      return 4
    }
  fi
  rm -f "$log"
}

# An ordinary user for the test that builds an image as one; with ids to map, which it needs. Only ./check --full asks for it, and
# removes it again.
make_test_user() {
  [ "$(id -u)" -eq 0 ] || return 0
  export SWAPRIG_TEST_USER=swaprig-test
  getent passwd swaprig-test >/dev/null && return 0
  echo "Adding the system user swaprig-test for the test that builds an image as an ordinary user; it is removed at the end" >&2
  useradd --system --add-subids-for-system --user-group --create-home --home-dir /var/lib/swaprig-test \
    --shell /usr/sbin/nologin swaprig-test
  trap 'userdel --remove swaprig-test 2>/dev/null' EXIT
}

# As root, libvirt's QEMU driver does not open without the user that it would run guests as, although ours runs them as
# root; Debian creates that user with the daemon's own set-up, which nothing here needs.
make_libvirt_user() {
  [ "$(id -u)" -eq 0 ] || return 0
  getent passwd libvirt-qemu >/dev/null && return 0
  echo "Adding the system user libvirt-qemu, which libvirt's QEMU driver wants to exist" >&2
  useradd --system --user-group --no-create-home --home-dir /var/lib/libvirt --shell /usr/sbin/nologin libvirt-qemu
}

# Fewer compilers than cores where memory is short: one takes up to about 1 GB.
build_jobs() {
  local cores memory_gb
  cores=$(nproc)
  memory_gb=$(awk '/MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)
  echo $(( memory_gb < cores ? (memory_gb > 1 ? memory_gb : 1) : cores ))
}
