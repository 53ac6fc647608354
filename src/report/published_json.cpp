#include "report/beside.hpp"
#include "report/json_parts.hpp"

namespace swaprig::report {

namespace {

const char* word_of(spec::PublishedKind kind) {
  return kind == spec::PublishedKind::scenarios ? "scenarios" : "swapfile-creation";
}

Json in_bytes_or_null(const std::optional<Bytes>& bytes) { return bytes ? Json(bytes->count) : Json(nullptr); }

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json published_file_json(const spec::PublishedFile& file) {
  return {{"method", file.method},
          {"block_bytes", in_bytes_or_null(file.block)},
          {"size_bytes", file.size.count},
          {"real_s", file.real_s},
          {"user_s", or_null(file.user_s)},
          {"sys_s", or_null(file.sys_s)},
          {"rate_bytes_per_s", in_bytes_or_null(file.rate)}};
}

Json beside_row_json(const BesideRow& row) {
  return {{"published_scenario", row.name},
          {"scenario", text_or_null(row.own)},
          {"published_s", row.seconds},
          {"published_ratio", row.ratio},
          {"published_excess", row.excess},
          {"score_s", or_null(row.time.seconds)},
          {"excess", or_null(row.time.excess)},
          {"excess_blank_because", text_or_null(row.time.blank_because)},
          {"drive_time_s", or_null(row.drive.seconds)},
          {"drive_time_excess", or_null(row.drive.excess)},
          {"drive_time_excess_blank_because", text_or_null(row.drive.blank_because)}};
}

}  // namespace

Json study_json(const spec::Published& study) {
  const bool of_scenarios = study.kind == spec::PublishedKind::scenarios;
  Json json{{"name", study.name},
            {"title", study.title},
            {"author", study.author},
            {"date", study.date},
            {"address", or_null(study.address)},
            {"kind", word_of(study.kind)},
            {"figure", study.figure},
            {"conditions", study.conditions},
            {"notes", study.notes},
            {"setup", study.setup},
            {"baseline", of_scenarios ? Json(study.baseline) : Json(nullptr)},
            {"floor", of_scenarios ? Json(study.floor) : Json(nullptr)},
            {"scenarios", Json::array()},
            {"files", Json::array()},
            {"toml", study.text}};
  for (const auto& time : study.scenarios) {
    json["scenarios"].push_back({{"scenario", time.scenario},
                                 {"published_s", time.seconds},
                                 {"published_ratio", time.seconds / study.seconds(study.baseline)},
                                 {"published_excess", study.excess(time.scenario)}});
  }
  for (const auto& file : study.files) json["files"].push_back(published_file_json(file));
  return json;
}

Json reference_json(const Subject& subject, const Findings& findings) {
  const auto& reference = subject.experiment.reference;
  if (!reference) return nullptr;
  Json json{{"study", study_json(reference->study)},
            {"setup", Json::object()},
            {"scenarios", Json::array()},
            {"sentences", Json::array()}};
  for (const std::string key : spec::k_setup_keys) json["setup"][key] = text_or_null(own_setup(subject, key));
  if (const auto beside = beside_published(subject, findings)) {
    for (const auto& row : beside->rows) json["scenarios"].push_back(beside_row_json(row));
    json["sentences"] = beside->sentences;
  }
  return json;
}

}  // namespace swaprig::report
