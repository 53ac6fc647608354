#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/command.hpp"

namespace swaprig::testing {

/// Stands in for gnuplot: a small picture in its manner, or what a test wants instead.
class FakeGnuplot final : public CommandRunner {
 public:
  bool installed = true;
  std::function<bool(const Command&)> fails = [](const Command&) { return false; };
  std::vector<Command> commands;

  CommandResult run(const Command& command) override {
    commands.push_back(command);
    CommandResult result;
    if (fails(command)) {
      result.status = 1;
      result.err = "line 3: undefined variable: oops\n";
    } else if (command.input.find("set terminal svg") != std::string::npos) {
      result.out =
          "<?xml version=\"1.0\"?>\n<svg viewBox=\"0 0 9 9\" xmlns=\"http://www.w3.org/2000/svg\" "
          "xmlns:xlink=\"http://www.w3.org/1999/xlink\" onload=\"evil()\">\n<title>Gnuplot</title>\n"
          "<script>evil()</script>\n<defs><circle id='gpPt5' r='1'/><path id='gpPt7' d='M0,0'/></defs>\n"
          "<g id=\"gnuplot_canvas\" color=\"black\"><rect fill='rgb(143, 180, 220)' width='5' height='5'/>"
          "<use xlink:href='#gpPt5' color='rgb(179,  64,  31)'/></g>\n</svg>\n";
    } else {
      result.out = "\x89PNG\r\n";
    }
    return result;
  }

  std::optional<std::filesystem::path> find(const std::string& program) override {
    if (!installed) return std::nullopt;
    return "/usr/bin/" + program;
  }
};

}  // namespace swaprig::testing
