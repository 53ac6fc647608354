#include "guest/guest_agent.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/text.hpp"
#include "guest/agent_reply.hpp"
#include "guest/base64.hpp"

namespace swaprig::guest {

namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds k_ping_timeout{2};
/// A thrashing guest was seen to answer after 15 s.
constexpr seconds k_call_timeout{60};
constexpr std::size_t k_output_limit = std::size_t{1} << 20U;
/// qemu-ga keeps up to 16 MiB of output, but answers of 4 MB and more break its link.
constexpr std::size_t k_reply_limit = std::size_t{6} << 20U;
constexpr std::int64_t k_read_piece = 512 << 10;
constexpr std::size_t k_write_piece = 48U << 10U;
constexpr std::int64_t k_highest_pid = 1 << 22;
constexpr int k_status_attempts = 3;

std::string request(const std::string& command, const json& arguments) {
  // The only texts that are not ours are paths and arguments of an experiment, which are UTF-8 by then.
  return json{{"execute", command}, {"arguments", arguments}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

json call(host::Machine& machine, const std::string& command, const json& arguments, seconds timeout = k_call_timeout) {
  try {
    return agent_return(command, machine.agent(request(command, arguments), timeout));
  } catch (const host::LibvirtError& error) {
    throw AgentError(std::string(error.what()) + " (" + command + ")");
  }
}

std::int64_t start_command(host::Machine& machine, const std::vector<std::string>& command, bool capture) {
  if (command.empty()) throw AgentError("no command to run in the guest");
  const json arguments = {{"path", command.front()},
                          {"arg", std::vector<std::string>(command.begin() + 1, command.end())},
                          {"capture-output", capture}};
  return integer_member("guest-exec", call(machine, "guest-exec", arguments), "pid", 1, k_highest_pid);
}

/// Asking is harmless, so a busy guest is asked again.
json status_of(host::Machine& machine, std::int64_t pid) {
  for (int attempt = 1;; ++attempt) {
    try {
      return call(machine, "guest-exec-status", {{"pid", pid}});
    } catch (const AgentError&) {
      if (attempt == k_status_attempts || machine.state() != host::MachineState::running) throw;
    }
  }
}

ExecResult result_of(const json& status) {
  const std::string command = "guest-exec-status";
  ExecResult result;
  if (status.contains("signal")) {
    result.status = 128 + static_cast<int>(integer_member(command, status, "signal", 1, 127));
  } else {
    result.status = static_cast<int>(integer_member(command, status, "exitcode", 0, 0xffff) & 0xff);
  }
  result.out = bytes_member(command, status, "out-data", k_reply_limit);
  result.err = bytes_member(command, status, "err-data", k_reply_limit);
  result.out.resize(std::min(result.out.size(), k_output_limit));
  if (result.err.size() > k_output_limit) result.err.erase(0, result.err.size() - k_output_limit);
  return result;
}

/// A file that the agent holds open in the guest.
class GuestFile {
 public:
  GuestFile(host::Machine& machine, const std::string& path, const char* mode) : m_machine(machine) {
    const auto answer = call(machine, "guest-file-open", {{"path", path}, {"mode", mode}});
    m_handle = integer_member("guest-file-open", json{{"handle", answer}}, "handle", 0);
  }
  GuestFile(const GuestFile&) = delete;
  GuestFile& operator=(const GuestFile&) = delete;
  ~GuestFile() {
    try {
      if (m_open) close();
    } catch (const std::exception&) {
      // Something else has gone wrong already, and that is what is being told.
    }
  }

  struct Piece {
    std::string bytes;
    bool at_end = false;
  };

  Piece read(std::int64_t count) {
    const std::string command = "guest-file-read";
    const auto answer = call(m_machine, command, {{"handle", m_handle}, {"count", count}});
    Piece piece;
    piece.bytes = bytes_member(command, answer, "buf-b64", static_cast<std::size_t>(count));
    piece.at_end = boolean_member(command, answer, "eof");
    return piece;
  }

  std::size_t write(std::string_view bytes) {
    const std::string command = "guest-file-write";
    const auto answer = call(m_machine, command, {{"handle", m_handle}, {"buf-b64", to_base64(bytes)}});
    const auto count = integer_member(command, answer, "count", 1, static_cast<std::int64_t>(bytes.size()));
    return static_cast<std::size_t>(count);
  }

  /// What was written is in the file only now.
  void close() {
    m_open = false;
    call(m_machine, "guest-file-close", {{"handle", m_handle}});
  }

 private:
  host::Machine& m_machine;
  std::int64_t m_handle = 0;
  bool m_open = true;
};

}  // namespace

bool QemuGuestAgent::answers() {
  try {
    call(m_machine, "guest-ping", json::object(), k_ping_timeout);
    return true;
  } catch (const AgentError&) {
    return false;
  }
}

ExecResult QemuGuestAgent::exec(const std::vector<std::string>& command, seconds timeout) {
  constexpr milliseconds k_first_wait{20};
  constexpr milliseconds k_longest_wait{250};
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  const auto pid = start_command(m_machine, command, true);
  for (auto wait = k_first_wait;; wait = std::min(wait * 2, k_longest_wait)) {
    const auto status = status_of(m_machine, pid);
    if (boolean_member("guest-exec-status", status, "exited")) return result_of(status);
    if (std::chrono::steady_clock::now() >= deadline) break;
    std::this_thread::sleep_for(wait);
  }
  start_command(m_machine, {"/bin/sh", "-c", "kill -KILL " + std::to_string(pid)}, false);
  ExecResult result;
  result.status = 128 + 9;
  result.timed_out = true;
  return result;
}

void QemuGuestAgent::start(const std::vector<std::string>& command) { start_command(m_machine, command, false); }

std::string QemuGuestAgent::read_file(const std::string& path, Bytes limit) {
  GuestFile file(m_machine, path, "r");
  std::string content;
  while (content.size() < limit.count) {
    const auto room = limit.count - content.size();
    const auto piece = file.read(static_cast<std::int64_t>(std::min<std::uint64_t>(room, k_read_piece)));
    content += piece.bytes;
    if (piece.at_end) break;
    if (piece.bytes.empty()) throw AgentError("reading " + printable_line(path) + " in the guest: no end and no more");
  }
  file.close();
  return content;
}

void QemuGuestAgent::write_file(const std::string& path, const std::string& content) {
  GuestFile file(m_machine, path, "w");
  for (std::string_view rest = content; !rest.empty();) rest.remove_prefix(file.write(rest.substr(0, k_write_piece)));
  file.close();
}

}  // namespace swaprig::guest
