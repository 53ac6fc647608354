#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/simdrive_wire.hpp"
#include "base/text.hpp"
#include "cli/drive_verbs.hpp"
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

spec::Profile profile_of(Session& session, const std::string& name) {
  if (name.ends_with(".toml")) return spec::load_profile(name);
  const auto folder = session.library().profiles_folder;
  const auto names = spec::profile_names(folder);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    const auto close = nearest(name, names);
    throw UsageError(fmt::format("there is no drive profile '{}'; {}", printable_line(name),
                                 close.empty() ? "there are: " + join(names, ", ") : "did you mean '" + close + "'?"));
  }
  return spec::load_profile((std::filesystem::path(folder) / (name + ".toml")).string());
}

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
  setup.backing.profile = profile_of(session, options.profile);
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

Verb add_drive_simulate(CLI::App& drive) {
  const auto options = std::make_shared<SimulateOptions>();
  auto* verb = drive.add_subcommand("simulate", "Serve a simulated drive over NBD until a signal");
  verb->add_option("PROFILE", options->profile, "A name of experiments/drives, or a TOML file")->required();
  verb->add_option("--socket", options->socket, "Where the server listens (UNIX socket)")->required();
  verb->add_option("--file", options->file, "Keep the drive's bytes in this file (default: in memory)");
  verb->add_option("--time-scale", options->time_scale, "All delays times this")->check(CLI::Range(0.001, 1000.0));
  return {verb, [options](Session& session) { return simulate(session, *options); }};
}

Verb add_drive(CLI::App& app) {
  auto* verb = app.add_subcommand("drive", "Work with drives");
  verb->require_subcommand(1);
  const std::array below{add_drive_list(*verb), add_drive_claim(*verb), add_drive_release(*verb),
                         add_drive_simulate(*verb)};
  return {verb, [below](Session& session) {
            const auto chosen =
                std::find_if(below.begin(), below.end(), [](const Verb& one) { return one.app->parsed(); });
            return chosen->run(session);
          }};
}

}  // namespace swaprig::cli
