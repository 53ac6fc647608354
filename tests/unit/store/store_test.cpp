#include "store/store.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include "base/files.hpp"
#include "sample_rows.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::testing;
using run::State;
using store::Store;

namespace {

/// Another swaprig that does something and is then killed: nothing is closed.
void in_killed_process(const std::function<void()>& action) {
  const auto child = ::fork();
  if (child == 0) {
    try {
      action();
      ::_exit(0);
    } catch (...) {
      ::_exit(1);
    }
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
}

std::vector<std::string> ids_of(const std::vector<run::RunRecord>& runs) {
  std::vector<std::string> ids;
  for (const auto& run : runs) ids.push_back(run.id);
  return ids;
}

std::string usage_message(const std::function<void()>& action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a batch comes back as it went in") {
  const TemporaryFolder folder;
  const auto batch = sample_batch();
  {
    Store store(folder.path() / "new" / "state");
    store.add_batch(batch);
  }
  Store store(folder.path() / "new" / "state");
  const auto back = store.batch("b1");
  REQUIRE(back.has_value());
  CHECK(back->experiment == batch.experiment);
  CHECK(back->title == batch.title);
  CHECK(back->started == batch.started);
  CHECK_FALSE(back->ended.has_value());
  CHECK(back->toml == batch.toml);
  CHECK(back->profiles == batch.profiles);
  CHECK(back->canonical == batch.canonical);
  CHECK(back->quick);
  CHECK(back->image_digest == batch.image_digest);
  CHECK(back->swaprig_version == batch.swaprig_version);
  CHECK(back->seed == UINT64_MAX);
  CHECK(back->planned_runs == 12);
  CHECK(back->host_facts == batch.host_facts);
  CHECK_FALSE(store.batch("b2").has_value());

  store.end_batch("b1", at_second(99));
  CHECK(store.batch("b1")->ended == at_second(99));
}

TEST_CASE("a run comes back with its evidence, byte for byte") {
  const TemporaryFolder folder;
  auto run = sample_run("r1");
  run.state = State::failed;
  run.reasons = {{"panic", "Kernel panic\n\"quoted\""}, {"no swap traffic", "swapped in 0 B"}};
  run.judge_version = 7;
  run.evidence.console_tail = std::string("\xff\0\x1b[0m", 6);
  {
    Store store(folder.path());
    store.add_batch(sample_batch());
    store.begin(run);
    store.record(run);
  }
  Store store(folder.path(), true);
  const auto back = store.find_run("r1");
  CHECK(back.id == "r1");
  CHECK(back.experiment == "quickstart");
  CHECK(back.batch == "b1");
  CHECK(back.state == State::failed);
  CHECK(back.reasons == run.reasons);
  CHECK(back.judge_version == 7);
  CHECK(back.started == run.started);
  CHECK(back.ended == run.ended);
  CHECK(run::evidence_to_json(back.evidence) == run::evidence_to_json(run.evidence));
  CHECK(back.evidence.console_tail == run.evidence.console_tail);
}

TEST_CASE("what was stored survives a kill, and a torn run becomes aborted (case 14)") {
  const TemporaryFolder folder;
  in_killed_process([&] {
    auto* store = new Store(folder.path());
    store->add_batch(sample_batch());
    store->begin(sample_run("r1"));
    store->record(sample_run("r1"));
    store->begin(sample_run("r2", 1, 2));
  });
  Store store(folder.path());
  auto runs = store.runs("b1");
  REQUIRE(ids_of(runs) == std::vector<std::string>{"r1", "r2"});
  CHECK(runs[0].state == State::valid);
  CHECK(runs[1].state == State::running);

  CHECK(store.abort_torn_runs("another") == 0);
  CHECK(store.abort_torn_runs("b1") == 1);
  CHECK(store.abort_torn_runs("b1") == 0);
  runs = store.runs("b1");
  CHECK(runs[0].state == State::valid);
  CHECK(runs[1].state == State::aborted);
  REQUIRE(runs[1].reasons.size() == 1);
  CHECK(run::is_reason_code(runs[1].reasons[0].code));

  SECTION("and is done again under a new id") {
    store.begin(sample_run("r3", 1, 2));
    store.record(sample_run("r3", 1, 2));
    CHECK(ids_of(store.runs("b1")) == std::vector<std::string>{"r1", "r2", "r3"});
  }
}

TEST_CASE("a stored state is never rewritten") {
  const TemporaryFolder folder;
  Store store(folder.path());
  store.add_batch(sample_batch());
  store.record(sample_run("r1"));  // without begin: found unsupported, say, before it ran
  auto again = sample_run("r1");
  again.state = State::failed;
  CHECK_THROWS_AS(store.record(again), store::StoreError);
  CHECK_THROWS_AS(store.begin(again), store::StoreError);
  CHECK(store.find_run("r1").state == State::valid);
  CHECK_THROWS_AS(store.add_batch(sample_batch()), store::StoreError);
}

TEST_CASE("a run of no batch is refused") {
  const TemporaryFolder folder;
  Store store(folder.path());
  CHECK_THROWS_AS(store.begin(sample_run("r1")), store::StoreError);
  CHECK(store.runs("b1").empty());
}

TEST_CASE("runs come in the order of the plan, attempts in order; batches newest first") {
  const TemporaryFolder folder;
  Store store(folder.path());
  store.add_batch(sample_batch());
  auto newer = sample_batch("b2");
  newer.title = "Newer";
  newer.started = at_second(1000);
  store.add_batch(newer);
  store.add_batch(sample_batch("b3", "another"));
  store.record(sample_run("d", 2, 1));
  store.record(sample_run("c", 1, 2, 2));
  store.record(sample_run("b", 1, 1));
  auto invalid = sample_run("a", 1, 2, 1);
  invalid.state = State::invalid;
  store.record(invalid);
  CHECK(ids_of(store.runs("b1")) == std::vector<std::string>{"b", "a", "c", "d"});

  const auto batches = store.batches("quickstart");
  REQUIRE(batches.size() == 2);
  CHECK(batches[0].id == "b2");
  CHECK(batches[1].id == "b1");

  const auto experiments = store.experiments();
  REQUIRE(experiments.size() == 2);
  CHECK(experiments[0].name == "another");
  CHECK(experiments[0].runs == 0);
  CHECK(experiments[1].name == "quickstart");
  CHECK(experiments[1].title == "Newer");
  CHECK(experiments[1].batches == 2);
  CHECK(experiments[1].runs == 4);
  CHECK(experiments[1].valid == 3);
  CHECK(experiments[1].last_batch == "b2");
  CHECK(experiments[1].last_started == at_second(1000));
}

TEST_CASE("a run is found by its id or by a unique beginning of it") {
  const TemporaryFolder folder;
  Store store(folder.path());
  store.add_batch(sample_batch());
  for (const char* id : {"2026-a1", "2026-a12", "2026-b%", "2027"}) store.record(sample_run(id));
  CHECK(store.find_run("2026-a12").id == "2026-a12");
  CHECK(store.find_run("2026-a1").id == "2026-a1");  // an id of its own, though others begin with it
  CHECK(store.find_run("2026-b").id == "2026-b%");
  CHECK(store.find_run("2027").id == "2027");
  CHECK(holds(usage_message([&] { store.find_run("2026"); }), "3 runs begin with 2026"));
  CHECK(holds(usage_message([&] { store.find_run("2026"); }), "2026-a1, 2026-a12, 2026-b%"));
  for (const char* unknown : {"", "%", "_026", "2026-a123", "x"}) {
    CHECK(holds(usage_message([&] { store.find_run(unknown); }), "no run has the id"));
  }
}

TEST_CASE("many candidates are not all named") {
  const TemporaryFolder folder;
  Store store(folder.path());
  store.add_batch(sample_batch());
  for (int i = 10; i < 20; ++i) store.begin(sample_run("r" + std::to_string(i)));
  const auto message = usage_message([&] { store.find_run("r"); });
  CHECK(holds(message, "10 runs begin with r"));
  CHECK(holds(message, "r17, ..."));
}

TEST_CASE("earlier durations are medians of valid runs, by scenario") {
  const TemporaryFolder folder;
  Store store(folder.path());
  store.add_batch(sample_batch());
  int position = 0;
  const auto add = [&](const std::string& scenario, int seconds, State state) {
    ++position;
    auto run = sample_run("r" + std::to_string(position), 1, position);
    run.scenario = scenario;
    run.ended = run.started + std::chrono::seconds(seconds);
    run.state = state;
    store.record(run);
  };
  for (const int seconds : {30, 10, 50}) add("three", seconds, State::valid);
  for (const int seconds : {10, 20}) add("two", seconds, State::valid);
  add("two", 1000, State::failed);
  add("none", 1000, State::invalid);
  const auto durations = store.earlier_durations("quickstart");
  REQUIRE(durations.size() == 2);
  CHECK(durations.at("three").count() == 30);
  CHECK(durations.at("two").count() == 15);
  CHECK(store.earlier_durations("another").empty());
}

TEST_CASE("odd names are only names") {
  const TemporaryFolder folder;
  Store store(folder.path());
  for (const std::string name : {"it's", "\"; DROP TABLE runs; --", "two\nlines",
                                 "Gr\xC3\xB6\xC3\x9F"
                                 "e",
                                 "a,b", "<script>", "%", " "}) {
    auto batch = sample_batch("batch of " + name, name);
    batch.title = name;
    store.add_batch(batch);
    auto run = sample_run("run of " + name);
    run.batch = batch.id;
    run.experiment = run.arm = run.scenario = name;
    store.record(run);
    CHECK(store.batches(name).at(0).title == name);
    CHECK(store.runs(batch.id).at(0).scenario == name);
    CHECK(store.find_run(run.id).arm == name);
    CHECK(store.earlier_durations(name).count(name) == 1);
  }
  CHECK(store.experiments().size() == 8);
}

TEST_CASE("two swaprigs share one store") {
  const TemporaryFolder folder;
  Store first(folder.path());
  Store second(folder.path());
  Store reader(folder.path(), true);
  first.add_batch(sample_batch());
  second.record(sample_run("r1"));
  first.record(sample_run("r2", 1, 2));
  CHECK(reader.runs("b1").size() == 2);
}

TEST_CASE("evidence is stored compressed") {
  const TemporaryFolder folder;
  Store store(folder.path());
  store.add_batch(sample_batch());
  auto run = sample_run("r1");
  for (int i = 0; i < 2000; ++i) run.evidence.samples.push_back(run.evidence.samples.back());
  store.record(run);
  CHECK(run::evidence_to_json(run.evidence).size() > 300000);
  CHECK(std::filesystem::file_size(folder.path() / "results.db-wal") < 200000);
  CHECK(store.find_run("r1").evidence.samples.size() == 2002);
}
