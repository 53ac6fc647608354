#include "base/child_process.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/readable_pipe.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/process/v2/posix/default_launcher.hpp>
#include <boost/process/v2/process.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/files.hpp"
#include "base/process_tree.hpp"

namespace swaprig {
namespace {

namespace asio = boost::asio;
namespace process = boost::process::v2;
using boost::system::error_code;

/// How long we still read after the program's end, when a child that it left behind holds its output open.
constexpr std::chrono::milliseconds k_drain_time{300};

/// How often we look whether we were asked to stop, and how long a program may take to end itself then.
constexpr std::chrono::milliseconds k_stop_poll{50};
constexpr std::chrono::seconds k_stop_grace{10};

[[noreturn]] void cannot_start(const Command& command, int error_number) {
  throw CommandError("cannot start " + to_string(command) + ": " + std::generic_category().message(error_number));
}

/// The child's standard input as a file in memory: nothing has to be fed while the child runs.
Fd input_file(const Command& command) {
  Fd fd(::memfd_create("stdin", MFD_CLOEXEC));
  std::string_view text = command.input;
  while (fd && !text.empty()) {
    const auto n = ::write(fd.get(), text.data(), text.size());
    if (n < 0 && errno != EINTR) cannot_start(command, errno);
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
  if (!fd || ::lseek(fd.get(), 0, SEEK_SET) != 0) cannot_start(command, errno);
  return fd;
}

struct Pipe {
  Fd read;
  Fd write;
};

Pipe make_pipe(const Command& command) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) cannot_start(command, errno);
  return {Fd(ends[0]), Fd(ends[1])};
}

/// Our environment with the command's own variables in place of ours of the same name.
std::vector<std::string> merged_environment(const Command& command) {
  std::vector<std::string> variables;
  for (char** entry = ::environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    if (!command.environment.contains(std::string(variable.substr(0, variable.find('='))))) {
      variables.emplace_back(variable);
    }
  }
  for (const auto& [name, value] : command.environment) variables.push_back(name + '=' + value);
  return variables;
}

/// The initializer for Process v2: what the child is before it becomes the program.
/// The library's own ones of 1.81 know no session, and leave the pipes' ends open in grandchildren.
class ChildSetup {
 public:
  ChildSetup(const Command& command, int in, int out, int err)
      : m_directory(command.directory.string()), m_variables(merged_environment(command)), m_streams{in, out, err} {
    for (const auto& variable : m_variables) m_environment.push_back(variable.c_str());
    m_environment.push_back(nullptr);
  }

  error_code on_setup(process::posix::default_launcher& launcher, const process::filesystem::path&,
                      const char* const*) {
    launcher.env = m_environment.data();
    return {};
  }

  /// Between fork and exec: system calls only.
  error_code on_exec_setup(process::posix::default_launcher&, const process::filesystem::path&, const char* const*) {
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    ::setsid();
    // A command whose starter was killed has nobody left to read it.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!m_directory.empty() && ::chdir(m_directory.c_str()) != 0) return last_error();
    for (int target = 0; target < 3; ++target) {
      if (::dup2(m_streams[static_cast<std::size_t>(target)], target) < 0) return last_error();
    }
    if (::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) != 0) return last_error();
    return {};
  }

  /// 1.81 would call exit(3) here, and with it our own exit handlers, in a copy of our process.
  template <typename... Ignored>
  void on_exec_error(Ignored&&...) {
    ::_exit(127);
  }

 private:
  static error_code last_error() { return {errno, boost::system::system_category()}; }

  std::string m_directory;
  std::vector<std::string> m_variables;
  std::vector<const char*> m_environment;
  std::array<int, 3> m_streams;
};

/// Reads one stream to its end and keeps what the limit allows.
class Reader {
 public:
  enum class Keep { beginning, end };

  Reader(asio::io_context& context, Fd fd, Keep keep, std::size_t limit)
      : m_pipe(context, fd.release()), m_keep(keep), m_limit(limit) {
    read();
  }

  void stop() {
    error_code ignored;
    m_pipe.close(ignored);
  }

  std::string take() {
    if (m_keep == Keep::end && m_text.size() > m_limit) m_text.erase(0, m_text.size() - m_limit);
    return std::move(m_text);
  }

 private:
  void read() {
    m_pipe.async_read_some(asio::buffer(m_buffer), [this](const error_code& error, std::size_t n) {
      keep({m_buffer.data(), n});
      if (!error) read();
    });
  }

  void keep(std::string_view piece) {
    if (m_keep == Keep::beginning) {
      m_text += piece.substr(0, m_limit - m_text.size());
      return;
    }
    m_text += piece;
    if (m_text.size() > 2 * m_limit) m_text.erase(0, m_text.size() - m_limit);
  }

  asio::readable_pipe m_pipe;
  Keep m_keep;
  std::size_t m_limit;
  std::array<char, 65536> m_buffer{};
  std::string m_text;
};

/// Ends a process group in order once the flag is set, and what is left of it with all its descendants.
class Stopper {
 public:
  Stopper(asio::io_context& context, const StopFlag* stop, pid_t group)
      : m_timer(context), m_stop(stop), m_group(group) {
    if (m_stop != nullptr) wait(k_stop_poll);
  }

  void cancel() {
    m_ended = true;
    m_timer.cancel();
  }

 private:
  void wait(std::chrono::milliseconds time) {
    m_timer.expires_after(time);
    m_timer.async_wait([this](const error_code& error) {
      if (!error && !m_ended) look();
    });
  }

  void look() {
    if (!m_stop->is_set()) return wait(k_stop_poll);
    if (m_asked) return kill_process_tree(m_group);
    ::kill(-m_group, SIGTERM);
    m_asked = true;
    wait(k_stop_grace);
  }

  asio::steady_timer m_timer;
  const StopFlag* m_stop;
  pid_t m_group;
  bool m_asked = false;
  bool m_ended = false;
};

using Process = process::basic_process<asio::any_io_executor>;

Process start(asio::io_context& context, const std::filesystem::path& program, const Command& command,
              ChildSetup& setup) {
  process::posix::default_launcher launcher;
  error_code error;
  auto child =
      launcher(asio::any_io_executor(context.get_executor()), error, program.string(), command.arguments, setup);
  if (error) {
    // The launcher of 1.81 leaves the child that failed to exec unreaped.
    if (launcher.pid > 0) ::waitpid(launcher.pid, nullptr, 0);
    cannot_start(command, error.value());
  }
  return child;
}

int exit_status(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

}  // namespace

CommandResult run_child_process(const std::filesystem::path& program, const Command& command, const StopFlag* stop) {
  if (stop != nullptr) stop->check();
  asio::io_context context;
  const Fd in = input_file(command);
  Pipe out = make_pipe(command);
  Pipe err = make_pipe(command);
  ChildSetup setup(command, in.get(), out.write.get(), err.write.get());
  Process child = start(context, program, command, setup);
  const pid_t group = child.id();
  out.write = Fd();
  err.write = Fd();

  CommandResult result;
  Reader out_reader(context, std::move(out.read), Reader::Keep::beginning, command.output_limit);
  Reader err_reader(context, std::move(err.read), Reader::Keep::end, command.output_limit);
  bool ended = false;
  asio::steady_timer timer(context, command.timeout);
  timer.async_wait([&](const error_code& error) {
    if (error || ended) return;
    result.timed_out = true;
    kill_process_tree(group);
  });
  Stopper stopper(context, stop, group);
  child.handle().async_wait([&](const error_code&, int wait_status) {
    result.status = exit_status(wait_status);
    ended = true;
    timer.cancel();
    stopper.cancel();
  });
  while (!ended) context.run_one();
  context.run_for(k_drain_time);
  context.poll();
  out_reader.stop();
  err_reader.stop();
  child.detach();
  if (stop != nullptr) stop->check();
  result.out = out_reader.take();
  result.err = err_reader.take();
  return result;
}

}  // namespace swaprig
