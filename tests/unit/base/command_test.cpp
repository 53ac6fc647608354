#include "base/command.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/files.hpp"
#include "base/text.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace std::chrono_literals;

namespace {

Command shell(const std::string& line) {
  Command command;
  command.program = "sh";
  command.arguments = {"-c", line};
  return command;
}

CommandResult run(const Command& command) { return SystemCommandRunner().run(command); }

bool gone(pid_t pid) {
  for (int i = 0; i < 1000; ++i) {
    const auto state = try_read_file("/proc/" + std::to_string(pid) + "/stat");
    if (!state || state->find(") Z ") != std::string::npos) return true;
    ::usleep(10'000);
  }
  return false;
}

}  // namespace

TEST_CASE("a command as a person would type it") {
  Command command;
  command.program = "mke2fs";
  command.arguments = {"-d", "a b", "it's", "", "size=1,x:/y"};
  CHECK(to_string(command) == "mke2fs -d 'a b' 'it'\\''s' '' size=1,x:/y");
}

TEST_CASE("output, status and signals") {
  const auto result = run(shell("echo out; echo err >&2; exit 3"));
  CHECK(result.out == "out\n");
  CHECK(result.err == "err\n");
  CHECK(result.status == 3);
  CHECK_FALSE(result.timed_out);
  CHECK(run(shell("kill -TERM $$")).status == 128 + SIGTERM);
}

TEST_CASE("standard input is fed whole and closed, also when nobody reads it") {
  Command command;
  command.program = "cat";
  command.input = std::string(5U << 20U, 'x');
  CHECK(run(command).out.size() == command.input.size());
  command.program = "true";
  CHECK(run(command).status == 0);
  command.program = "cat";
  command.input.clear();
  CHECK(run(command).out.empty());
}

TEST_CASE("big output on both streams does not block, and is bounded") {
  const auto both = run(shell("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2"));
  CHECK(both.out.size() == 3'000'000);
  CHECK(both.err.size() == 3'000'000);
  auto large = shell("for i in out err; do printf begin; head -c 200000 /dev/zero; printf end; exec 1>&2; done");
  large.output_limit = 1000;
  const auto cut = run(large);
  CHECK(cut.out.size() == 1000);
  CHECK(cut.out.substr(0, 5) == "begin");
  CHECK(cut.err.size() == 1000);
  CHECK(cut.err.substr(997) == "end");
}

TEST_CASE("a timeout kills the program and its children") {
  auto command = shell("sleep 60 & echo $!; sleep 60");
  CommandResult result;
  // A busy machine may not even have started the shell when a short time is over.
  for (const auto timeout : {100ms, 1000ms, 20000ms}) {
    command.timeout = timeout;
    result = run(command);
    CHECK(result.timed_out);
    CHECK(result.status == 128 + SIGKILL);
    if (!result.out.empty()) break;
  }
  REQUIRE_FALSE(result.out.empty());
  CHECK(gone(static_cast<pid_t>(std::stol(result.out))));
}

TEST_CASE("a timeout kills also descendants with sessions of their own") {
  // The last one's parent has a name that looks like the end of it in /proc/PID/stat.
  const TemporaryFolder folder;
  const auto odd = folder.path() / "a) 1 b";
  write_file_durably(odd, "#!/bin/sh\nsetsid sleep 60 & echo $!\nwait\n");
  std::filesystem::permissions(odd, std::filesystem::perms::owner_all);
  auto command = shell("setsid sh -c 'echo $$; sleep 60; true' & setsid '" + odd.string() + "' & echo $!; wait");
  std::vector<std::string> pids;
  for (const auto timeout : {200ms, 2000ms, 20000ms}) {
    command.timeout = timeout;
    const auto result = run(command);
    CHECK(result.timed_out);
    pids = split_words(result.out);
    for (const auto& pid : pids) CHECK(gone(std::stoi(pid)));
    if (pids.size() == 3) break;
  }
  CHECK(pids.size() == 3);
}

TEST_CASE("a child left in the background does not hold us up") {
  const auto result = run(shell("sleep 60 & echo $!"));
  CHECK(result.status == 0);
  CHECK_FALSE(result.timed_out);
  const auto pid = static_cast<pid_t>(std::stol(result.out));
  ::kill(pid, SIGKILL);
  CHECK(gone(pid));
}

TEST_CASE("environment, folder and session of a child") {
  auto command = shell("echo \"$SWAPRIG_TEST|$HOME_KEPT|$PWD\"");
  ::setenv("HOME_KEPT", "kept", 1);
  ::setenv("SWAPRIG_TEST", "ours", 1);
  command.environment = {{"SWAPRIG_TEST", "a b=c"}};
  command.directory = "/usr";
  CHECK(run(command).out == "a b=c|kept|/usr\n");
  ::unsetenv("SWAPRIG_TEST");
  ::unsetenv("HOME_KEPT");
  const auto ids = split_words(run(shell("cut -d' ' -f6 /proc/$$/stat; echo $$")).out);
  REQUIRE(ids.size() == 2);
  CHECK(ids[0] == ids[1]);
}

TEST_CASE("a child gets no descriptor and no blocked signal of ours") {
  sigset_t blocked;
  sigset_t old;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGINT);
  ::sigprocmask(SIG_BLOCK, &blocked, &old);
  const auto result = run(shell("ls /proc/self/fd | wc -l; grep SigBlk /proc/self/status"));
  ::sigprocmask(SIG_SETMASK, &old, nullptr);
  const auto words = split_words(result.out);
  REQUIRE(words.size() == 3);
  CHECK(words[0] == "4");  // 0, 1, 2 and the folder that ls reads
  CHECK(words[2] == "0000000000000000");
}

TEST_CASE("a program that cannot be started") {
  SystemCommandRunner runner;
  Command command;
  command.program = "no-such-program-of-ours";
  CHECK_THROWS_AS(runner.run(command), CommandError);
  command.program = "/etc/passwd";
  CHECK_THROWS_AS(runner.run(command), CommandError);
  command.program = "true";
  command.directory = "/no/such/folder";
  CHECK_THROWS_AS(runner.run(command), CommandError);
  const TemporaryFolder folder;
  write_file_durably(folder.path() / "broken", "#!/no/such/interpreter\n");
  std::filesystem::permissions(folder.path() / "broken", std::filesystem::perms::owner_all);
  command = Command{};
  command.program = (folder.path() / "broken").string();
  CHECK_THROWS_AS(runner.run(command), CommandError);
}

TEST_CASE("a failed command says what, how and the program's own words") {
  SystemCommandRunner runner;
  CHECK(run_checked(runner, shell("echo fine")) == "fine\n");
  try {
    run_checked(runner, shell("echo 'bad superblock \033[31m' >&2; exit 8"));
    FAIL("no error");
  } catch (const CommandError& error) {
    const std::string text = error.what();
    CHECK(text.find("failed with status 8") != std::string::npos);
    CHECK(text.find("bad superblock \\x1B[31m") != std::string::npos);
    CHECK(error.code() == ExitCode::host_not_fit);
  }
  auto slow = shell("sleep 60");
  slow.timeout = 50ms;
  try {
    run_checked(runner, slow);
    FAIL("no error");
  } catch (const CommandError& error) {
    CHECK(std::string(error.what()) == "sh -c 'sleep 60' was stopped after 50 ms");
  }
}

TEST_CASE("programs are found in PATH and in the system folders behind it") {
  SystemCommandRunner runner;
  CHECK(runner.find("sh"));
  CHECK(runner.find("/bin/sh"));
  CHECK_FALSE(runner.find("no-such-program-of-ours"));
  CHECK_FALSE(runner.find(""));
  CHECK_FALSE(runner.find("/"));
}

TEST_CASE("a command is ended once we are asked to stop, whatever it started; one that cleans up is not") {
  StopFlag stop;
  SystemCommandRunner runner(&stop);
  const TemporaryFolder folder;
  const auto note = folder.path() / "pids";
  auto command = shell("sleep 600 & echo $! $$ > " + note.string() + ".new; mv " + note.string() + ".new " +
                       note.string() + "; wait");
  std::thread asker([&] {
    while (!std::filesystem::exists(note)) std::this_thread::sleep_for(5ms);
    stop.set(SIGTERM);
  });
  CHECK_THROWS_AS(runner.run(command), Interrupted);
  asker.join();
  for (const auto& pid : split_words(read_file(note))) CHECK(gone(std::stoi(pid)));
  CHECK_THROWS_AS(runner.run(shell("true")), Interrupted);
  auto cleaning = shell("echo done");
  cleaning.cleans_up = true;
  CHECK(runner.run(cleaning).out == "done\n");
}
