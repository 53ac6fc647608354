#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "run/readings.hpp"
#include "run/rules.hpp"
#include "spec/creation.hpp"

namespace swaprig::run {

namespace {

std::string words_of(const Creation& creation) {
  const auto bytes = [](std::int64_t count) { return Bytes{static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0))}; };
  return spec::in_words({creation.method, bytes(creation.size_bytes), bytes(creation.block_bytes), creation.durable});
}

bool is_whole(const Evidence& evidence, const Creation& creation) {
  return !creation.unsupported.empty() ||
         creation.real_ns.size() == static_cast<std::size_t>(std::max<std::int64_t>(evidence.planned_repeats, 1));
}

}  // namespace

void check_creations(const Evidence& evidence, Findings& findings) {
  const auto& end = evidence.workload;
  if (evidence.workload_kind != spec::k_swapfile_creation || end.exit_status != 0 || end.signal != 0) return;

  std::set<std::string> found;
  for (const auto& creation : evidence.creations) {
    if (is_whole(evidence, creation)) found.insert(words_of(creation));
  }
  std::vector<std::string> missing;
  for (const auto& words : evidence.planned_creations) {
    if (!found.contains(words)) missing.push_back(words);
  }
  if (!missing.empty()) {
    findings.add("readings missing", fmt::format("{} of {} timings, such as {}", missing.size(),
                                                 evidence.planned_creations.size(), printable_line(missing.front())));
  }

  const Creation* refused = nullptr;
  for (const auto& creation : evidence.creations) {
    if (spec::is_control(creation.method)) continue;
    if (creation.unsupported.empty()) return;
    if (refused == nullptr) refused = &creation;
  }
  if (refused == nullptr) return;
  findings.add("unsupported", fmt::format("no swap file can be made so on {}: {}: {}",
                                          printable_line(refused->file_system), words_of(*refused),
                                          printable_line(refused->unsupported)));
}

}  // namespace swaprig::run
