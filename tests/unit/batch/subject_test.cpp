#include "batch/experiment_batch.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"

using namespace swaprig;
using namespace swaprig::testing;

TEST_CASE("a stored batch brings the study it refers to, whatever became of the file") {
  const auto path = (source_folder() / "tests" / "specs" / "good" / "reference.toml").string();
  const auto experiment = spec::load_experiment(path, {{"quickstart"}});
  const TemporaryFolder folder;
  {
    store::Store store(folder.path());
    store::BatchRow batch;
    batch.id = "20261130T192139-4f2a";
    batch.experiment = experiment.name;
    batch.started = parse_iso8601("2026-11-30T19:21:39.000Z");
    batch.toml = experiment.text;
    batch.canonical = experiment.canonical;
    batch.files = spec::used_files(experiment);
    store.add_batch(batch);
  }
  store::Store store(folder.path(), true);
  const auto subject = batch::subject_of(store, "20261130T192139-4f2a");
  REQUIRE(subject.experiment.reference);
  CHECK(subject.experiment.reference->study.author == "Somebody");
  CHECK(subject.experiment.reference->scenarios == experiment.reference->scenarios);
  CHECK(subject.experiment.canonical == experiment.canonical);
}
