#pragma once

// Parts of report.json; in-room only, since it shows the JSON library.

#include <nlohmann/json.hpp>
#include <optional>

#include "report/findings.hpp"

namespace swaprig::report {

using Json = nlohmann::ordered_json;

/// A value that was not measured is null, never 0.
template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// Making swap files, an entry for each scenario of an experiment about that.
Json makings_of(const Findings& findings);

/// What the run that gives the arm's score did, and its drives; null without such a run.
Json why_of(const Arm& arm);

/// What somebody else published, and what follows from it.
Json study_json(const spec::Published& study);

/// The study that the experiment refers to, with the experiment's own figures beside it; null without one.
Json reference_json(const Subject& subject, const Findings& findings);

/// That run over its time, every sample; null without such a run.
Json course_json(const Arm& arm);

}  // namespace swaprig::report
