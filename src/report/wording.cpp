#include "report/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/duration.hpp"

namespace swaprig::report {

namespace {

int decimals_by_size(double value) {
  if (value >= 100) return 0;
  return value >= 10 ? 1 : 2;
}

std::string signed_with(double percents, int decimals) {
  const auto size = fmt::format("{:.{}f}", std::abs(percents), decimals);
  const bool is_zero = size.find_first_of("123456789") == std::string::npos;
  const char* sign = is_zero ? "" : percents < 0 ? "−" : "+";
  return sign + size + " %";
}

std::string signed_percent(double effect, int decimals) {
  constexpr double k_most = 9;
  if (effect > k_most) return "> +900 %";
  return signed_with(100 * effect, decimals);
}

/// Of per cents: a narrow interval shows more of them than a wide one.
int decimals_of(const std::pair<double, double>& interval) {
  const double width = interval.second - interval.first;
  if (width >= 0.1) return 0;
  return width >= 0.005 ? 1 : 2;
}

}  // namespace

int decimals_for(const stats::Summary& summary) {
  const double spread = summary.mad > 0 ? stats::k_mad_scale * summary.mad : summary.worst - summary.best;
  if (spread <= 0) return decimals_by_size(summary.median);
  return std::clamp(-static_cast<int>(std::floor(std::log10(spread / 2))), 0, 3);
}

std::string number(double value, int decimals) { return fmt::format("{:.{}f}", value, decimals); }

std::string figure_in_words(double value) {
  const double size = std::abs(value);
  const int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  const auto words = number(value, decimals);
  return words.find_first_of("123456789") == std::string::npos ? "0" : words;
}

std::string signed_seconds(double seconds) {
  const auto size = figure_in_words(std::abs(seconds));
  const char* sign = size == "0" ? "" : seconds < 0 ? "−" : "+";
  return sign + size + " s";
}

std::string share_in_words(double share) {
  if (share <= 0) return "0 %";
  return share < 0.0005 ? "< 0.1 %" : number(100 * share, 1) + " %";
}

std::string seconds_in_words(double seconds, int decimals) {
  auto words = number(seconds, decimals) + " s";
  if (seconds >= 60) words += fmt::format(" ({})", clock_time(Seconds(seconds)));
  return words;
}

std::string score_in_words(const Arm& arm) {
  return arm.score ? seconds_in_words(*arm.score, decimals_for(*arm.summary)) : k_nothing;
}

std::string signed_percent(double effect) { return signed_percent(effect, std::abs(effect) < 0.1 ? 1 : 0); }

std::string effect_in_words(const stats::Comparison& comparison) {
  if (!comparison.interval95) return signed_percent(comparison.effect);
  return signed_percent(comparison.effect, decimals_of(*comparison.interval95));
}

std::string percent(double fraction) { return fmt::format("{:.3g} %", 100 * fraction); }

std::string ratio_in_words(double effect) {
  const double ratio = 1 + effect;
  return number(ratio, ratio < 10 ? 3 : 1);
}

std::string interval_in_words(const std::pair<double, double>& interval) {
  const int decimals = decimals_of(interval);
  return signed_percent(interval.first, decimals) + " to " + signed_percent(interval.second, decimals);
}

std::string p_in_words(double p) { return p < 0.0001 ? "< 0.0001" : fmt::format("{:.2g}", p); }

std::string verdict_in_words(const Arm& arm) {
  if (!arm.summary) return "no valid run";
  if (arm.baseline) return "baseline";
  if (!arm.comparison) return "baseline has no valid run";
  if (arm.position_only) return "no verdict: position";
  switch (arm.comparison->word) {
    case stats::Word::faster:
      return "faster";
    case stats::Word::slower:
      return "slower";
    case stats::Word::equivalent:
      return "equivalent";
    case stats::Word::inconclusive:
      return "inconclusive";
    case stats::Word::indication_only:
      return "indication only";
    case stats::Word::one_run:
      return "one run, no spread";
    case stats::Word::no_pairs:
      return "no pair of valid runs";
  }
  return {};
}

std::string verdict_at_length(const Arm& arm) {
  auto words = verdict_in_words(arm);
  if (words != "inconclusive") return words;
  const auto& comparison = *arm.comparison;
  if (comparison.runs_to_settle && *comparison.runs_to_settle > comparison.pairs) {
    words += fmt::format(": about {} would settle it", counted(*comparison.runs_to_settle, "run"));
  }
  return words;
}

std::string traffic_in_words(std::optional<std::int64_t> bytes) {
  if (!bytes) return k_nothing;
  const double mebibytes = static_cast<double>(*bytes) / (1024.0 * 1024.0);
  const int decimals = *bytes == 0 || mebibytes >= 10 ? 0 : 1;
  return number(mebibytes, decimals) + " MiB";
}

std::string quoted(const std::string& label) { return "“" + label + "”"; }

std::string counted(int count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string minute_of(UtcTime time) {
  const auto text = iso8601(time);
  return text.substr(0, 10) + " " + text.substr(11, 5) + " UTC";
}

}  // namespace swaprig::report
