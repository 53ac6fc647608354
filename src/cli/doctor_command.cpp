#include <fmt/format.h>

#include "cli/verbs.hpp"
#include "host/libvirt_host.hpp"
#include "host/preflight.hpp"

namespace swaprig::cli {

namespace {

const char* word(host::Fitness fitness) {
  switch (fitness) {
    case host::Fitness::ok: return "ok";
    case host::Fitness::note: return "note";
    case host::Fitness::warning: return "warning";
    case host::Fitness::unfit: return "unfit";
  }
  return "";
}

ExitCode examine(Session& session) {
  for (const auto& line : host::clean_leftovers(session.folders())) fmt::print(stderr, "{}\n", line);
  bool fit = true;
  for (const auto& finding : host::examine_host(session.commands(), session.folders(), true)) {
    fmt::print("{:<8} {:<14} {}\n", word(finding.fitness), finding.what, finding.text);
    if (!finding.advice.empty()) fmt::print("{:<24}-> {}\n", "", finding.advice);
    fit = fit && finding.fitness != host::Fitness::unfit;
  }
  fmt::print("{}\n", fit ? "this host can run experiments" : "this host cannot run experiments yet");
  return fit ? ExitCode::ok : ExitCode::host_not_fit;
}

}  // namespace

Verb add_doctor(CLI::App& app) {
  auto* verb = app.add_subcommand("doctor", "Say whether this host can run experiments, and what would disturb them");
  return {verb, examine};
}

}  // namespace swaprig::cli
