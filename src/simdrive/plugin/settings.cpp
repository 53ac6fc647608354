#include "simdrive/plugin/settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/simdrive_wire.hpp"

namespace swaprig::simdrive {

namespace {

namespace wire = simdrive_wire;

/// Region names in a table of the report; more of them than a drive has partitions is a mistake.
constexpr std::size_t k_most_regions = 256;

std::string read_scale(std::string_view text, double& scale) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), scale);
  const bool whole = error == std::errc{} && stop == text.data() + text.size();
  return whole && scale >= 0.001 && scale <= 1000 ? "" : "time_scale has to be a number from 0.001 to 1000";
}

std::string check_regions(std::vector<Region> regions, std::uint64_t size) {
  std::sort(regions.begin(), regions.end(), [](const Region& a, const Region& b) { return a.offset < b.offset; });
  std::uint64_t end = 0;
  for (const Region& region : regions) {
    if (region.offset < end) return "region " + region.name + " overlaps the one before it";
    if (region.offset > size || region.size > size - region.offset) {
      return "region " + region.name + " lies outside the drive";
    }
    end = region.offset + region.size;
  }
  return "";
}

}  // namespace

std::string read_region(std::string_view text, Region& region) {
  const std::string form = "a region is written NAME:OFFSET:SIZE";
  const auto last = text.rfind(':');
  if (last == std::string_view::npos || last == 0) return form;
  const auto middle = text.rfind(':', last - 1);
  if (middle == std::string_view::npos || middle == 0) return form;
  region.name = text.substr(0, middle);
  if (!parse_number(text.substr(middle + 1, last - middle - 1), region.offset)) return form;
  if (!parse_number(text.substr(last + 1), region.size)) return form;
  return "";
}

std::string Settings::apply(std::string_view name, std::string_view value) {
  const std::array texts{std::pair{wire::k_file, &file}, std::pair{wire::k_control, &control},
                         std::pair{wire::k_trace, &trace}};
  for (const auto& [text_name, text] : texts) {
    if (name != text_name) continue;
    *text = value;
    return "";
  }
  if (name == wire::k_bad) {
    bad.emplace_back(value);
    return "";
  }
  if (name == wire::k_time_scale) return read_scale(value, time_scale);
  if (name == wire::k_region) {
    if (regions.size() == k_most_regions) return "more than 256 regions";
    return read_region(value, regions.emplace_back());
  }
  if (name == wire::k_room) {
    return parse_number(value, room) && room > 0 ? "" : "room has to be a whole number of bytes above 0";
  }
  if (name == wire::k_transport || name == wire::k_vanish) {
    std::uint64_t number = 0;
    if (!parse_number(value, number) || number > 1'000'000'000'000) {
      return std::string(name) + " has to be a whole number";
    }
    const auto count = static_cast<Time::rep>(number);
    if (name == wire::k_transport) {
      transport = Time{count};
    } else {
      vanish = std::chrono::milliseconds(count);
    }
    return "";
  }
  bool known = false;
  const std::string fault = decode(drive, name, value, known);
  return known ? fault : "unknown parameter " + std::string(name) + " (kind and geometry have to come first)";
}

std::string Settings::check() const {
  const auto faults = faults_of(drive);
  if (!faults.empty()) return faults.front().field + ": " + faults.front().message;
  if (control.size() > wire::k_longest_socket_path) {
    return "the path of the control socket has " + std::to_string(control.size()) + " characters; at most " +
           std::to_string(wire::k_longest_socket_path) + " are possible: choose a shorter folder";
  }
  for (const std::string& text : bad) {
    BadRange range;
    std::string error;
    if (!parse_bad_range(text, drive.size, Time{0}, range, error)) return error;
  }
  return check_regions(regions, drive.size);
}

Faults Settings::faults() const {
  Faults all;
  if (vanish) all.vanish(*vanish);
  for (const std::string& text : bad) {
    BadRange range;
    std::string error;
    if (parse_bad_range(text, drive.size, Time{0}, range, error)) all.add(range);
  }
  return all;
}

}  // namespace swaprig::simdrive
