#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <exception>
#include <system_error>

#include "base/diagnostic.hpp"
#include "base/version.hpp"
#include "cli/session.hpp"
#include "cli/verbs.hpp"

namespace {

using namespace swaprig;

void complain(const std::string& text) { fmt::print(stderr, "swaprig: {}\n", text); }

int as_int(ExitCode code) { return static_cast<int>(code); }

/// Everything that went wrong ends here, once, as one exit code.
int guarded(const std::function<ExitCode()>& work) {
  try {
    const auto code = work();
    if (std::fflush(stdout) != 0) throw HostError("cannot write to standard output");
    return as_int(code);
  } catch (const BadInput& bad) {
    for (const auto& diagnostic : bad.diagnostics()) fmt::print(stderr, "{}", render(diagnostic, bad.source()));
    complain(fmt::format("{} fault(s); nothing was done", bad.diagnostics().size()));
    return as_int(ExitCode::usage);
  } catch (const Error& error) {
    complain(error.what());
    return as_int(error.code());
  } catch (const std::system_error& error) {   // fmt's, when standard output cannot be written
    complain(error.what());
    return as_int(ExitCode::host_not_fit);
  } catch (const std::exception& error) {
    complain(fmt::format("internal error: {}", error.what()));
    return as_int(ExitCode::internal);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"swaprig measures where swap should go: real guests, real or made-up drives, from a TOML file.", "swaprig"};
  app.set_version_flag("--version", fmt::format("swaprig {}", k_version));
  app.require_subcommand(1);
  app.fallthrough();
  cli::Options options;
  app.add_option("--state", options.state, "Folder of results, locks and drives (default: XDG state, /var/lib as root)");
  app.add_option("--images", options.images, "Folder of image definitions (default: ./images)");
  app.add_option("--connect", options.connect, "libvirt URI of this host (default: libvirt inside this process)");
  app.add_flag("--quiet,-q", options.quiet, "No progress, only warnings and errors");

  const std::array verbs{cli::add_doctor(app), cli::add_plan(app),   cli::add_run(app),    cli::add_list(app),
                         cli::add_show(app),   cli::add_report(app), cli::add_export(app), cli::add_image(app),  cli::add_drive(app),
                         cli::add_history(app), cli::add_compare(app), cli::add_regressions(app)};
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return as_int(ExitCode::usage);
  }
  return guarded([&] {
    cli::Session session(options);
    for (const auto& verb : verbs) {
      if (verb.app->parsed()) return verb.run(session);
    }
    return ExitCode::usage;
  });
}
