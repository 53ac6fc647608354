#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "guest/guest_agent.hpp"

namespace swaprig::testing {

/// A guest that does what the test says and remembers what it was asked.
class FakeGuestAgent final : public guest::GuestAgent {
 public:
  bool is_there = true;
  std::map<std::string, std::string> files;
  std::vector<std::vector<std::string>> commands;                             ///< of exec and start
  std::function<guest::ExecResult(const std::vector<std::string>&)> on_exec;  ///< none: everything succeeds silently

  bool answers() override { return is_there; }

  guest::ExecResult exec(const std::vector<std::string>& command, std::chrono::seconds) override {
    check();
    commands.push_back(command);
    return on_exec ? on_exec(command) : guest::ExecResult{};
  }

  void start(const std::vector<std::string>& command) override {
    check();
    commands.push_back(command);
  }

  std::string read_file(const std::string& path, Bytes limit) override {
    check();
    const auto file = files.find(path);
    if (file == files.end()) throw guest::AgentError("no file " + path);
    return file->second.substr(0, limit.count);
  }

  void write_file(const std::string& path, const std::string& content) override {
    check();
    files[path] = content;
  }

 private:
  void check() const {
    if (!is_there) throw guest::AgentError("the agent does not answer");
  }
};

}  // namespace swaprig::testing
