#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/verbs.hpp"

namespace swaprig::cli {

namespace {

ExitCode list_experiments(Session& session) {
  if (!std::filesystem::exists(session.folders().state / "results.db")) {
    fmt::print(stderr, "nothing is stored yet in {}\n", session.folders().state.string());
    return ExitCode::ok;
  }
  auto store = session.stored_results();
  fmt::print("{:<24}  {:>7}  {:>11}  {:<26}  {}\n", "experiment", "batches", "valid/runs", "last batch", "title");
  for (const auto& row : store.experiments()) {
    fmt::print("{:<24}  {:>7}  {:>11}  {:<26}  {}\n", printable_line(row.name), row.batches,
               fmt::format("{}/{}", row.valid, row.runs), row.last_batch, printable_line(row.title, 60));
  }
  return ExitCode::ok;
}

}  // namespace

Verb add_list(CLI::App& app) {
  auto* verb = app.add_subcommand("list", "List the stored experiments");
  return {verb, list_experiments};
}

}  // namespace swaprig::cli
