#include "spec/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>

#include "base/text.hpp"
#include "spec/fault_words.hpp"
#include "spec/sections.hpp"
#include "spec/source.hpp"

namespace swaprig::spec {
namespace {

namespace fs = std::filesystem;
using simdrive::DriveKind;
using simdrive::Field;
using simdrive::Geometry;
using simdrive::Unit;

constexpr std::int64_t k_largest_count = std::int64_t{1} << 32U;
constexpr std::uint64_t k_largest_number = std::uint64_t{1} << 62U;
constexpr std::string_view k_per_second = "/s";

std::string_view example_of(Unit unit) {
  switch (unit) {
    case Unit::count:
      return "32";
    case Unit::bytes:
      return "\"64 MB\"";
    case Unit::rate:
      return "\"115 MB/s\"";
    case Unit::duration:
      return "\"9.5 ms\"";
  }
  return "";
}

struct ParsedFigure {
  std::uint64_t value = 0;
  std::string fault;
};

ParsedFigure parse_bytes(std::string_view text) {
  const auto parsed = parse_size(text);
  if (parsed.fault == SizeFault::none && parsed.bytes.count > k_largest_number) return {0, "it is too large"};
  return {parsed.bytes.count, fault_words(parsed.fault)};
}

ParsedFigure parse_figure(Unit unit, std::string_view text) {
  if (unit == Unit::bytes) return parse_bytes(text);
  if (unit == Unit::rate) {
    if (!text.ends_with(k_per_second)) return {0, "it does not end with \"/s\""};
    return parse_bytes(text.substr(0, text.size() - k_per_second.size()));
  }
  const auto parsed = parse_duration(text);
  return {static_cast<std::uint64_t>(std::max<Nanoseconds::rep>(parsed.value.count(), 0)), fault_words(parsed.fault)};
}

/// Reads the file's [figures] into a profile.
class FigureReader {
 public:
  FigureReader(TableReader& table, Profile& profile) : m_table(table), m_profile(profile) {}

  /// True when every figure is there and can be read.
  bool read(const std::vector<Field>& fields) {
    bool complete = true;
    for (const Field& field : fields) complete = read_one(field) && complete;
    return complete;
  }

 private:
  bool read_one(const Field& field) {
    const std::string name(field.name);
    m_table.require(name, fmt::format("{} = {{ value = {}, source = \"...\" }}", name, example_of(field.unit)));
    auto entry = m_table.table(name, "figure " + name);
    if (!entry) return false;
    entry->require("value", fmt::format("value = {}", example_of(field.unit)));
    entry->require("source", "source = \"where the figure is published\", or \"assumed\"");
    const auto value = read_value(*entry, field);
    const auto source = entry->text("source");
    if (source && trim(*source).empty()) entry->fault("source", "source: expected a source, or \"assumed\"");
    entry->finish();
    if (value) m_profile.figures.push_back({name, *value, source.value_or("")});
    return value.has_value();
  }

  std::optional<std::string> read_value(TableReader& entry, const Field& field) {
    if (field.unit == Unit::count) {
      const auto count = entry.integer("value", {INT64_MIN, INT64_MAX});
      if (!count) return std::nullopt;
      if (*count < 0 || *count > k_largest_count) {
        entry.fault("value", fmt::format("{}: expected a count from 0 to {}", field.name, k_largest_count));
        return std::nullopt;
      }
      field.set(m_profile.parameters, static_cast<std::uint64_t>(*count));
      return std::to_string(*count);
    }
    const auto text = entry.text("value");
    if (!text) return std::nullopt;
    const auto parsed = parse_figure(field.unit, *text);
    if (!parsed.fault.empty()) {
      entry.fault("value", fmt::format("{}: expected a value such as {}, but {}", field.name, example_of(field.unit),
                                       parsed.fault));
      return std::nullopt;
    }
    field.set(m_profile.parameters, parsed.value);
    return text;
  }

  TableReader& m_table;
  Profile& m_profile;
};

/// False when the kind is not known, so that nothing is known of the figures either.
bool read_kind(TableReader& root, simdrive::DriveParameters& parameters) {
  const std::array<std::string, 3> kinds{"hdd", "ssd", "null"};
  const std::array<std::string, 2> geometries{"spiral", "cylinders"};
  root.require("kind", "kind = \"hdd\", \"ssd\" or \"null\"");
  const auto kind = root.choice("kind", kinds);
  if (!kind) return false;
  simdrive::parse_kind(kinds[*kind], parameters.kind);
  if (parameters.kind != DriveKind::hdd) return true;
  root.require("geometry", "geometry = \"spiral\", or \"cylinders\" when the drive's are published");
  const auto geometry = root.choice("geometry", geometries);
  if (geometry) simdrive::parse_geometry(geometries[*geometry], parameters.geometry);
  return geometry.has_value();
}

void read_figures(TableReader& root, Profile& profile) {
  root.require("figures", "a section [figures]");
  auto table = root.table("figures", "[figures]");
  if (!table) return;
  FigureReader reader(*table, profile);
  const bool complete = reader.read(simdrive::fields_of(profile.parameters.kind, profile.parameters.geometry));
  table->finish();
  if (!complete) return;
  for (const auto& fault : simdrive::faults_of(profile.parameters)) table->fault(fault.field, fault.message);
}

}  // namespace

int Profile::rotation_rate() const {
  return parameters.kind == DriveKind::hdd ? static_cast<int>(parameters.hdd.rpm) : 1;
}

Profile load_profile(const std::string& path) { return parse_profile(read_source(path), path); }

Profile parse_profile(const std::string& text, const std::string& path) {
  Profile profile;
  profile.name = fs::path(path).stem().string();
  profile.path = path;
  profile.text = text;
  const Node document = parse_source(text, path, "experiments/drives/README.md describes the language");
  Faults faults(path);
  TableReader root(std::get<Node::Table>(document.value), document.where, faults, "the file");
  if (read_schema(root)) {
    root.require("title", "title = \"maker, model and size\"");
    profile.title = root.text("title").value_or("");
    // Without a kind nothing can be said about the figures, so they are not called unknown either.
    if (read_kind(root, profile.parameters)) {
      read_figures(root, profile);
    } else {
      root.table("figures", "[figures]");
      root.text("geometry");
    }
    root.finish();
  }
  faults.throw_if_any(text);
  return profile;
}

std::vector<std::string> profile_names(const std::string& folder) { return toml_names(folder); }

std::vector<std::string> plugin_parameters(const Profile& profile) { return simdrive::encode(profile.parameters); }

}  // namespace swaprig::spec
