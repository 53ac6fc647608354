#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <memory>

#include "base/simdrive_wire.hpp"
#include "base/text.hpp"
#include "cli/verbs.hpp"
#include "drive/measured_profile.hpp"
#include "drive/simulated_server.hpp"
#include "report/chart.hpp"
#include "report/drive_curve_chart.hpp"

namespace swaprig::cli {

namespace {

namespace fs = std::filesystem;

struct MeasureOptions {
  std::string target;
  std::uint64_t rpm = 0;
  double seconds = 4;
  int places = 9;
  fs::path folder;
};

std::string sysfs(const fs::path& path) { return std::string(trim(try_read_file(path, kib(4)).value_or(""))); }

/// What of a block device is known without reading it. UsageError when the path names none.
drive::DriveFacts device_facts(const fs::path& path) {
  const auto fd = open_file(path, O_RDONLY | O_NONBLOCK, "cannot measure");
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) throw FileError("cannot measure", path.string(), errno);
  if (!S_ISBLK(status.st_mode)) {
    throw UsageError(fmt::format("{} is not a block device; for a file: losetup --find --show --direct-io=on {}",
                                 path.string(), path.string()));
  }
  std::uint64_t size = 0;
  int logical = 0;
  unsigned physical = 0;
  if (::ioctl(fd.get(), BLKGETSIZE64, &size) != 0 || ::ioctl(fd.get(), BLKSSZGET, &logical) != 0 ||
      ::ioctl(fd.get(), BLKPBSZGET, &physical) != 0) {
    throw FileError("cannot ask for the size of", path.string(), errno);
  }
  const auto device = fs::path("/sys/dev/block") / fmt::format("{}:{}", major(status.st_rdev), minor(status.st_rdev));
  const auto whole = fs::exists(device / "partition") ? device / ".." : device;
  const auto model = sysfs(whole / "device/model");
  const auto rotational = sysfs(whole / "queue/rotational");
  drive::DriveFacts facts;
  facts.title = model.empty() ? fs::canonical(path).string() : printable_line(model);
  facts.size = Bytes{size};
  facts.logical_sector = Bytes{static_cast<std::uint64_t>(logical)};
  facts.physical_sector = Bytes{physical};
  if (!rotational.empty()) facts.rotational = rotational == "1";
  if (sysfs(whole / "loop/dio") == "0") {
    fmt::print(stderr,
               "warning: {} is a loop device without direct I/O: this host caches it, and what is measured is the "
               "cache; losetup --direct-io=on {}\n",
               path.string(), path.string());
  }
  return facts;
}

drive::DriveFacts profile_facts(const spec::Profile& profile) {
  const auto& parameters = profile.parameters;
  constexpr const char* k_mark = ", simulated";  // a profile that was made from one says it already
  return {profile.title.ends_with(k_mark) ? profile.title : profile.title + k_mark, Bytes{parameters.size},
          Bytes{parameters.logical_sector}, Bytes{parameters.physical_sector}, profile.rotation_rate() > 1};
}

drive::DriveCurve measure(Session& session, const MeasureOptions& options, const drive::MeasureTarget& target,
                          drive::DriveFacts facts) {
  if (facts.size < drive::k_least_to_measure) {
    throw UsageError(fmt::format("{} has {}; at least {} are needed to measure it", options.target, exact(facts.size),
                                 exact(drive::k_least_to_measure)));
  }
  drive::DriveCurve curve{std::move(facts), {}, {}};
  const auto steps = drive::measure_steps(curve.facts.size, options.places);
  std::size_t done = 0;
  for (const auto& step : steps) {
    const bool random = step.kind == drive::MeasureStep::Kind::random;
    if (!session.options().quiet) {
      fmt::print(stderr, "{} of {}: {} reads, {}\n", ++done, steps.size(), random ? "random" : "sequential",
                 step.place);
    }
    const auto output = run_checked(session.commands(), drive::fio_command(target, step, Seconds(options.seconds)));
    (random ? curve.random : curve.sequential).push_back(drive::parse_fio(step, output));
  }
  return curve;
}

drive::DriveCurve measure_simulated(Session& session, const MeasureOptions& options, const spec::Profile& profile) {
  const TemporaryFolder folder;
  drive::ServerSetup setup;
  setup.backing.wanted = options.target;
  setup.backing.profile = profile;
  setup.socket = folder.path() / "nbd";
  setup.control = folder.path() / "nbd.ctl";
  setup.nbdkit = drive::require_nbdkit(session.commands());
  setup.plugin = part_of_program(simdrive_wire::k_plugin_file);
  drive::SimulatedServer server(setup);
  server.start(folder.path() / "server.log");
  auto curve = measure(session, options, {"", setup.socket.string()}, profile_facts(profile));
  const auto counters = server.counters();
  constexpr double k_much = 0.01;
  const double late =
      static_cast<double>(counters.late_ns) / static_cast<double>(std::max<std::int64_t>(counters.wall_ns, 1));
  if (late > k_much) {
    fmt::print(stderr,
               "warning: the simulation was late for {:.1f} % of the time: this host is too busy to measure it well\n",
               late * 100);
  }
  return curve;
}

void write_picture(Session& session, const drive::DriveCurve& curve, const drive::EdgeRates* fitted,
                   const fs::path& path) {
  std::vector<report::RatePoint> measured;
  std::vector<report::RatePoint> line;
  for (const auto& point : curve.points()) measured.push_back({point.fraction * 100, point.bytes_per_s / 1e6});
  for (int i = 0; fitted != nullptr && i <= 100; ++i)
    line.push_back({static_cast<double>(i), fitted->at(i / 100.0) / 1e6});
  const auto chart =
      report::drive_curve_chart("drive-curve", "Sequential rate of " + curve.facts.title, measured, line);
  const auto drawn = report::draw({chart}, session.commands()).front();
  if (drawn.svg.empty()) {
    fmt::print(stderr, "warning: no picture: {}\n", drawn.fault);
    return;
  }
  write_file_durably(path, drawn.svg);
  fmt::print("picture: {}\n", path.string());
}

/// Given, of the profile, or told by the latencies, in this order.
std::optional<drive::Rotation> rotation_of(const MeasureOptions& options, const spec::Profile* profile,
                                           const drive::DriveCurve& curve) {
  if (drive::looks_like_ssd(curve)) return std::nullopt;
  if (options.rpm > 0) return drive::Rotation{options.rpm, "given by --rpm"};
  if (profile != nullptr && profile->rotation_rate() > 1) {
    return drive::Rotation{static_cast<std::uint64_t>(profile->rotation_rate()), "the profile " + profile->name};
  }
  if (auto estimated = drive::estimated_rotation(curve)) return estimated;
  throw UsageError(
      "no profile was written: how fast the drive turns is not known, and its latencies do not tell; give "
      "it with --rpm (its data sheet or smartctl --info DEVICE name it)");
}

ExitCode measure_and_write(Session& session, const MeasureOptions& options) {
  if (!session.commands().find("fio")) {
    throw HostError("drives are measured by fio, which is not installed; try: apt-get install fio");
  }
  const bool is_profile = options.target.ends_with(".toml") || options.target.find('/') == std::string::npos;
  std::optional<spec::Profile> profile;
  if (is_profile) profile = session.load_profile(options.target);
  const auto name = (is_profile ? profile->name : slug(fs::path(options.target).filename().string())) + "-measured";
  const auto folder = options.folder.empty() ? fs::path("reports") / ("drive-" + name) : options.folder;
  const auto written = folder / (name + ".toml");
  if (fs::exists(written)) {
    throw UsageError(written.string() + " exists already; choose another folder with --to, or remove it");
  }

  const auto curve = is_profile ? measure_simulated(session, options, *profile)
                                : measure(session, options, {options.target, ""}, device_facts(options.target));
  fmt::print("{}\n", drive::curve_text(curve));
  make_folders(folder);
  const auto picture = folder / (name + ".svg");
  try {
    const auto now = iso8601(session.clock().utc());
    const auto rotation = rotation_of(options, profile ? &*profile : nullptr, curve);
    const auto fitted = drive::fit_profile(curve, rotation, now.substr(0, 10));
    const auto text =
        drive::to_toml(fitted, fmt::format("Written by swaprig drive measure {} on {}.", options.target, now));
    spec::parse_profile(text, written.string());
    write_file_durably(written, text);
    write_picture(session, curve, &fitted.rates, picture);
    fmt::print("profile: {}{}; the measured places lie at most {:.1f} % from its curve\n", written.string(),
               rotation ? fmt::format(", {} rpm ({})", rotation->rpm, rotation->source) : ", a drive without an arm",
               drive::worst_distance(fitted.rates, curve.points()) * 100);
  } catch (const Error&) {
    write_picture(session, curve, nullptr, picture);
    throw;
  }
  return ExitCode::ok;
}

}  // namespace

Verb add_drive_measure(CLI::App& drive) {
  const auto options = std::make_shared<MeasureOptions>();
  auto* verb =
      drive.add_subcommand("measure", "Read a drive here and there: its curve, and a profile to simulate it by");
  verb->add_option("TARGET", options->target, "A block device (it is only read), or a drive profile's name or file")
      ->required();
  verb->add_option("--rpm", options->rpm, "How fast the drive turns, when it does not tell")
      ->check(CLI::Range(60, 100000));
  verb->add_option("--seconds", options->seconds, "For each of the readings (default: 4)")
      ->check(CLI::Range(0.2, 600.0));
  verb->add_option("--places", options->places, "Along the drive (default: 9)")->check(CLI::Range(2, 100));
  verb->add_option("--to", options->folder, "Folder (default: reports/drive-NAME-measured)");
  return {verb, [options](Session& session) { return measure_and_write(session, *options); }};
}

}  // namespace swaprig::cli
