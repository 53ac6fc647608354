#include "image/user_mode.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <system_error>

namespace swaprig::image {

bool is_root() { return ::geteuid() == 0; }

void require_program(CommandRunner& commands, const std::string& program, const std::string& package) {
  if (commands.find(program)) return;
  throw HostError(
      fmt::format("cannot handle images: {0} is not installed; try: apt-get install {1}", program, package));
}

Command as_image_root(const Command& command, CommandRunner& commands) {
  const auto program = commands.find(command.program);
  if (!program) throw HostError(fmt::format("cannot handle images: {} is not installed", command.program));
  Command wrapped = command;
  wrapped.program = program->string();
  if (is_root()) return wrapped;
  require_program(commands, "newuidmap", "uidmap");
  wrapped.program = "unshare";
  wrapped.arguments = {"--map-root-user", "--map-auto", "--", program->string()};
  wrapped.arguments.insert(wrapped.arguments.end(), command.arguments.begin(), command.arguments.end());
  return wrapped;
}

void remove_image_folder(const std::filesystem::path& folder, CommandRunner& commands) {
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::symlink_status(folder, ignored))) return;
  const Command remove{.program = "rm",
                       .arguments = {"-rf", "--one-file-system", "--", folder.string()},
                       .cleans_up = true};
  const auto result = commands.run(remove);
  if (result.status == 0) return;
  run_checked(commands, as_image_root(remove, commands));
}

}  // namespace swaprig::image
