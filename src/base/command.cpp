#include "base/command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "base/child_process.hpp"
#include "base/duration.hpp"
#include "base/files.hpp"
#include "base/text.hpp"

namespace swaprig {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_stderr_shown = 2000;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-+=./:,@%").find(c) != std::string_view::npos;
}

std::string quoted(const std::string& word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string result = "'";
  for (const char c : word) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c;
    }
  }
  return result + "'";
}

std::string how_it_ended(const Command& command, const CommandResult& result) {
  if (result.timed_out) return "was stopped after " + exact(Nanoseconds(command.timeout));
  if (result.status > 128) return fmt::format("was killed by signal {}", result.status - 128);
  return fmt::format("failed with status {}", result.status);
}

std::string describe(const Command& command, const CommandResult& result) {
  auto text = fmt::format("{} {}", to_string(command), how_it_ended(command, result));
  const auto words = printable(trim(result.err), k_stderr_shown);
  return words.empty() ? text : text + ": " + words;
}

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

/// The system folders stand behind PATH, since an ordinary user's PATH often lacks mke2fs and its like.
std::vector<std::string> search_folders() {
  const char* path = std::getenv("PATH");
  auto folders = split(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin", ':');
  for (const char* folder : {"/usr/local/sbin", "/usr/sbin", "/sbin"}) folders.emplace_back(folder);
  return folders;
}

}  // namespace

std::string to_string(const Command& command) {
  std::string text = quoted(command.program);
  for (const auto& argument : command.arguments) text += ' ' + quoted(argument);
  return text;
}

CommandError::CommandError(const Command& command, const CommandResult& result)
    : HostError(describe(command, result)) {}

std::string run_checked(CommandRunner& runner, const Command& command) {
  auto result = runner.run(command);
  if (result.status != 0 || result.timed_out) throw CommandError(command, result);
  return std::move(result.out);
}

std::optional<fs::path> SystemCommandRunner::find(const std::string& program) {
  if (program.find('/') != std::string::npos) {
    return is_program(program) ? std::optional<fs::path>(fs::absolute(program)) : std::nullopt;
  }
  for (const auto& folder : search_folders()) {
    const auto path = fs::path(folder.empty() ? "." : folder) / program;
    if (!program.empty() && is_program(path)) return fs::absolute(path);
  }
  return std::nullopt;
}

CommandResult SystemCommandRunner::run(const Command& command) {
  const auto program = find(command.program);
  if (!program) {
    throw CommandError(fmt::format("cannot start {}: {}", to_string(command),
                                   command.program.find('/') == std::string::npos
                                       ? "no such program in PATH; install the package that holds it"
                                       : "no such program, or it may not be executed"));
  }
  return run_child_process(*program, command, command.cleans_up ? nullptr : m_stop);
}

}  // namespace swaprig
