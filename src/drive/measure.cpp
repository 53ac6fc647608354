#include "drive/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace swaprig::drive {

namespace {

constexpr Bytes k_read_piece = mib(1);
/// A place: enough that no reading comes round, little enough that a drive is alike all over it.
constexpr Bytes k_read_span = gib(1);
/// fio leaves out what comes before: the way to the place, and a drive that has to wake up.
constexpr std::chrono::milliseconds k_ramp{300};

Bytes whole_pieces(std::uint64_t bytes) { return Bytes{bytes / k_read_piece.count * k_read_piece.count}; }

/// A colon parts file names for fio.
std::string fio_file_name(const std::string& path) {
  std::string name;
  for (const char c : path) {
    if (c == ':' || c == '\\') name += '\\';
    name += c;
  }
  return name;
}

std::string percent_encoded(const std::string& path) {
  std::string encoded;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-_.~").find(c) != std::string_view::npos;
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

[[noreturn]] void not_understood(const std::string& why) {
  throw HostError("cannot read what fio measured: " + why + "; fio 3.33 is known to work (fio --version)");
}

std::string bar(double share) {
  constexpr double k_columns = 40;
  return std::string(static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * k_columns)), '#');
}

std::string in_milliseconds(Seconds time) { return fmt::format("{:.3f} ms", time.count() * 1e3); }

}  // namespace

std::vector<MeasureStep> measure_steps(Bytes size, int places) {
  SWAPRIG_ASSERT(places >= 2 && size >= k_least_to_measure);
  const auto count = static_cast<std::uint64_t>(places);
  const auto span = whole_pieces(std::min(k_read_span.count, size.count / count));
  const auto last = size - span;
  std::vector<MeasureStep> steps;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto offset = i + 1 == count ? whole_pieces(last.count) : whole_pieces(last.count / (count - 1) * i);
    steps.push_back(
        {MeasureStep::Kind::sequential, fmt::format("{} %", (100 * i + (count - 1) / 2) / (count - 1)), offset, span});
  }
  const auto near = whole_pieces(std::min(k_read_span.count, size.count / 4));
  const auto random = MeasureStep::Kind::random;
  steps.push_back({random, "start", Bytes{0}, near});
  steps.push_back({random, "middle", whole_pieces((size - near).count / 2), near});
  steps.push_back({random, "end", whole_pieces((size - near).count), near});
  steps.push_back({random, "whole drive", Bytes{0}, whole_pieces(size.count)});
  return steps;
}

Command fio_command(const MeasureTarget& target, const MeasureStep& step, Seconds time) {
  Command command;
  command.program = "fio";
  auto& words = command.arguments;
  words = {"--name=measure",      "--readonly",           "--output-format=json",
           "--time_based",        "--norandommap",        "--randrepeat=0",
           "--lat_percentiles=1", "--clat_percentiles=0", "--percentile_list=5:50:95"};
  if (target.nbd_socket.empty()) {
    words.insert(words.end(), {"--ioengine=libaio", "--direct=1", "--allow_file_create=0",
                               "--filename=" + fio_file_name(target.path)});
  } else {
    words.insert(words.end(), {"--ioengine=nbd", "--uri=nbd+unix:///?socket=" + percent_encoded(target.nbd_socket)});
  }
  const bool random = step.kind == MeasureStep::Kind::random;
  words.insert(words.end(), {random ? "--rw=randread" : "--rw=read", random ? "--bs=4k" : "--bs=1M",
                             random ? "--iodepth=1" : "--iodepth=4", fmt::format("--offset={}", step.offset.count),
                             fmt::format("--size={}", step.span.count), fmt::format("--ramp_time={}ms", k_ramp.count()),
                             fmt::format("--runtime={}ms", std::lround(time.count() * 1e3))});
  constexpr std::chrono::seconds k_slack{120};
  command.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(time) + k_ramp + k_slack;
  return command;
}

Reading parse_fio(const MeasureStep& step, std::string_view output) {
  const auto begin = output.find("\n{");
  const auto start = output.starts_with('{') ? 0 : begin == std::string_view::npos ? output.size() : begin + 1;
  const auto json = nlohmann::json::parse(output.substr(start), nullptr, false);
  if (json.is_discarded()) not_understood("it is no JSON: " + printable_line(trim(output), 200));
  Reading reading;
  reading.step = step;
  try {
    const auto& job = json.at("jobs").at(0);
    if (const auto error = job.at("error").get<int>(); error != 0) {
      throw HostError(fmt::format("reading the drive failed at {} ({} of it from byte {} on): {}", step.place,
                                  rounded(step.span), step.offset.count, std::generic_category().message(error)));
    }
    const auto& read = job.at("read");
    const auto seconds = [](const nlohmann::json& nanoseconds) { return Seconds(nanoseconds.get<double>() / 1e9); };
    reading.bytes_per_s = read.at("bw_bytes").get<double>();
    reading.read = Bytes{read.at("io_bytes").get<std::uint64_t>()};
    reading.reads = read.at("total_ios").get<std::uint64_t>();
    const auto& latency = read.at("lat_ns");
    reading.mean = seconds(latency.at("mean"));
    if (reading.reads == 0) {
      throw HostError(fmt::format("nothing was read at {} in the time for it; try a longer --seconds", step.place));
    }
    reading.low = seconds(latency.at("percentile").at("5.000000"));
    reading.median = seconds(latency.at("percentile").at("50.000000"));
    reading.high = seconds(latency.at("percentile").at("95.000000"));
  } catch (const nlohmann::json::exception& error) {
    not_understood(printable_line(error.what()));
  }
  return reading;
}

std::vector<CurvePoint> DriveCurve::points() const {
  std::vector<CurvePoint> points;
  const auto whole = static_cast<double>(facts.size.count);
  for (const auto& reading : sequential) {
    const auto read = std::min(reading.read.count, reading.step.span.count);
    points.push_back({(static_cast<double>(reading.step.offset.count) + static_cast<double>(read) / 2) / whole,
                      reading.bytes_per_s});
  }
  return points;
}

const Reading& DriveCurve::at(std::string_view place) const {
  const auto found =
      std::find_if(random.begin(), random.end(), [&](const Reading& reading) { return reading.step.place == place; });
  SWAPRIG_ASSERT(found != random.end());
  return *found;
}

std::string curve_text(const DriveCurve& curve) {
  double most = 0;
  for (const auto& point : curve.points()) most = std::max(most, point.bytes_per_s);
  std::string text = fmt::format("{}, {}\n\nsequential reads of 1 MiB\n", curve.facts.title, rounded(curve.facts.size));
  for (const auto& point : curve.points()) {
    text += fmt::format("  {:5.1f} %  {:8.1f} MB/s  {}\n", point.fraction * 100, point.bytes_per_s / 1e6,
                        bar(point.bytes_per_s / most));
  }
  text += "\nrandom reads of 4 KiB, one at a time\n";
  for (const auto& reading : curve.random) {
    text += fmt::format("  {:<12} {:>11} mean, {} median, {} to {} the middle 90 %; {} reads within {}\n",
                        reading.step.place, in_milliseconds(reading.mean), in_milliseconds(reading.median),
                        in_milliseconds(reading.low), in_milliseconds(reading.high), reading.reads,
                        rounded(reading.step.span));
  }
  return text;
}

}  // namespace swaprig::drive
