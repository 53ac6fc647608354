#include "report/json_parts.hpp"
#include "report/making.hpp"

namespace swaprig::report {

namespace {

const char* word_of(stats::GrowthBasis basis) {
  switch (basis) {
    case stats::GrowthBasis::boots:
      return "boots";
    case stats::GrowthBasis::points:
      return "points";
    case stats::GrowthBasis::none:
      break;
  }
  return "none";
}

Json growth_of(const std::optional<stats::Growth>& growth) {
  if (!growth) return nullptr;
  const auto& interval = growth->interval95;
  return {{"exponent", growth->exponent},
          {"exponent_interval_95", interval ? Json::array({interval->first, interval->second}) : Json(nullptr)},
          {"interval_over", word_of(growth->basis)},
          {"boots", growth->boots},
          {"observations", growth->observations}};
}

Json file_of(const MadeFile& file) {
  const bool timed = file.seconds.has_value();
  return {{"size_bytes", file.size},
          {"real_s_median", or_null(file.seconds)},
          {"user_s_median", or_null(file.user)},
          {"sys_s_median", or_null(file.sys)},
          {"real_s_of_boots", file.observations},
          {"real_s_least", timed ? Json(file.fastest) : Json(nullptr)},
          {"real_s_most", timed ? Json(file.slowest) : Json(nullptr)},
          {"timings", timed ? file.timings : 0},
          {"unsupported", file.unsupported.empty() ? Json(nullptr) : Json(file.unsupported)}};
}

Json line_of(const MakingLine& line) {
  Json files = Json::array();
  for (const auto& file : line.files) files.push_back(file_of(file));
  return {{"method", line.method}, {"block_bytes", line.block > 0 ? Json(line.block) : Json(nullptr)},
          {"durable", line.durable}, {"control", line.control},
          {"files", files},          {"growth", growth_of(line.growth)}};
}

Json ratios_of(const Making& making) {
  Json ratios = Json::array();
  for (const bool durable : {false, true}) {
    for (const auto& ratio : making.ratios(durable)) {
      ratios.push_back({{"durable", durable},
                        {"size_bytes", ratio.size},
                        {"dd_block_bytes", ratio.block},
                        {"dd_over_fallocate", ratio.ratio()}});
    }
  }
  return ratios;
}

Json rates_of(const Making& making) {
  Json rates = Json::array();
  for (const bool durable : {false, true}) {
    for (const auto& rate : dd_rates(making, durable)) {
      rates.push_back({{"durable", durable}, {"block_bytes", rate.block}, {"bytes_per_s", rate.bytes_per_s}});
    }
  }
  return rates;
}

}  // namespace

Json makings_of(const Findings& findings) {
  Json makings = Json::array();
  for (const auto& making : findings.makings) {
    Json lines = Json::array();
    for (const auto& line : making.lines) lines.push_back(line_of(line));
    makings.push_back({{"scenario", making.name},
                       {"file_system", making.file_system.empty() ? Json(nullptr) : Json(making.file_system)},
                       {"valid_runs", making.runs},
                       {"blank_because", making.blank_because.empty() ? Json(nullptr) : Json(making.blank_because)},
                       {"fork_exec_s_median", or_null(making.control_s)},
                       {"lines", lines},
                       {"ratios", ratios_of(making)},
                       {"dd_rates", rates_of(making)}});
  }
  return makings;
}

}  // namespace swaprig::report
