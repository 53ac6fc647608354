#include "store/store.hpp"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "store/compression.hpp"
#include "store/database.hpp"
#include "store/rows.hpp"

namespace swaprig::store {

namespace {

constexpr int k_shown_candidates = 8;

double seconds_of(const run::RunRecord& run) { return std::chrono::duration<double>(run.ended - run.started).count(); }

Seconds median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto middle = values.size() / 2;
  return Seconds(values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2);
}

bool is_final(run::State state) { return state != run::State::planned && state != run::State::running; }

}  // namespace

struct Store::Impl {
  std::filesystem::path path;
  std::unique_ptr<SQLite::Database> database;

  template <typename Action>
  auto doing(const std::string& what, Action&& action) {
    return guarded(what, path, std::forward<Action>(action));
  }

  SQLite::Statement query(const std::string& sql) { return SQLite::Statement(*database, sql); }

  void insert_running(const run::RunRecord& run) {
    auto row = query(
        "INSERT INTO runs (id, batch, experiment, block, position, attempt, arm, scenario, state, reasons, "
        "judge_version, "
        "started) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'running', '[]', ?, ?)");
    SQLite::bind(row, run.id, run.batch, run.experiment, run.block, run.position, run.attempt, run.arm, run.scenario,
                 run.judge_version, iso8601(run.started));
    row.exec();
  }

  /// Nothing when there is no such run.
  std::optional<std::string> state_of(const std::string& id) {
    auto row = query("SELECT state FROM runs WHERE id = ?");
    row.bind(1, id);
    if (!row.executeStep()) return std::nullopt;
    return row.getColumn(0).getString();
  }

  void finish(const run::RunRecord& run) {
    auto row = query(
        "UPDATE runs SET state = ?, reasons = ?, judge_version = ?, started = ?, ended = ?, wall_s = ?, whole_run_s = "
        "? "
        "WHERE id = ?");
    row.bind(1, run::to_string(run.state));
    row.bind(2, reasons_to_json(run));
    row.bind(3, run.judge_version);
    row.bind(4, iso8601(run.started));
    row.bind(5, iso8601(run.ended));
    if (run.evidence.workload.finished) row.bind(6, run.wall_seconds());  // else null
    row.bind(7, seconds_of(run));
    row.bind(8, run.id);
    row.exec();
  }

  void insert_evidence(const run::RunRecord& run) {
    const auto json = run::evidence_to_json(run.evidence);
    const auto packed = compressed(json);
    auto row =
        query("INSERT INTO evidence (run, codec, size, json) SELECT number, 'zlib', ?, ? FROM runs WHERE id = ?");
    row.bind(1, static_cast<std::int64_t>(json.size()));
    row.bindNoCopy(2, packed.data(), static_cast<int>(packed.size()));
    row.bind(3, run.id);
    row.exec();
  }

  std::vector<run::RunRecord> runs_where(const std::string& condition, const std::string& value) {
    auto row =
        query(fmt::format("SELECT {} FROM runs LEFT JOIN evidence ON evidence.run = runs.number WHERE {} "
                          "ORDER BY block, position, attempt, number",
                          k_run_columns, condition));
    row.bind(1, value);
    std::vector<run::RunRecord> runs;
    while (row.executeStep()) runs.push_back(run_from(row));
    return runs;
  }

  std::vector<BatchRow> batches_where(const std::string& condition, const std::string& value) {
    auto row = query(
        fmt::format("SELECT {} FROM batches WHERE {} ORDER BY started DESC, id DESC", k_batch_columns, condition));
    row.bind(1, value);
    std::vector<BatchRow> batches;
    while (row.executeStep()) batches.push_back(batch_from(row));
    return batches;
  }

  /// The run's whole id: the text itself, or the one id that begins with it.
  std::string full_id(const std::string& text) {
    if (state_of(text)) return text;
    auto row = query("SELECT id FROM runs WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id");
    row.bind(1, text);
    std::vector<std::string> candidates;
    while (!text.empty() && row.executeStep()) candidates.push_back(row.getColumn(0).getString());
    if (candidates.size() == 1) return candidates.front();
    if (candidates.empty()) {
      throw UsageError(fmt::format("no run has the id {}; swaprig list shows what is there", printable_line(text)));
    }
    const auto count = candidates.size();
    candidates.resize(std::min<std::size_t>(count, k_shown_candidates));
    throw UsageError(fmt::format("{} runs begin with {}; give more of the id: {}{}", count, printable_line(text),
                                 join(candidates, ", "), count > candidates.size() ? ", ..." : ""));
  }
};

Store::Store(const std::filesystem::path& folder, bool read_only) : m_impl(std::make_unique<Impl>()) {
  m_impl->path = folder / "results.db";
  m_impl->database = open_database(folder, read_only);
}

Store::~Store() = default;

void Store::begin(const run::RunRecord& run) {
  m_impl->doing("store the start of run " + run.id, [&] { m_impl->insert_running(run); });
}

void Store::record(const run::RunRecord& run) {
  SWAPRIG_ASSERT(is_final(run.state));
  m_impl->doing("store run " + run.id, [&] {
    SQLite::Transaction transaction(*m_impl->database, SQLite::TransactionBehavior::IMMEDIATE);
    const auto state = m_impl->state_of(run.id);
    if (!state) m_impl->insert_running(run);
    if (state && *state != "running") {
      throw StoreError(
          fmt::format("run {} is stored as {} already; stored states are never rewritten", run.id, *state));
    }
    m_impl->finish(run);
    m_impl->insert_evidence(run);
    transaction.commit();
  });
}

void Store::add_batch(const BatchRow& batch) {
  m_impl->doing("store batch " + batch.id, [&] {
    auto row = m_impl->query(
        fmt::format("INSERT INTO batches ({}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", k_batch_columns));
    row.bind(1, batch.id);
    row.bind(2, batch.experiment);
    row.bind(3, batch.title);
    row.bind(4, iso8601(batch.started));
    if (batch.ended) row.bind(5, iso8601(*batch.ended));  // else null
    row.bind(6, batch.toml);
    row.bind(7, batch.canonical);
    row.bind(8, batch.image_digest);
    row.bind(9, batch.swaprig_version);
    row.bind(10, std::to_string(batch.seed));
    row.bind(11, batch.planned_runs);
    row.bind(12, facts_to_json(batch));
    row.bind(13, files_to_json(batch));
    row.bind(14, batch.quick ? 1 : 0);
    row.exec();
  });
}

void Store::end_batch(const std::string& id, UtcTime ended) {
  m_impl->doing("store the end of batch " + id, [&] {
    auto row = m_impl->query("UPDATE batches SET ended = ? WHERE id = ?");
    SQLite::bind(row, iso8601(ended), id);
    SWAPRIG_ASSERT(row.exec() == 1);
  });
}

int Store::abort_torn_runs(const std::string& batch) {
  run::RunRecord torn;
  torn.reasons = {{"interrupted", "swaprig ended before the run did"}};
  return m_impl->doing("close torn runs of batch " + batch, [&] {
    auto row = m_impl->query("UPDATE runs SET state = 'aborted', reasons = ? WHERE batch = ? AND state = 'running'");
    SQLite::bind(row, reasons_to_json(torn), batch);
    return row.exec();
  });
}

std::vector<ExperimentSummary> Store::experiments() {
  return m_impl->doing("list the experiments", [&] {
    auto row = m_impl->query(
        "SELECT experiment, count(*), "
        "(SELECT count(*) FROM runs WHERE runs.experiment = batches.experiment), "
        "(SELECT count(*) FROM runs WHERE runs.experiment = batches.experiment AND state = 'valid') "
        "FROM batches GROUP BY experiment ORDER BY experiment");
    auto last = m_impl->query(
        "SELECT id, title, started FROM batches WHERE experiment = ? ORDER BY started DESC, id DESC LIMIT 1");
    std::vector<ExperimentSummary> summaries;
    while (row.executeStep()) {
      ExperimentSummary summary;
      summary.name = row.getColumn(0).getString();
      summary.batches = row.getColumn(1).getInt();
      summary.runs = row.getColumn(2).getInt();
      summary.valid = row.getColumn(3).getInt();
      last.reset();
      last.bind(1, summary.name);
      SWAPRIG_ASSERT(last.executeStep());
      summary.last_batch = last.getColumn(0).getString();
      summary.title = last.getColumn(1).getString();
      summary.last_started = parse_iso8601(last.getColumn(2).getString());
      summaries.push_back(std::move(summary));
    }
    return summaries;
  });
}

std::vector<BatchRow> Store::batches(const std::string& experiment) {
  return m_impl->doing("list the batches", [&] { return m_impl->batches_where("experiment = ?", experiment); });
}

std::optional<BatchRow> Store::batch(const std::string& id) {
  return m_impl->doing("read batch " + id, [&]() -> std::optional<BatchRow> {
    auto found = m_impl->batches_where("id = ?", id);
    if (found.empty()) return std::nullopt;
    return std::move(found.front());
  });
}

std::vector<run::RunRecord> Store::runs(const std::string& batch) {
  return m_impl->doing("read the runs of batch " + batch, [&] { return m_impl->runs_where("batch = ?", batch); });
}

run::RunRecord Store::find_run(const std::string& id_or_prefix) {
  return m_impl->doing("read run " + printable_line(id_or_prefix), [&] {
    return std::move(m_impl->runs_where("runs.id = ?", m_impl->full_id(id_or_prefix)).at(0));
  });
}

std::vector<TimedRun> Store::timed_runs(const std::string& experiment) {
  return m_impl->doing("read the times of " + experiment, [&] {
    auto row = m_impl->query(
        "SELECT batch, arm, scenario, block, state = 'valid', wall_s FROM runs WHERE experiment = ? ORDER BY number");
    row.bind(1, experiment);
    std::vector<TimedRun> runs;
    while (row.executeStep()) {
      const bool valid = row.getColumn(4).getInt() != 0;
      runs.push_back({row.getColumn(0).getString(), row.getColumn(1).getString(), row.getColumn(2).getString(),
                      row.getColumn(3).getInt(), valid, valid ? row.getColumn(5).getDouble() : 0});
    }
    return runs;
  });
}

std::map<std::string, Seconds> Store::earlier_durations(const std::string& experiment) {
  return m_impl->doing("read earlier durations", [&] {
    auto row = m_impl->query("SELECT scenario, whole_run_s FROM runs WHERE experiment = ? AND state = 'valid'");
    row.bind(1, experiment);
    std::map<std::string, std::vector<double>> seconds;
    while (row.executeStep()) seconds[row.getColumn(0).getString()].push_back(row.getColumn(1).getDouble());
    std::map<std::string, Seconds> medians;
    for (auto& [scenario, values] : seconds) medians[scenario] = median(std::move(values));
    return medians;
  });
}

}  // namespace swaprig::store
