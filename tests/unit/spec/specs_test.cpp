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
#include "support/catch.hpp"
#include "support/golden.hpp"

using namespace swaprig;
namespace fs = std::filesystem;

namespace {

/// Profiles by name come from those of swaprig itself.
spec::Library known() {
  return {{"quickstart", "debian-ghc", "filesystems"}, (testing::source_folder() / "experiments" / "drives").string()};
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
  auto text = fmt::format("  {}: queue depth {}, time scale {}, vanishes {}\n", backing.profile.title,
                          backing.profile.parameters.queue_depth, backing.time_scale,
                          backing.vanish ? exact(Nanoseconds(*backing.vanish)) : "never");
  for (const auto& bad : backing.bad) {
    text += fmt::format("  bad: {} from {}, operation {}, after {}\n", exact(bad.size), exact(bad.offset),
                        static_cast<int>(bad.operation), exact(Nanoseconds(bad.after)));
  }
  return text;
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

std::string good_text(const fs::path& path) {
  try {
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
