#include <fmt/format.h>

#include <memory>

#include "base/simdrive_wire.hpp"
#include "base/text.hpp"
#include "cli/verbs.hpp"
#include "drive/simulated_server.hpp"

namespace swaprig::cli {

namespace {

constexpr std::chrono::milliseconds k_poll{100};

struct SimulateOptions {
  std::string profile;
  std::filesystem::path socket;
  std::filesystem::path file;
  double time_scale = 1;
};

void require_free_socket(const std::filesystem::path& socket) {
  const auto longest = simdrive_wire::k_longest_socket_path - std::string_view(".ctl").size();
  if (socket.string().size() > longest) {
    throw UsageError(fmt::format("the path of the socket has {} characters, at most {} are possible: {}",
                                 socket.string().size(), longest, socket.string()));
  }
  std::error_code error;
  for (const auto& path : {socket, std::filesystem::path(socket.string() + ".ctl")}) {
    if (!std::filesystem::exists(std::filesystem::symlink_status(path, error))) continue;
    throw UsageError(fmt::format("{} exists already; another server may listen there: choose another path, or remove it",
                                 path.string()));
  }
}

/// Serves until a signal comes, or until the server ends by itself.
ExitCode simulate(Session& session, const SimulateOptions& options) {
  drive::ServerSetup setup;
  setup.backing.wanted = options.profile;
  setup.backing.profile = session.load_profile(options.profile);
  setup.backing.time_scale = options.time_scale;
  setup.socket = std::filesystem::absolute(options.socket);
  setup.control = setup.socket.string() + ".ctl";
  require_free_socket(setup.socket);
  if (!options.file.empty()) setup.bytes = std::filesystem::absolute(options.file);
  setup.nbdkit = drive::require_nbdkit(session.commands());
  setup.plugin = part_of_program(simdrive_wire::k_plugin_file);

  const TemporaryFolder folder;
  drive::SimulatedServer server(setup);
  server.start(folder.path() / "server.log");
  fmt::print("nbd+unix:///?socket={}\n", setup.socket.string());
  fmt::print(stderr, "{}: {}; control socket {}; Ctrl-C ends it\n", options.profile, setup.backing.profile.title,
             setup.control.string());
  std::fflush(stdout);
  while (!session.stop().is_set()) {
    if (const auto why = server.lost(); !why.empty()) throw HostError("the simulated drive is gone: " + why);
    session.clock().sleep(k_poll);
  }
  return ExitCode::ok;
}

}  // namespace

Verb add_drive(CLI::App& app) {
  const auto options = std::make_shared<SimulateOptions>();
  auto* verb = app.add_subcommand("drive", "Work with drives");
  verb->require_subcommand(1);
  auto* simulate_verb = verb->add_subcommand("simulate", "Serve a simulated drive over NBD until a signal");
  simulate_verb->add_option("PROFILE", options->profile, "A name of experiments/drives, or a TOML file")->required();
  simulate_verb->add_option("--socket", options->socket, "Where the server listens (UNIX socket)")->required();
  simulate_verb->add_option("--file", options->file, "Keep the drive's bytes in this file (default: in memory)");
  simulate_verb->add_option("--time-scale", options->time_scale, "All delays times this")->check(CLI::Range(0.001, 1000.0));
  const auto measure = add_drive_measure(*verb);
  return {verb, [options, measure](Session& session) {
            return measure.app->parsed() ? measure.run(session) : simulate(session, *options);
          }};
}

}  // namespace swaprig::cli
