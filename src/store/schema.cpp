#include "store/schema.hpp"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>

#include <array>

#include "store/store.hpp"

namespace swaprig::store {

namespace {

/// "SwRg": tells our files from other programs' (PRAGMA application_id).
constexpr int k_application_id = 0x53775267;

/// Step N-1 makes schema N of schema N-1. Steps that were released are never changed; a new one is added at the end and
/// Store::k_schema_version raised. Times are ISO 8601 in UTC, so that they sort as text.
/// Evidence has a table of its own, so that lists of runs do not read it. Consoles and domain XML are no rows: they lie
/// in STATE/runs/BATCH/RUN (console.log, domain.xml).
constexpr std::array<const char*, Store::k_schema_version> k_steps{
    R"sql(
CREATE TABLE batches (
  id              TEXT PRIMARY KEY,
  experiment      TEXT NOT NULL,
  title           TEXT NOT NULL,
  started         TEXT NOT NULL,
  ended           TEXT,
  toml            TEXT NOT NULL,
  canonical       TEXT NOT NULL,
  image_digest    TEXT NOT NULL,
  swaprig_version TEXT NOT NULL,
  seed            TEXT NOT NULL,     -- 0 to 2^64-1, which no INTEGER holds
  planned_runs    INTEGER NOT NULL,
  host_facts      TEXT NOT NULL      -- JSON: [[name, value], ...]
);
CREATE INDEX batches_by_experiment ON batches (experiment, started);

CREATE TABLE runs (
  number        INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  batch         TEXT NOT NULL REFERENCES batches (id),
  experiment    TEXT NOT NULL,
  block         INTEGER NOT NULL,
  position      INTEGER NOT NULL,
  attempt       INTEGER NOT NULL,
  arm           TEXT NOT NULL,
  scenario      TEXT NOT NULL,
  state         TEXT NOT NULL CHECK
                (state IN ('running', 'valid', 'invalid', 'failed', 'unsupported', 'aborted')),
  reasons       TEXT NOT NULL,       -- JSON: [{"code": ..., "text": ...}, ...], the weightiest first
  judge_version INTEGER NOT NULL,
  started       TEXT NOT NULL,
  ended         TEXT,
  wall_s        REAL,                -- of the workload, on the guest's clock
  whole_run_s   REAL                 -- from started to ended
);
CREATE INDEX runs_by_plan ON runs (batch, block, position, attempt);
CREATE INDEX runs_by_experiment ON runs (experiment, state);

CREATE TABLE evidence (
  run   INTEGER PRIMARY KEY REFERENCES runs (number),
  codec TEXT NOT NULL,               -- 'zlib'
  size  INTEGER NOT NULL,            -- of the JSON in bytes
  json  BLOB NOT NULL
);
)sql",
    R"sql(
ALTER TABLE batches ADD COLUMN profiles TEXT NOT NULL DEFAULT '{}';  -- JSON: {name: TOML}
)sql",
    R"sql(
ALTER TABLE batches ADD COLUMN quick INTEGER NOT NULL DEFAULT 0;
)sql"};

int pragma(SQLite::Database& database, const char* name) {
  return database.execAndGet(fmt::format("PRAGMA {}", name)).getInt();
}

void require_not_newer(int version, const std::filesystem::path& path) {
  if (version <= Store::k_schema_version) return;
  throw StoreError(
      fmt::format("{} has schema {}, this swaprig knows schemas up to {}: it was written by a newer swaprig; "
                  "use that one, or another --state",
                  path.string(), version, Store::k_schema_version));
}

/// One step under the write lock; false when the file is at the newest schema. Another process may be doing the same.
bool step_forward(SQLite::Database& database, const std::filesystem::path& path) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  const int version = pragma(database, "user_version");
  require_not_newer(version, path);
  if (version == Store::k_schema_version) return false;
  database.exec(k_steps.at(static_cast<std::size_t>(version)));
  database.exec(fmt::format("PRAGMA application_id = {}", k_application_id));
  database.exec(fmt::format("PRAGMA user_version = {}", version + 1));
  transaction.commit();
  return true;
}

}  // namespace

bool is_blank(SQLite::Database& database) {
  return pragma(database, "user_version") == 0 &&
         database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
}

void require_known_schema(SQLite::Database& database, const std::filesystem::path& path) {
  if (!is_blank(database) && pragma(database, "application_id") != k_application_id) {
    throw StoreError(
        fmt::format("{} is a SQLite file of another program; move it away or use another --state", path.string()));
  }
  require_not_newer(pragma(database, "user_version"), path);
}

void require_newest_schema(SQLite::Database& database, const std::filesystem::path& path) {
  require_known_schema(database, path);
  const int version = pragma(database, "user_version");
  if (version == Store::k_schema_version) return;
  throw StoreError(
      fmt::format("{} has the old schema {}, this swaprig reads schema {}; a command that writes (swaprig run) "
                  "brings it up to date",
                  path.string(), version, Store::k_schema_version));
}

void bring_up_to_date(SQLite::Database& database, const std::filesystem::path& path) {
  while (pragma(database, "user_version") != Store::k_schema_version && step_forward(database, path)) {
  }
}

}  // namespace swaprig::store
