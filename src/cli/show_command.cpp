#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "cli/verbs.hpp"

namespace swaprig::cli {

namespace {

void line(const std::string& name, const std::string& value) { fmt::print("  {:<26} {}\n", name, printable_line(value, 2000)); }

std::string mib_of(std::optional<std::int64_t> pages) {
  return pages ? fmt::format("{:.1f} MiB", static_cast<double>(*pages) * 4096 / (1 << 20)) : "no reading";
}

std::string swap_lines(const std::vector<run::SwapLine>& lines) {
  std::vector<std::string> words;
  for (const auto& entry : lines) {
    words.push_back(fmt::format("{} ({}, {} KiB, priority {})", entry.path, entry.type, entry.size_kib, entry.priority));
  }
  return words.empty() ? "none" : join(words, ", ");
}

void show_outcome(const run::RunRecord& run) {
  fmt::print("run {}\n", run.id);
  line("experiment", run.experiment);
  line("scenario", run.arm);
  line("block, position, attempt", fmt::format("{}, {}, {}", run.block, run.position, run.attempt));
  line("started", iso8601(run.started));
  line("state", to_string(run.state));
  for (const auto& reason : run.reasons) line("because", reason.code + ": " + reason.text);
}

/// Where a simulated drive's time went in the window.
void show_drives(const run::Evidence& evidence) {
  for (const auto& after : evidence.host_after.drives) {
    for (const auto& before : evidence.host_before.drives) {
      if (before.drive != after.drive || !before.simulated || !after.simulated) continue;
      const auto used = drive::difference(*before.simulated, *after.simulated);
      const auto seconds = [](std::int64_t ns) { return static_cast<double>(ns) / 1e9; };
      line("simulated " + printable_line(after.drive),
           fmt::format("busy {:.2f} s (seek {:.2f}, rotation {:.2f}, transfer {:.2f}); late {:.2f} s", seconds(used.busy_ns),
                       seconds(used.seek_ns), seconds(used.rotation_ns), seconds(used.transfer_ns),
                       seconds(used.late_ns)));
    }
  }
}

void show_measured(const run::RunRecord& run) {
  const auto& evidence = run.evidence;
  fmt::print("measured\n");
  if (evidence.workload.finished) {
    line("workload", fmt::format("{:.3f} s (user {:.3f}, system {:.3f})", run.wall_seconds(),
                                 static_cast<double>(evidence.workload.user_us) / 1e6,
                                 static_cast<double>(evidence.workload.system_us) / 1e6));
  }
  if (const auto host = host_wall_seconds(evidence)) line("on the host's clock", fmt::format("{:.3f} s", *host));
  line("swapped in, out", mib_of(swap_in_pages(evidence)) + ", " + mib_of(swap_out_pages(evidence)));
  line("highest memory", fmt::format("{} KiB", evidence.workload.peak_memory_kib));
  line("acceleration", evidence.acceleration);
  line("O_DIRECT", direct_io_word(evidence));
  line("swap", swap_lines(evidence.swaps_settled));
  show_drives(evidence);
  for (const auto& [name, value] : evidence.guest_settings) line(name, value);
}

void show_text(const std::string& title, const std::string& text) {
  if (text.empty()) return;
  fmt::print("{}\n", title);
  for (const auto& row : split(printable(text, 16 << 10), '\n')) fmt::print("  | {}\n", row);
}

/// Everything that is stored of it.
void show_json(const run::RunRecord& run) {
  nlohmann::ordered_json json = {{"id", run.id},
                                 {"experiment", run.experiment},
                                 {"batch", run.batch},
                                 {"block", run.block},
                                 {"position", run.position},
                                 {"attempt", run.attempt},
                                 {"arm", run.arm},
                                 {"scenario", run.scenario},
                                 {"state", to_string(run.state)},
                                 {"reasons", nlohmann::ordered_json::array()},
                                 {"judge_version", run.judge_version},
                                 {"started", iso8601(run.started)},
                                 {"ended", iso8601(run.ended)}};
  for (const auto& reason : run.reasons) json["reasons"].push_back({{"code", reason.code}, {"text", reason.text}});
  json["evidence"] = nlohmann::ordered_json::parse(run::evidence_to_json(run.evidence));
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

ExitCode show(Session& session, const std::string& id, bool as_json) {
  auto store = session.stored_results();
  const auto run = store.find_run(id);
  if (as_json) {
    show_json(run);
    return ExitCode::ok;
  }
  show_outcome(run);
  show_measured(run);
  fmt::print("phases\n");
  for (const auto& phase : run.evidence.phases) line(phase.name, fmt::format("{:.2f} s", phase.seconds));
  show_text("new kernel messages", join(run.evidence.kernel_messages, "\n"));
  show_text("end of the output", run.evidence.workload.output_tail);
  if (run.state != run::State::valid) show_text("end of the console", run.evidence.console_tail);
  return ExitCode::ok;
}

}  // namespace

Verb add_show(CLI::App& app) {
  const auto id = std::make_shared<std::string>();
  auto* verb = app.add_subcommand("show", "Show one run with its evidence and the time of each phase");
  verb->add_option("RUN", *id, "A run's id, or a unique beginning of it")->required();
  const auto as_json = std::make_shared<bool>(false);
  verb->add_flag("--json", *as_json, "Everything that is stored of it, as JSON");
  return {verb, [=](Session& session) { return show(session, *id, *as_json); }};
}

}  // namespace swaprig::cli
