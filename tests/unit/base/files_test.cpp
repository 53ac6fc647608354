#include "base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "support/catch.hpp"

using namespace swaprig;
namespace fs = std::filesystem;

namespace {

/// Sets or removes a variable and puts it back.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : m_name(name) {
    if (const char* old = std::getenv(name)) m_old = old;
    set(value);
  }
  ~ScopedVariable() { set(m_old ? m_old->c_str() : nullptr); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  void set(const char* value) {
    if (value != nullptr) {
      ::setenv(m_name, value, 1);
    } else {
      ::unsetenv(m_name);
    }
  }

  const char* m_name;
  std::optional<std::string> m_old;
};

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

int end_of(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace

TEST_CASE("a durable write leaves the new text and nothing else") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "state.json";
  write_file_durably(path, "old");
  write_file_durably(path, "new");
  CHECK(read_file(path) == "new");
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("a durable write that fails keeps the old file and names the path") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(write_file_durably(folder.path() / "none" / "file", "text"), FileError);
  fs::create_directory(folder.path() / "taken");
  std::ofstream(folder.path() / "taken" / "inside") << "x";
  try {
    write_file_durably(folder.path() / "taken", "text");
    FAIL("a folder was replaced by a file");
  } catch (const FileError& error) {
    CHECK(std::string(error.what()).find("taken") != std::string::npos);
    CHECK(error.code() == ExitCode::host_not_fit);
  }
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("a full file system is said with errno's own words") {
  try {
    const Fd full = open_file("/dev/full", O_WRONLY, "cannot write");
    CHECK(::write(full.get(), "x", 1) == -1);
    throw FileError("cannot write", "/dev/full", errno);
  } catch (const FileError& error) {
    CHECK(std::string(error.what()) == "cannot write /dev/full: No space left on device");
  }
}

TEST_CASE("reading: limits, tails, what is not there") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "log";
  std::ofstream(path) << "0123456789";
  CHECK(read_file(path, Bytes{10}) == "0123456789");
  CHECK_THROWS_AS(read_file(path, Bytes{9}), FileError);
  CHECK(read_tail(path, Bytes{4}) == "6789");
  CHECK(read_tail(path, Bytes{400}) == "0123456789");
  CHECK(read_tail(folder.path() / "none", Bytes{4}).empty());
  CHECK_THROWS_AS(read_file(folder.path() / "none"), FileError);
  CHECK_FALSE(try_read_file(folder.path() / "none"));
  CHECK_FALSE(try_read_file(folder.path()));
  CHECK(try_read_file("/proc/self/stat"));
}

TEST_CASE("folders are made for the owner alone") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a" / "b" / "c";
  make_folders(path);
  make_folders(path);
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0700U);
  std::ofstream(folder.path() / "file") << "x";
  CHECK_THROWS_AS(make_folders(folder.path() / "file" / "below"), FileError);
}

TEST_CASE("a temporary folder goes with its contents") {
  fs::path path;
  {
    const TemporaryFolder folder("prefix");
    path = folder.path();
    make_folders(path / "deep");
    std::ofstream(path / "deep" / "file") << "x";
    CHECK(path.filename().string().substr(0, 7) == "prefix-");
  }
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("a lock is exclusive across processes, names its holder, and goes with it") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "lock";
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = FileLock::try_lock(path, "run of an experiment");
    const char answer = lock ? 'y' : 'n';
    if (::write(ready[1], &answer, 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }
  char answer = 'n';
  REQUIRE(::read(ready[0], &answer, 1) == 1);
  CHECK(answer == 'y');
  CHECK_FALSE(FileLock::try_lock(path, "second"));
  CHECK(FileLock::holder(path) == std::to_string(child) + " run of an experiment");
  ::kill(child, SIGKILL);
  end_of(child);
  {
    const auto lock = FileLock::try_lock(path, "next");
    CHECK(lock);
    CHECK(FileLock::holder(path) == std::to_string(::getpid()) + " next");
    CHECK_FALSE(FileLock::try_lock(path, "again"));
  }
  CHECK_FALSE(fs::exists(path));
  CHECK(FileLock::try_lock(path, "after"));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_CASE("where things go at run time") {
  const ScopedVariable cache("SWAPRIG_CACHE", nullptr);
  const bool root = ::geteuid() == 0;
  const ScopedVariable state_home("XDG_STATE_HOME", "/x/state");
  const ScopedVariable cache_home("XDG_CACHE_HOME", "/x/cache");
  const auto standard = standard_folders(std::nullopt);
  CHECK(standard.state == (root ? "/var/lib/swaprig" : "/x/state/swaprig"));
  CHECK(standard.cache == (root ? "/var/cache/swaprig" : "/x/cache/swaprig"));

  const auto chosen = standard_folders(fs::path("/y/state"));
  CHECK(chosen.state == "/y/state");
  CHECK(chosen.cache == standard.cache);
  CHECK(standard_folders(fs::path("relative")).state.is_absolute());

  const ScopedVariable own_cache("SWAPRIG_CACHE", "/z");
  CHECK(standard_folders(std::nullopt).cache == "/z");
  CHECK(standard_folders(fs::path("/y")).cache == "/z");
}

TEST_CASE("a broken expectation aborts, in release builds too") {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGABRT, SIG_DFL);
    const Fd null = open_file("/dev/null", O_WRONLY, "cannot open");
    ::dup2(null.get(), STDERR_FILENO);
    SWAPRIG_ASSERT(1 + 1 == 3);
    ::_exit(0);
  }
  const int status = end_of(child);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGABRT);
}
