#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace swaprig::history {

using Facts = std::vector<std::pair<std::string, std::string>>;

/// Of what was known of a batch, that on which a scenario's time depends and which does not wander by itself: the hardware, the
/// kernel, QEMU, acceleration, images; the experiment's guest, drives (with the profiles of simulated ones, from `files`) and
/// workload, and the scenario's own lines. Governor,
/// distribution and libvirt are no part of it, nor are counts, order and the other scenarios. `canonical` is the experiment as
/// spec writes it, "KEY = VALUE" a line; the scenario's lines are those of the table whose name is `scenario`.
Facts stable_facts(const Facts& host_facts, const std::string& canonical, const std::map<std::string, std::string>& files,
                   const std::string& scenario);

/// Eight hexadecimal digits of the facts' digest: the name of an epoch.
std::string epoch_of(const Facts& stable);

/// What differs, "- NAME: VALUE" for the first and "+ NAME: VALUE" for the second; empty when nothing does.
std::vector<std::string> differences(const Facts& first, const Facts& second);

}  // namespace swaprig::history
