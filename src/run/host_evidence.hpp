#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drive/test_drive.hpp"
#include "host/machine.hpp"
#include "run/evidence.hpp"

namespace swaprig::run {

using Drives = std::vector<std::unique_ptr<drive::TestDrive>>;

/// The host's counters now: QEMU's process, its block statistics, the drives' backings, /proc. A reading that is not there
/// throws Error that names it: a missing figure is never taken for 0.
HostMoment read_host(host::Machine& machine, const Drives& drives);

/// How QEMU opened each drive: its descriptors' flags and its own words (QMP query-block).
std::vector<DirectIoProof> prove_direct_io(host::Machine& machine, const Drives& drives);

/// "some avg10=... total=N" and "full ..." of a PSI file: NAME.some and NAME.full in microseconds. Pure.
void add_pressure(std::string_view text, const std::string& name, Counters& counters);

/// The number behind `key` in a "key value" or "key: value kB" text. Pure.
std::optional<std::int64_t> value_after(std::string_view text, std::string_view key);

/// The flags of /proc/PID/fdinfo/FD hold O_DIRECT. Pure.
bool is_direct(std::string_view fdinfo);

}  // namespace swaprig::run
