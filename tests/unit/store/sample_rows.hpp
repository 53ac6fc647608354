#pragma once

#include <string>

#include "store/store.hpp"
#include "support/sample_evidence.hpp"

namespace swaprig::testing {

inline UtcTime at_second(int second) {
  return parse_iso8601("2026-11-30T19:00:00.000Z") + std::chrono::seconds(second);
}

inline store::BatchRow sample_batch(const std::string& id = "b1", const std::string& experiment = "quickstart") {
  store::BatchRow batch;
  batch.id = id;
  batch.experiment = experiment;
  batch.title = "Does placement matter?";
  batch.started = at_second(0);
  batch.toml = "schema = 1\n# \xC3\xA4\n";
  batch.canonical = "schema = 1\n";
  batch.profiles = {{"wd20earx", "schema = 1\n"}};
  batch.quick = true;
  batch.image_digest = "0123abcd";
  batch.swaprig_version = "0.1.0";
  batch.seed = UINT64_MAX;
  batch.planned_runs = 12;
  batch.host_facts = {{"CPU", "x"}, {"a \"quoted\"\nname", "<b>"}, {"CPU", "again"}};
  return batch;
}

inline run::RunRecord sample_run(const std::string& id, int block = 1, int position = 1, int attempt = 1) {
  run::RunRecord run;
  run.id = id;
  run.experiment = "quickstart";
  run.batch = "b1";
  run.block = block;
  run.position = position;
  run.attempt = attempt;
  run.arm = run.scenario = "start of the drive";
  run.state = run::State::valid;
  run.started = at_second(10);
  run.ended = at_second(40);
  run.evidence = valid_evidence();
  return run;
}

}  // namespace swaprig::testing
