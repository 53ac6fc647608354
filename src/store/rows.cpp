#include "store/rows.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "store/compression.hpp"

namespace swaprig::store {

namespace {

using Json = nlohmann::json;

/// For people: a byte that is no UTF-8 becomes U+FFFD rather than the end of the program.
std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json parse(const std::string& text, const char* what) {
  auto json = Json::parse(text, nullptr, false);
  if (!json.is_array()) throw Error(fmt::format("{}: not a JSON list", what));
  return json;
}

run::State stored_state(const std::string& text) {
  for (const auto state : {run::State::running, run::State::valid, run::State::invalid, run::State::failed,
                           run::State::unsupported, run::State::aborted}) {
    if (text == run::to_string(state)) return state;
  }
  throw Error("state: " + text);
}

std::vector<run::Reason> reasons_from(const std::string& text) {
  std::vector<run::Reason> reasons;
  for (const auto& json : parse(text, "reasons")) reasons.push_back({json.at("code"), json.at("text")});
  return reasons;
}

/// A run that was cut off has no evidence.
run::Evidence evidence_from(SQLite::Statement& row, int column) {
  if (row.getColumn(column).isNull()) return {};
  if (row.getColumn(column).getString() != "zlib") {
    throw Error("evidence: unknown codec " + row.getColumn(column).getString());
  }
  const auto json = decompressed(row.getColumn(column + 2).getString(),
                                 static_cast<std::size_t>(row.getColumn(column + 1).getInt64()));
  if (!json) throw Error("evidence: cannot be unpacked");
  return run::evidence_from_json(*json);
}

}  // namespace

BatchRow batch_from(SQLite::Statement& row) {
  BatchRow batch;
  batch.id = row.getColumn(0).getString();
  batch.experiment = row.getColumn(1).getString();
  batch.title = row.getColumn(2).getString();
  batch.started = parse_iso8601(row.getColumn(3).getString());
  if (!row.getColumn(4).isNull()) batch.ended = parse_iso8601(row.getColumn(4).getString());
  batch.toml = row.getColumn(5).getString();
  batch.canonical = row.getColumn(6).getString();
  batch.image_digest = row.getColumn(7).getString();
  batch.swaprig_version = row.getColumn(8).getString();
  batch.seed = std::stoull(row.getColumn(9).getString());
  batch.planned_runs = row.getColumn(10).getInt();
  for (const auto& fact : parse(row.getColumn(11).getString(), "host facts")) {
    batch.host_facts.emplace_back(fact.at(0).get<std::string>(), fact.at(1).get<std::string>());
  }
  const auto profiles = Json::parse(row.getColumn(12).getString(), nullptr, false);
  if (!profiles.is_object()) throw Error("profiles: not a JSON object");
  for (const auto& [name, text] : profiles.items()) batch.profiles[name] = text.get<std::string>();
  batch.quick = row.getColumn(13).getInt() != 0;
  return batch;
}

run::RunRecord run_from(SQLite::Statement& row) {
  run::RunRecord run;
  run.id = row.getColumn(0).getString();
  run.batch = row.getColumn(1).getString();
  run.experiment = row.getColumn(2).getString();
  run.block = row.getColumn(3).getInt();
  run.position = row.getColumn(4).getInt();
  run.attempt = row.getColumn(5).getInt();
  run.arm = row.getColumn(6).getString();
  run.scenario = row.getColumn(7).getString();
  run.state = stored_state(row.getColumn(8).getString());
  run.reasons = reasons_from(row.getColumn(9).getString());
  run.judge_version = row.getColumn(10).getInt();
  run.started = parse_iso8601(row.getColumn(11).getString());
  if (!row.getColumn(12).isNull()) run.ended = parse_iso8601(row.getColumn(12).getString());
  run.evidence = evidence_from(row, 13);
  return run;
}

std::string profiles_to_json(const BatchRow& batch) { return dump(Json(batch.profiles)); }

std::string facts_to_json(const BatchRow& batch) {
  auto json = Json::array();
  for (const auto& [name, value] : batch.host_facts) json.push_back({name, value});
  return dump(json);
}

std::string reasons_to_json(const run::RunRecord& run) {
  auto json = Json::array();
  for (const auto& reason : run.reasons) json.push_back({{"code", reason.code}, {"text", reason.text}});
  return dump(json);
}

}  // namespace swaprig::store
