#pragma once

// Numbers and verdicts in words. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "report/findings.hpp"

namespace swaprig::report {

/// Stands where there is no value.
inline constexpr const char* k_nothing = "–";

/// At most 3 decimals, so many that a step of the last one is a tenth to one half of the spread (the scaled MAD, else
/// the range); without a spread three significant digits.
int decimals_for(const stats::Summary& summary);

/// "31.4"
std::string number(double value, int decimals);

/// About three digits, never an exponent: "113", "10.6", "3.15", "0.236", "0".
std::string figure_in_words(double value);

/// The same of seconds, with a sign: "+1.2 s", "−0.24 s"; "0 s" when nothing of it is left.
std::string signed_seconds(double seconds);

/// A share of a whole, 0 to 1: "82.3 %", "< 0.1 %", "0 %".
std::string share_in_words(double share);

/// "1701 s (28:21)"; below a minute "31.4 s".
std::string seconds_in_words(double seconds, int decimals);

/// The arm's score with its own decimals; "-" when there is none.
std::string score_in_words(const Arm& arm);

/// "+53 %", "−4.2 %"; above tenfold "> +900 %".
std::string signed_percent(double effect);

/// The same with as many digits as its 95 % interval warrants.
std::string effect_in_words(const stats::Comparison& comparison);

/// "2 %", "1.5 %"
std::string percent(double fraction);

/// "0.211", "12.3"; the baseline is 1.000.
std::string ratio_in_words(double effect);

/// "+48 % to +58 %"
std::string interval_in_words(const std::pair<double, double>& interval);

/// "0.00086", "< 0.0001"
std::string p_in_words(double p);

/// "baseline", "slower", "no verdict: position", "no valid run", ...
std::string verdict_in_words(const Arm& arm);

/// "inconclusive: about 43 runs of each would settle it"; otherwise as above.
std::string verdict_at_length(const Arm& arm);

/// "412 MiB"; "-" when there is no reading.
std::string traffic_in_words(std::optional<std::int64_t> bytes);

/// “start of the HDD”
std::string quoted(const std::string& label);

/// "1 run", "3 runs"
std::string counted(int count, const std::string& noun);

/// "2026-11-30 19:21 UTC"
std::string minute_of(UtcTime time);

}  // namespace swaprig::report
