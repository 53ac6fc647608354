// Every file of tests/specs/bad with the exact text that it gets, every file of tests/specs/good with what was read.
// SWAPRIG_REGENERATE=1 writes the .expected files anew.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/diagnostic.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "spec/experiment.hpp"
#include "spec/image.hpp"
#include "spec/placement.hpp"
#include "spec/published.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"

using namespace swaprig;
namespace fs = std::filesystem;

namespace {

/// Profiles and studies by name come from those of swaprig itself.
spec::Library known() {
  spec::Library library{{"quickstart", "debian-ghc", "filesystems"}, (testing::source_folder() / "experiments" / "drives").string()};
  library.published_folder = (testing::source_folder() / "experiments" / "published").string();
  return library;
}

fs::path specs_folder() { return testing::source_folder() / "tests" / "specs"; }

std::vector<fs::path> files_in(const char* folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(specs_folder() / folder)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool is_image(const fs::path& path) {
  const auto name = path.filename().string();
  return name.starts_with("image-") && !name.starts_with("image-on-");
}

bool is_study(const fs::path& path) { return path.filename().string().starts_with("published-"); }

/// The error's text with the folder of the sources taken out of it.
std::string without_folder(std::string text) {
  const auto folder = specs_folder().string() + '/';
  for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder)) text.erase(at, folder.size());
  return text;
}

std::string fault_text(const fs::path& path) {
  try {
    if (is_image(path)) {
      spec::load_image(path.string());
    } else if (is_study(path)) {
      spec::load_published(path.string());
    } else {
      spec::load_experiment(path.string(), known());
    }
    return "no fault found\n";
  } catch (const BadInput& input) {
    std::string text;
    for (const auto& diagnostic : input.diagnostics()) text += render(diagnostic, input.source());
    return without_folder(text);
  }
}

std::string describe(const spec::Guest& guest) {
  auto text = fmt::format("{}, {}, {} vcpus, accel {}, boot {}", guest.image, exact(guest.memory), guest.vcpus,
                          static_cast<int>(guest.accel), exact(Nanoseconds(guest.boot_timeout)));
  if (guest.root_data != spec::RootData::start) text += fmt::format(", root data {}", static_cast<int>(guest.root_data));
  for (const auto& argument : guest.kernel_arguments) text += " " + argument;
  for (const auto& [name, value] : guest.sysctl) text += fmt::format(" {}={}", name, value);
  return text + "\n";
}

std::string describe(const spec::SimulatedBacking& backing) {
  auto text = fmt::format("  {}: queue depth {}, time scale {}, vanishes {}{}\n", backing.profile.title,
                          backing.profile.parameters.queue_depth, backing.time_scale,
                          backing.vanish ? exact(Nanoseconds(*backing.vanish)) : "never",
                          backing.room ? ", room " + exact(*backing.room) : "");
  for (const auto& bad : backing.bad) {
    text += fmt::format("  bad: {} from {}, operation {}, after {}\n", exact(bad.size), exact(bad.offset),
                        static_cast<int>(bad.operation), exact(Nanoseconds(bad.after)));
  }
  return text;
}

std::string describe(const spec::DeviceBacking& backing, const spec::Drive& drive) {
  return fmt::format("  {} {}, serial {}, scheduler {}, read-ahead {}, discard {}, io {}, position means {}\n",
                     backing.one_partition ? "partition" : "device", backing.path, backing.serial, backing.scheduler,
                     backing.read_ahead ? exact(*backing.read_ahead) : "as it is", backing.discard, drive.io,
                     drive.position_means_something() ? "something" : "nothing");
}

std::string describe(const spec::Experiment& experiment) {
  auto text = fmt::format("{}: {} (baseline: {})\nguest: {}", experiment.name, printable_line(experiment.title),
                          printable_line(experiment.baseline), describe(experiment.guest));
  spec::GuestPaths paths;
  char letter = 'a';
  for (const auto& drive : experiment.drives) {
    text += fmt::format("drive {}: {}, bus {}\n", printable_line(drive.name), exact(drive.size()),
                        static_cast<int>(drive.bus));
    if (const auto* simulated = drive.simulated()) text += describe(*simulated);
    if (const auto* device = drive.device()) text += describe(*device, drive);
    int number = 0;
    for (const auto& partition : drive.partitions) {
      const spec::PartitionRef ref{drive.name, partition.name};
      paths.device[ref] = fmt::format("/dev/vd{}{}", letter, ++number);
      paths.mount_point[ref] = partition.holds_image ? "/" : fmt::format("/run/swaprig/fs/{}{}", letter, number);
      text += fmt::format(
          "  {}: {} {}{}\n", printable_line(partition.name), partition.size ? exact(*partition.size) : "rest",
          to_string(partition.type), partition.holds_image ? ", the image" : "");
    }
    ++letter;
  }
  for (const auto& scenario : experiment.scenarios) {
    text += fmt::format("scenario {}: expect_swap {}, {}", printable_line(scenario.name), scenario.expect_swap,
                        describe(scenario.guest));
    if (scenario.on) text += fmt::format("  works on {}.{}\n", scenario.on->drive, scenario.on->partition);
    for (const auto& area : scenario.swap) {
      const auto& kind = spec::placement_kind(area.kind);
      for (const auto& step : kind.place(area, paths)) text += fmt::format("  {}\n", join(step.command, " "));
      const auto expected = kind.expected(area, paths);
      text += fmt::format("  -> {} {} {} {}\n", expected.path, expected.type, exact(expected.usable),
                          expected.priority.value_or(-1));
    }
  }
  const auto& workload = experiment.workload;
  text += fmt::format("workload {} [{}] as {} in {}: {}\n", workload.kind, workload.summary, workload.user,
                      workload.directory, join(workload.command, " "));
  for (const auto& [name, value] : workload.environment) text += fmt::format("  {}={}\n", name, value);
  if (!workload.prepare.empty()) text += fmt::format("  prepare: {}\n", workload.prepare);
  if (workload.cores != 0 || workload.nice != 0 || !workload.verify.empty()) {
    text += fmt::format("  cores {} nice {} output {} verify: {}\n", workload.cores, workload.nice, exact(workload.output),
                        workload.verify);
  }
  if (workload.creation) {
    text += fmt::format("  {} times, at most {}, {} written:\n", workload.creation->repeat,
                        exact(workload.creation->largest()), exact(workload.creation->written()));
    for (const auto& cell : workload.creation->cells) text += fmt::format("  {}\n", in_words(cell));
  }
  const auto& runs = experiment.runs;
  text +=
      fmt::format("runs: {} order {} seed {} score {} aa {} timeout {} sample {} min_swap {} {} precision {}\n",
                  runs.count, static_cast<int>(runs.order), runs.seed, static_cast<int>(runs.score), runs.aa,
                  exact(Nanoseconds(runs.timeout)), exact(Nanoseconds(runs.sample)), runs.min_swap.fraction_of_memory,
                  runs.min_swap.bytes ? exact(*runs.min_swap.bytes) : "-", runs.precision.value_or(0));
  if (experiment.reference) {
    text += fmt::format("beside {}:", experiment.reference->study.title);
    for (const auto& [published, own] : experiment.reference->scenarios)
      text += fmt::format(" {} is {};", published, own);
    text += "\n";
  }
  return text + "\n" + experiment.canonical;
}

std::string describe(const spec::Image& image) {
  auto text =
      fmt::format("{}: {}, {}, kernel {}, modules {}, setup {}\n", image.name, image.suite, join(image.packages, " "),
                  image.kernel_package, join(image.modules, " "), join(image.setup, "; "));
  for (const auto& source : image.sources) {
    text += fmt::format("  {} from {} {} {}\n", source.to, fs::path(source.from).filename().string(), source.proof,
                        static_cast<int>(source.kind));
  }
  for (const auto& file : image.files) {
    text += fmt::format("  {} {:04o}: {}\n", file.to, file.mode, printable_line(file.text));
  }
  return text;
}

std::string describe(const spec::Published& study) {
  auto text = fmt::format("{}: {}, {}, {}, {}, {}\nconditions {}; notes {}\n", study.name, study.title, study.author,
                          study.date, study.address.value_or("-"), study.figure, join(study.conditions, ", "),
                          join(study.notes, ", "));
  for (const auto& [key, words] : study.setup) text += fmt::format("  {}: {}\n", key, words);
  for (const auto& time : study.scenarios) {
    text += fmt::format("scenario {}: {} s, excess {:.4f}\n", time.scenario, time.seconds, study.excess(time.scenario));
  }
  for (const auto& file : study.files) {
    text += fmt::format("file by {} {} of {}: {} s, user {}, sys {}, rate {}\n", file.method,
                        file.block ? exact(*file.block) : "-", exact(file.size), file.real_s, file.user_s.value_or(-1),
                        file.sys_s.value_or(-1), file.rate ? exact(*file.rate) : "-");
  }
  return text;
}

std::string good_text(const fs::path& path) {
  try {
    if (is_study(path)) return describe(spec::load_published(path.string()));
    return is_image(path) ? describe(spec::load_image(path.string()))
                          : describe(spec::load_experiment(path.string(), known()));
  } catch (const BadInput& input) {
    return input.what();
  }
}

void check_expected(const fs::path& path, const std::string& text) {
  auto expected = path;
  expected.replace_extension(".expected");
  if (std::getenv("SWAPRIG_REGENERATE") != nullptr) std::ofstream(expected, std::ios::binary) << text;
  INFO(path);
  REQUIRE(fs::exists(expected));
  CHECK(text == read_file(expected));
}

}  // namespace

TEST_CASE("bad files get exactly the expected text") {
  const auto files = files_in("bad");
  REQUIRE(files.size() > 60);
  for (const auto& path : files) {
    const auto text = fault_text(path);
    check_expected(path, text);
    CHECK(text.find("no fault found") == std::string::npos);
    CHECK(is_utf8(text));
    CHECK(text.find('\x1B') == std::string::npos);
  }
}

TEST_CASE("good files are read as expected") {
  const auto files = files_in("good");
  REQUIRE(files.size() >= 5);
  for (const auto& path : files) check_expected(path, good_text(path));
}

TEST_CASE("the experiments that come with swaprig are good") {
  for (const auto& entry : fs::directory_iterator(testing::source_folder() / "experiments")) {
    if (entry.path().extension() != ".toml") continue;
    INFO(entry.path());
    auto library = known();
    library.images = spec::image_names((testing::source_folder() / "images").string());
    REQUIRE_FALSE(spec::profile_names(library.profiles_folder).empty());
    CHECK_NOTHROW(spec::load_experiment(entry.path().string(), library));
  }
}

TEST_CASE("the studies that come with swaprig are good, and give the ratios that were published") {
  const auto folder = known().published_folder;
  REQUIRE(spec::published_names(folder) == std::vector<std::string>{"swap-on-hdd-2021", "swapfile-creation-2017"});
  const auto swap = spec::load_published(folder + "/swap-on-hdd-2021.toml");
  CHECK(swap.scenarios.size() == 6);
  CHECK(swap.excess("RAM only") == 0);
  CHECK(swap.excess("NVMe") == Approx(0.186).margin(0.001));
  CHECK(swap.excess("SATA SSD") == Approx(0.395).margin(0.001));
  CHECK(swap.excess("start of the HDD") == 1);
  CHECK(swap.excess("swap file on the HDD") == Approx(1.585).margin(0.001));
  CHECK(swap.excess("end of the HDD") == Approx(1.951).margin(0.001));
  const auto creation = spec::load_published(folder + "/swapfile-creation-2017.toml");
  REQUIRE(creation.files.size() == 7);
  CHECK(creation.files[2].size == gib(4));
  CHECK(creation.files[6].real_s / creation.files[2].real_s == Approx(755).margin(0.5));
  CHECK(creation.files[6].block == kib(16));
  CHECK(creation.files[6].rate == Bytes{949'000'000});
}
