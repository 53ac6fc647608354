#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/command.hpp"

namespace swaprig::testing {

/// Runs real programs, but for those that the test answers itself or declares missing. Keeps what was asked for.
/// `unshare ... -- PROGRAM` runs PROGRAM as it is, so that the tests need no subordinate ids.
class DelegatingRunner final : public CommandRunner {
 public:
  std::function<std::optional<CommandResult>(const Command&)> answer;
  std::set<std::string> missing;
  std::vector<Command> commands;

  CommandResult run(const Command& command) override {
    commands.push_back(command);
    if (answer) {
      if (auto result = answer(command)) return *result;
    }
    return m_system.run(unwrapped(command));
  }

  std::optional<std::filesystem::path> find(const std::string& program) override {
    if (missing.contains(program)) return std::nullopt;
    if (program == "mmdebstrap" || program == "newuidmap") return std::filesystem::path("/usr/bin") / program;
    return m_system.find(program);
  }

 private:
  static Command unwrapped(const Command& command) {
    if (command.program != "unshare") return command;
    auto inner = command;
    const auto& words = command.arguments;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i] != "--") continue;
      inner.program = words[i + 1];
      inner.arguments.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 2, words.end());
      break;
    }
    return inner;
  }

  SystemCommandRunner m_system;
};

}  // namespace swaprig::testing
