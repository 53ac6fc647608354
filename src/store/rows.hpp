#pragma once

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Statement.h>

#include <string>

#include "run/record.hpp"
#include "store/store.hpp"

namespace swaprig::store {

/// What `batch_from` expects, in its order.
inline constexpr const char* k_batch_columns =
    "id, experiment, title, started, ended, toml, canonical, image_digest, swaprig_version, seed, planned_runs, "
    "host_facts, profiles, quick";

/// What `run_from` expects, in its order; of runs joined with evidence.
inline constexpr const char* k_run_columns =
    "runs.id, batch, experiment, block, position, attempt, arm, scenario, state, reasons, judge_version, started, "
    "ended, "
    "evidence.codec, evidence.size, evidence.json";

/// Both throw Error for a value that swaprig did not write so.
BatchRow batch_from(SQLite::Statement& row);
run::RunRecord run_from(SQLite::Statement& row);

std::string facts_to_json(const BatchRow& batch);
std::string profiles_to_json(const BatchRow& batch);
std::string reasons_to_json(const run::RunRecord& run);

}  // namespace swaprig::store
