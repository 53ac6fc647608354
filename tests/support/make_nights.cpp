// Fills a store with nights of an experiment, as if it had run for months: for tests of what looks at many, and for the
// bench of the store. The times are made up: 600 s times the arm's number, a scatter of 0.5 %, and what is planted.
//   make_nights STATE EXPERIMENT.toml SOURCE-FOLDER NIGHTS SEED [STEP-NIGHT FACTOR]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <random>

#include "base/files.hpp"
#include "base/version.hpp"
#include "plan/plan.hpp"
#include "spec/experiment.hpp"
#include "store/store.hpp"
#include "support/sample_evidence.hpp"

namespace {

using namespace swaprig;

struct Wish {
  std::filesystem::path state;
  std::filesystem::path file;
  spec::Library library;
  int nights = 0;
  unsigned seed = 1;
  int step_night = -1;
  double factor = 1;
};

store::BatchRow batch_of(const spec::Experiment& experiment, int night, int planned) {
  store::BatchRow batch;
  batch.started = parse_iso8601("2026-01-01T20:00:00.000Z") + std::chrono::hours(24 * night);
  auto time = iso8601(batch.started).substr(0, 19);
  std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
  char mark[8];
  std::snprintf(mark, sizeof mark, "-%04x", static_cast<unsigned>(night) & 0xffffU);
  batch.id = time + mark;
  batch.experiment = experiment.name;
  batch.title = experiment.title;
  batch.toml = experiment.text;
  batch.canonical = experiment.canonical;
  batch.files = spec::used_files(experiment);
  batch.image_digest = "0123abcd";
  batch.swaprig_version = k_version;
  batch.seed = experiment.runs.seed;
  batch.planned_runs = planned;
  batch.host_facts = {{"CPU", "made up"}, {"kernel", "6.1"}, {"QEMU", "7.2"}, {"governor", "performance"}};
  return batch;
}

void fill(const Wish& wish) {
  const auto experiment =
      spec::parse_experiment(read_file(wish.file), wish.file.string(), wish.library, spec::Extent::full);
  const auto planned = plan::make_plan(experiment);
  std::map<std::string, int> numbers;
  for (const auto& scenario : experiment.scenarios) numbers.emplace(scenario.name, static_cast<int>(numbers.size()) + 1);
  std::mt19937 random(wish.seed);
  std::normal_distribution<double> noise(0, 0.005);
  make_folders(wish.state);
  store::Store store(wish.state);
  for (int night = 0; night < wish.nights; ++night) {
    const auto batch = batch_of(experiment, night, static_cast<int>(planned.size()));
    store.add_batch(batch);
    auto at = batch.started;
    for (const auto& one : planned) {
      run::RunRecord record;
      record.id = batch.id + "-b" + std::to_string(one.block) + "p" + std::to_string(one.position) + "a1";
      record.experiment = experiment.name;
      record.batch = batch.id;
      record.block = one.block;
      record.position = one.position;
      record.arm = one.arm;
      record.scenario = one.scenario;
      record.state = run::State::valid;
      record.started = at;
      at += std::chrono::minutes(11);
      record.ended = at;
      record.evidence = testing::valid_evidence();
      double seconds = 600.0 * numbers.at(one.scenario) * std::exp(noise(random));
      if (wish.step_night >= 0 && night >= wish.step_night && numbers.at(one.scenario) == 1) seconds *= wish.factor;
      record.evidence.workload.wall_ns = static_cast<std::int64_t>(seconds * 1e9);
      store.begin(record);
      store.record(record);
    }
    store.end_batch(batch.id, at);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "usage: make_nights STATE EXPERIMENT.toml SOURCE-FOLDER NIGHTS SEED [STEP-NIGHT FACTOR]\n");
    return 2;
  }
  try {
    Wish wish{argv[1], argv[2], {}, std::stoi(argv[4]), static_cast<unsigned>(std::stoul(argv[5])), -1, 1};
    const std::filesystem::path library(argv[3]);
    wish.library.profiles_folder = (library / "experiments" / "drives").string();
    wish.library.published_folder = (library / "experiments" / "published").string();
    if (argc > 7) {
      wish.step_night = std::stoi(argv[6]);
      wish.factor = std::stod(argv[7]);
    }
    fill(wish);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_nights: %s\n", error.what());
    return 1;
  }
}
