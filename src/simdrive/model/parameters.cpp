#include "simdrive/model/parameters.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace swaprig::simdrive {

namespace {

std::uint64_t number_of(std::uint64_t value) { return value; }
std::uint64_t number_of(Time value) { return static_cast<std::uint64_t>(value.count()); }
void assign(std::uint64_t& target, std::uint64_t value) { target = value; }
void assign(Time& target, std::uint64_t value) { target = Time{static_cast<Time::rep>(value)}; }

template <auto Member>
constexpr Field drive_field(std::string_view name, Unit unit) {
  return {name, unit, [](const DriveParameters& drive) { return number_of(drive.*Member); },
          [](DriveParameters& drive, std::uint64_t value) { assign(drive.*Member, value); }};
}

template <auto Member>
constexpr Field hdd_field(std::string_view name, Unit unit) {
  return {name, unit, [](const DriveParameters& drive) { return number_of(drive.hdd.*Member); },
          [](DriveParameters& drive, std::uint64_t value) { assign(drive.hdd.*Member, value); }};
}

template <auto Member>
constexpr Field ssd_field(std::string_view name, Unit unit) {
  return {name, unit, [](const DriveParameters& drive) { return number_of(drive.ssd.*Member); },
          [](DriveParameters& drive, std::uint64_t value) { assign(drive.ssd.*Member, value); }};
}

constexpr std::array k_drive_fields{
    drive_field<&DriveParameters::size>("size", Unit::bytes),
    drive_field<&DriveParameters::logical_sector>("logical_sector", Unit::bytes),
    drive_field<&DriveParameters::physical_sector>("physical_sector", Unit::bytes),
};

constexpr std::array k_queue_fields{
    drive_field<&DriveParameters::queue_depth>("queue_depth", Unit::count),
};

constexpr std::array k_hdd_fields{
    hdd_field<&HddParameters::rpm>("rpm", Unit::count),
    hdd_field<&HddParameters::command_overhead>("command_overhead", Unit::duration),
    hdd_field<&HddParameters::write_settle>("write_settle", Unit::duration),
    hdd_field<&HddParameters::interface_rate>("interface_rate", Unit::rate),
    hdd_field<&HddParameters::read_ahead>("read_ahead", Unit::bytes),
    hdd_field<&HddParameters::segments>("segments", Unit::count),
    hdd_field<&HddParameters::write_cache>("write_cache", Unit::bytes),
    hdd_field<&HddParameters::age_limit>("age_limit", Unit::duration),
};

constexpr std::array k_spiral_fields{
    hdd_field<&HddParameters::outer_rate>("outer_rate", Unit::rate),
    hdd_field<&HddParameters::inner_rate>("inner_rate", Unit::rate),
    hdd_field<&HddParameters::seek_track>("seek_track", Unit::duration),
    hdd_field<&HddParameters::seek_average>("seek_average", Unit::duration),
    hdd_field<&HddParameters::seek_full>("seek_full", Unit::duration),
};

constexpr std::array k_cylinder_fields{
    hdd_field<&HddParameters::cylinders>("cylinders", Unit::count),
    hdd_field<&HddParameters::heads>("heads", Unit::count),
    hdd_field<&HddParameters::sectors_per_track>("sectors_per_track", Unit::count),
    hdd_field<&HddParameters::track_skew>("track_skew", Unit::count),
    hdd_field<&HddParameters::cylinder_skew>("cylinder_skew", Unit::count),
    hdd_field<&HddParameters::head_switch>("head_switch", Unit::duration),
    hdd_field<&HddParameters::seek_near_base>("seek_near_base", Unit::duration),
    hdd_field<&HddParameters::seek_near_root>("seek_near_root", Unit::duration),
    hdd_field<&HddParameters::seek_near_limit>("seek_near_limit", Unit::count),
    hdd_field<&HddParameters::seek_far_base>("seek_far_base", Unit::duration),
    hdd_field<&HddParameters::seek_far_slope>("seek_far_slope", Unit::duration),
};

constexpr std::array k_ssd_fields{
    ssd_field<&SsdParameters::read_latency>("read_latency", Unit::duration),
    ssd_field<&SsdParameters::write_latency>("write_latency", Unit::duration),
    ssd_field<&SsdParameters::flush_latency>("flush_latency", Unit::duration),
    ssd_field<&SsdParameters::trim_latency>("trim_latency", Unit::duration),
    ssd_field<&SsdParameters::read_rate>("read_rate", Unit::rate),
    ssd_field<&SsdParameters::write_rate>("write_rate", Unit::rate),
    ssd_field<&SsdParameters::channels>("channels", Unit::count),
};

template <typename Fields>
void append(std::vector<Field>& all, const Fields& fields) {
  all.insert(all.end(), fields.begin(), fields.end());
}

class FaultList {
 public:
  void require(bool holds, std::string_view field, std::string_view message) {
    if (!holds) m_faults.push_back({std::string(field), std::string(message)});
  }
  std::vector<Fault> take() { return std::move(m_faults); }

 private:
  std::vector<Fault> m_faults;
};

bool is_power_of_two(std::uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

void check_spiral(const HddParameters& hdd, FaultList& list) {
  list.require(hdd.outer_rate > 0, "outer_rate", "the outer rate has to be above 0");
  list.require(hdd.inner_rate > 0, "inner_rate", "the inner rate has to be above 0");
  list.require(hdd.inner_rate <= hdd.outer_rate, "inner_rate",
               "the inner rate is above the outer rate: the outer edge is where a drive is fastest");
  list.require(hdd.seek_track <= hdd.seek_average, "seek_track", "the track-to-track seek is above the average seek");
  list.require(hdd.seek_average <= hdd.seek_full, "seek_average", "the average seek is above the full-stroke seek");
}

void check_cylinders(const DriveParameters& drive, FaultList& list) {
  const HddParameters& hdd = drive.hdd;
  list.require(hdd.cylinders > 0, "cylinders", "a drive has at least one cylinder");
  list.require(hdd.heads > 0, "heads", "a drive has at least one head");
  list.require(hdd.sectors_per_track > 0, "sectors_per_track", "a track has at least one sector");
  list.require(hdd.track_skew < std::max<std::uint64_t>(hdd.sectors_per_track, 1), "track_skew",
               "the track skew has to be below the sectors of a track");
  list.require(hdd.cylinder_skew < std::max<std::uint64_t>(hdd.sectors_per_track, 1), "cylinder_skew",
               "the cylinder skew has to be below the sectors of a track");
  constexpr std::uint64_t k_limit = 1U << 24U;
  const bool sane = hdd.cylinders < k_limit && hdd.heads < k_limit && hdd.sectors_per_track < k_limit / 256;
  list.require(sane && drive.size == hdd.cylinders * hdd.heads * hdd.sectors_per_track * drive.logical_sector, "size",
               "the size is not cylinders x heads x sectors per track x logical sector");
}

void check_hdd(const DriveParameters& drive, FaultList& list) {
  const HddParameters& hdd = drive.hdd;
  list.require(hdd.rpm >= 60 && hdd.rpm <= 100000, "rpm", "the rotation rate has to lie between 60 and 100000 rpm");
  list.require(hdd.interface_rate > 0, "interface_rate", "the interface rate has to be above 0");
  list.require(hdd.read_ahead == 0 || hdd.segments > 0, "segments", "a track buffer has at least one segment");
  list.require(hdd.segments <= 4096, "segments", "more than 4096 segments are not supported");
  list.require(hdd.age_limit > Time{0}, "age_limit", "the age limit has to be above 0");
  if (drive.geometry == Geometry::spiral) check_spiral(hdd, list);
  if (drive.geometry == Geometry::cylinders) check_cylinders(drive, list);
  list.require(drive.geometry != Geometry::none, "geometry", "an HDD has a geometry: \"spiral\" or \"cylinders\"");
}

void check_ssd(const SsdParameters& ssd, FaultList& list) {
  list.require(ssd.read_rate > 0, "read_rate", "the read rate has to be above 0");
  list.require(ssd.write_rate > 0, "write_rate", "the write rate has to be above 0");
  list.require(ssd.channels >= 1 && ssd.channels <= 4096, "channels", "an SSD has 1 to 4096 channels");
}

template <typename Enum, std::size_t N>
bool find_name(const std::array<std::pair<std::string_view, Enum>, N>& names, std::string_view name, Enum& value) {
  for (const auto& [text, candidate] : names) {
    if (text == name) {
      value = candidate;
      return true;
    }
  }
  return false;
}

constexpr std::array<std::pair<std::string_view, DriveKind>, 3> k_kinds{
    {{"hdd", DriveKind::hdd}, {"ssd", DriveKind::ssd}, {"null", DriveKind::null}}};
constexpr std::array<std::pair<std::string_view, Geometry>, 2> k_geometries{
    {{"spiral", Geometry::spiral}, {"cylinders", Geometry::cylinders}}};

}  // namespace

std::vector<Field> fields_of(DriveKind kind, Geometry geometry) {
  std::vector<Field> fields;
  append(fields, k_drive_fields);
  if (kind != DriveKind::null) append(fields, k_queue_fields);
  if (kind == DriveKind::ssd) append(fields, k_ssd_fields);
  if (kind == DriveKind::hdd) {
    append(fields, k_hdd_fields);
    if (geometry == Geometry::spiral) append(fields, k_spiral_fields);
    if (geometry == Geometry::cylinders) append(fields, k_cylinder_fields);
  }
  return fields;
}

std::vector<std::string> all_field_names() {
  std::vector<Field> fields;
  append(fields, k_drive_fields);
  append(fields, k_queue_fields);
  append(fields, k_hdd_fields);
  append(fields, k_spiral_fields);
  append(fields, k_cylinder_fields);
  append(fields, k_ssd_fields);
  std::vector<std::string> names;
  for (const Field& field : fields) names.emplace_back(field.name);
  return names;
}

bool parse_kind(std::string_view name, DriveKind& kind) { return find_name(k_kinds, name, kind); }
bool parse_geometry(std::string_view name, Geometry& geometry) { return find_name(k_geometries, name, geometry); }

std::string_view name_of(DriveKind kind) {
  return kind == DriveKind::hdd ? "hdd" : kind == DriveKind::ssd ? "ssd" : "null";
}

std::string_view name_of(Geometry geometry) {
  return geometry == Geometry::spiral ? "spiral" : geometry == Geometry::cylinders ? "cylinders" : "none";
}

std::vector<Fault> faults_of(const DriveParameters& drive) {
  FaultList list;
  list.require(is_power_of_two(drive.logical_sector) && drive.logical_sector >= 512 && drive.logical_sector <= 4096,
               "logical_sector", "the logical sector has to be 512, 1024, 2048 or 4096 bytes");
  list.require(is_power_of_two(drive.physical_sector) && drive.physical_sector >= drive.logical_sector &&
                   drive.physical_sector <= 65536,
               "physical_sector", "the physical sector has to be a power of two from the logical sector to 64 KiB");
  list.require(drive.size > 0 && drive.size < (std::uint64_t{1} << 62U), "size", "the size has to be above 0");
  list.require(drive.logical_sector == 0 || drive.size % drive.logical_sector == 0, "size",
               "the size is not a multiple of the logical sector");
  list.require(drive.queue_depth >= 1 && drive.queue_depth <= 65536, "queue_depth",
               "the queue depth has to lie between 1 (no queueing) and 65536");
  if (drive.kind == DriveKind::hdd) check_hdd(drive, list);
  if (drive.kind == DriveKind::ssd) check_ssd(drive.ssd, list);
  return list.take();
}

std::vector<std::string> encode(const DriveParameters& drive) {
  std::vector<std::string> pairs{"kind=" + std::string(name_of(drive.kind))};
  if (drive.kind == DriveKind::hdd) pairs.push_back("geometry=" + std::string(name_of(drive.geometry)));
  for (const Field& field : fields_of(drive.kind, drive.geometry)) {
    pairs.push_back(std::string(field.name) + "=" + std::to_string(field.get(drive)));
  }
  return pairs;
}

std::string decode(DriveParameters& drive, std::string_view name, std::string_view value, bool& known) {
  known = true;
  if (name == "kind") return parse_kind(value, drive.kind) ? "" : "kind has to be hdd, ssd or null";
  if (name == "geometry") return parse_geometry(value, drive.geometry) ? "" : "geometry has to be spiral or cylinders";
  for (const Field& field : fields_of(drive.kind, drive.geometry)) {
    if (field.name != name) continue;
    std::uint64_t number = 0;
    if (!parse_number(value, number) || number > (std::uint64_t{1} << 62U)) {
      return std::string(name) + " has to be a whole number that is not negative";
    }
    field.set(drive, number);
    return "";
  }
  known = false;
  return "";
}

bool parse_number(std::string_view text, std::uint64_t& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end && !text.empty();
}

}  // namespace swaprig::simdrive
