#include "drive/measured_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace swaprig::drive {

namespace {

constexpr const char* k_assumed = "assumed";
constexpr double k_overhead_s = 200e-6;  // of the controller, per command
/// How much longer the longest seek takes than the average one; of the drives whose sheets name both, about this.
constexpr double k_full_to_average = 2.2;
constexpr double k_random_read = 4096;
constexpr double k_ssd_latency_s = 1e-3;
constexpr double k_alike = 2;

double half_turn_s(const Rotation& rotation) { return 30.0 / static_cast<double>(rotation.rpm); }

std::string rate_value(double bytes_per_s) { return fmt::format("{:.2f} MB/s", bytes_per_s / 1e6); }
std::string time_value(double seconds) { return fmt::format("{} us", std::lround(std::max(seconds, 0.0) * 1e6)); }
std::string size_value(Bytes size) { return fmt::format("{} B", size.count); }

/// 0 at the outer edge, 1 at the inner, as simdrive/model/geometry.cpp has it.
double radius_at(const EdgeRates& rates, double fraction) {
  if (rates.outer - rates.inner < 1e-6 * rates.outer) return fraction;
  return (rates.outer - rates.at(fraction)) / (rates.outer - rates.inner);
}

double share_read_at(const Reading& reading, double edge, Bytes size) {
  return (static_cast<double>(reading.step.offset.count) + edge * static_cast<double>(reading.step.span.count)) /
         static_cast<double>(size.count);
}

/// The mean seek that a latency leaves once everything else is taken off it.
double seek_of(Seconds latency, const DriveCurve& curve, const Reading& reading, const EdgeRates& rates,
               const Rotation& rotation) {
  const auto middle = share_read_at(reading, 0.5, curve.facts.size);
  return latency.count() - k_overhead_s - half_turn_s(rotation) - k_random_read / rates.at(middle);
}

SeekShares shares_of(const DriveCurve& curve, const Reading& reading, const EdgeRates& rates) {
  return seek_shares(rates, share_read_at(reading, 0, curve.facts.size), share_read_at(reading, 1, curve.facts.size));
}

struct Seeks {
  double track = 0;
  double average = 0;
};

/// Two equations in two unknowns: the seeks over the whole drive, and those near one place.
Seeks fitted_seeks(const DriveCurve& curve, const EdgeRates& rates, const Rotation& rotation) {
  const auto& whole = curve.at("whole drive");
  const double far_seek = seek_of(whole.mean, curve, whole, rates, rotation);
  const auto far = shares_of(curve, whole, rates);
  const double far_average = far.average + k_full_to_average * far.full;
  SeekShares near{0, 0, 0};
  double near_seek = 0;
  constexpr std::array k_places{"start", "middle", "end"};
  for (const char* place : k_places) {
    const auto& reading = curve.at(place);
    const auto shares = shares_of(curve, reading, rates);
    near.track += shares.track / k_places.size();
    near.average += (shares.average + k_full_to_average * shares.full) / k_places.size();
    // Near a place nearly all of it is the turn, alike in both directions: the median says the same as the mean, and a
    // few reads that were held up do not move it.
    near_seek += seek_of(reading.median, curve, reading, rates, rotation) / k_places.size();
  }
  const double determinant = near.track * far_average - far.track * near.average;
  Seeks seeks;
  if (std::abs(determinant) > 1e-9) seeks.track = (near_seek * far_average - far_seek * near.average) / determinant;
  seeks.track = std::max(seeks.track, 0.0);
  seeks.average = (far_seek - far.track * seeks.track) / far_average;
  if (seeks.average < seeks.track) seeks.track = seeks.average = far_seek / (far.track + far_average);
  if (seeks.average <= 0) {
    throw HostError(fmt::format(
        "cannot make a profile: random reads take {:.2f} ms on average, which is less than half a turn at {} rpm ({}) "
        "and {} us of overhead; is the rotation rate right (--rpm), or does something cache the drive?",
        whole.mean.count() * 1e3, rotation.rpm, rotation.source, std::lround(k_overhead_s * 1e6)));
  }
  return seeks;
}

/// What every kind of drive has.
std::vector<FittedFigure> common_figures(const DriveFacts& facts) {
  const std::string told = "told by the drive";
  return {{"size", size_value(facts.size), told},
          {"logical_sector", size_value(facts.logical_sector), told},
          {"physical_sector", size_value(facts.physical_sector), told},
          {"queue_depth", "32", k_assumed}};
}

void add_hdd_figures(const DriveCurve& curve, const Rotation& rotation, const std::string& measured,
                     FittedProfile& profile) {
  const auto seeks = fitted_seeks(curve, profile.rates, rotation);
  constexpr double k_slowest_interface = 300e6;
  const double interface = std::max(k_slowest_interface, std::ceil(2 * profile.rates.outer / 1e8) * 1e8);
  const auto fitted = measured + ", fitted";
  const std::vector<FittedFigure> figures{{"rpm", std::to_string(rotation.rpm), rotation.source},
                                          {"command_overhead", time_value(k_overhead_s), k_assumed},
                                          {"write_settle", "500 us", k_assumed},
                                          {"interface_rate", fmt::format("{:.0f} MB/s", interface / 1e6), k_assumed},
                                          {"read_ahead", "1 MiB", k_assumed},
                                          {"segments", "16", k_assumed},
                                          {"write_cache", "48 MB", k_assumed},
                                          {"age_limit", "500 ms", k_assumed},
                                          {"outer_rate", rate_value(profile.rates.outer), fitted},
                                          {"inner_rate", rate_value(profile.rates.inner), fitted},
                                          {"seek_track", time_value(seeks.track), fitted},
                                          {"seek_average", time_value(seeks.average), fitted},
                                          {"seek_full", time_value(k_full_to_average * seeks.average), k_assumed}};
  profile.figures.insert(profile.figures.end(), figures.begin(), figures.end());
}

void add_ssd_figures(const DriveCurve& curve, const std::string& measured, FittedProfile& profile) {
  const double rate = profile.rates.outer;
  const double latency = std::max(curve.at("whole drive").median.count() - k_random_read / rate, 0.0);
  const std::vector<FittedFigure> figures{{"read_latency", time_value(latency), measured + ", less the transfer"},
                                          {"write_latency", time_value(latency), k_assumed},
                                          {"flush_latency", "2 ms", k_assumed},
                                          {"trim_latency", "1 ms", k_assumed},
                                          {"read_rate", rate_value(rate), measured},
                                          {"write_rate", rate_value(rate), k_assumed},
                                          {"channels", "16", k_assumed}};
  profile.figures.insert(profile.figures.end(), figures.begin(), figures.end());
}

std::string toml_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

double EdgeRates::at(double fraction) const {
  return std::sqrt(outer * outer - std::clamp(fraction, 0.0, 1.0) * (outer * outer - inner * inner));
}

std::optional<Rotation> estimated_rotation(const DriveCurve& curve) {
  constexpr std::array<std::uint64_t, 7> k_built{4200, 5400, 5900, 7200, 10000, 12000, 15000};
  constexpr double k_near = 0.08;
  constexpr double k_middle = 0.9;  // of a turn lies between the two percentiles
  double spread = 0;
  for (const char* place : {"start", "middle", "end"}) {
    const auto& reading = curve.at(place);
    spread += (reading.high - reading.low).count() / 3;
  }
  if (spread <= 0) return std::nullopt;
  const double rpm = 60 * k_middle / spread;
  const auto nearest = *std::min_element(k_built.begin(), k_built.end(), [&](auto a, auto b) {
    return std::abs(static_cast<double>(a) - rpm) < std::abs(static_cast<double>(b) - rpm);
  });
  if (std::abs(rpm / static_cast<double>(nearest) - 1) > k_near) return std::nullopt;
  return Rotation{nearest,
                  fmt::format("estimated: 90 % of the latencies near a place lie within {:.1f} ms", spread * 1e3)};
}

EdgeRates fitted_rates(const std::vector<CurvePoint>& points) {
  SWAPRIG_ASSERT(!points.empty());
  // rate^2 is a straight line in f. An error of the rate by a part weighs alike everywhere with weights of 1 / rate^4.
  double weights = 0;
  double mean_f = 0;
  double mean_square = 0;
  const auto weight = [](const CurvePoint& point) { return std::pow(point.bytes_per_s, -4); };
  for (const auto& point : points) {
    weights += weight(point);
    mean_f += weight(point) * point.fraction;
    mean_square += weight(point) * point.bytes_per_s * point.bytes_per_s;
  }
  mean_f /= weights;
  mean_square /= weights;
  double above = 0;
  double below = 0;
  for (const auto& point : points) {
    const double f = point.fraction - mean_f;
    above += weight(point) * f * (point.bytes_per_s * point.bytes_per_s - mean_square);
    below += weight(point) * f * f;
  }
  const double slope = below > 0 ? std::min(above / below, 0.0) : 0;
  const double outer = mean_square - slope * mean_f;
  // A curve that falls faster than any drive's keeps a rate at its end.
  const double inner = std::max(outer + slope, outer * 1e-4);
  return {std::sqrt(outer), std::sqrt(inner)};
}

SeekShares seek_shares(const EdgeRates& rates, double from, double to) {
  constexpr int k_steps = 400;
  constexpr double k_third = 1.0 / 3;
  std::vector<double> radii;
  for (int i = 0; i < k_steps; ++i) radii.push_back(radius_at(rates, from + (to - from) * (i + 0.5) / k_steps));
  SeekShares sum;
  for (const double a : radii) {
    for (const double b : radii) {
      const double way = std::abs(a - b);
      if (way <= k_third) {
        const double root = std::sqrt(way / k_third);
        sum.track += 1 - root;
        sum.average += root;
      } else {
        const double beyond = (way - k_third) / (1 - k_third);
        sum.average += 1 - beyond;
        sum.full += beyond;
      }
    }
  }
  const double pairs = static_cast<double>(k_steps) * k_steps;
  return {sum.track / pairs, sum.average / pairs, sum.full / pairs};
}

bool looks_like_ssd(const DriveCurve& curve) {
  if (curve.facts.rotational == false) return true;
  const auto by_median = [](const Reading& a, const Reading& b) { return a.median < b.median; };
  const auto [least, most] = std::minmax_element(curve.random.begin(), curve.random.end(), by_median);
  return least != curve.random.end() && most->median.count() < k_ssd_latency_s &&
         most->median.count() <= k_alike * least->median.count();
}

FittedProfile fit_profile(const DriveCurve& curve, const std::optional<Rotation>& rotation, const std::string& when) {
  FittedProfile profile;
  profile.title = curve.facts.title;
  profile.figures = common_figures(curve.facts);
  profile.rates = fitted_rates(curve.points());
  const auto measured = "measured on " + when;
  if (looks_like_ssd(curve)) {
    profile.kind = simdrive::DriveKind::ssd;
    std::vector<double> rates;
    for (const auto& point : curve.points()) rates.push_back(point.bytes_per_s);
    std::nth_element(rates.begin(), rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2), rates.end());
    profile.rates = {rates[rates.size() / 2], rates[rates.size() / 2]};
    add_ssd_figures(curve, measured, profile);
  } else {
    SWAPRIG_ASSERT(rotation.has_value() && rotation->rpm > 0);
    add_hdd_figures(curve, *rotation, measured, profile);
  }
  return profile;
}

std::string to_toml(const FittedProfile& profile, const std::string& made_by) {
  std::size_t widest = 0;
  for (const auto& figure : profile.figures) widest = std::max(widest, figure.name.size());
  auto text = fmt::format("# {}\nschema = 1\ntitle = {}\nkind = \"{}\"\n", printable_line(made_by),
                          toml_string(printable_line(profile.title)), simdrive::name_of(profile.kind));
  if (profile.kind == simdrive::DriveKind::hdd) text += "geometry = \"spiral\"\n";
  text += "\n[figures]\n";
  for (const auto& figure : profile.figures) {
    text += fmt::format("{:<{}} = {{ value = {}, source = {} }}\n", figure.name, widest,
                        is_number(figure.value) ? figure.value : toml_string(figure.value), toml_string(figure.source));
  }
  return text;
}

double worst_distance(const EdgeRates& rates, const std::vector<CurvePoint>& points) {
  double worst = 0;
  for (const auto& point : points) worst = std::max(worst, std::abs(point.bytes_per_s / rates.at(point.fraction) - 1));
  return worst;
}

}  // namespace swaprig::drive
