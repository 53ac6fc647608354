#pragma once

#include <CLI/CLI.hpp>

#include "base/error.hpp"
#include "cli/session.hpp"

namespace swaprig::cli {

/// Adds one verb to the command line. `chosen` is called when the user chose it and returns the exit code.
struct Verb {
  CLI::App* app = nullptr;
  std::function<ExitCode(Session&)> run;
};

Verb add_run(CLI::App& app);
Verb add_plan(CLI::App& app);
Verb add_list(CLI::App& app);
Verb add_show(CLI::App& app);
Verb add_report(CLI::App& app);
Verb add_export(CLI::App& app);
Verb add_image(CLI::App& app);
Verb add_doctor(CLI::App& app);
Verb add_drive(CLI::App& app);
Verb add_history(CLI::App& app);
Verb add_compare(CLI::App& app);
Verb add_regressions(CLI::App& app);

/// Below `drive`.
Verb add_drive_measure(CLI::App& drive);

/// Below `drive`.
Verb add_drive_measure(CLI::App& drive);

}  // namespace swaprig::cli
