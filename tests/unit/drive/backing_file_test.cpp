#include "drive/backing_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "base/command.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "support/catch.hpp"
#include "test_folder.hpp"

using namespace swaprig;
using namespace swaprig::drive;
using swaprig::testing::holds;
using swaprig::testing::message_of;
using swaprig::testing::TestFolder;

namespace {

/// What util-linux counts.
std::string fincore(const std::filesystem::path& file) {
  SystemCommandRunner commands;
  Command command;
  command.program = "fincore";
  command.arguments = {"--bytes", "--noheadings", "-o", "RES", file.string()};
  auto text = run_checked(commands, command);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text.substr(text.find_first_not_of(' '));
}

}  // namespace

TEST_CASE("cached and allocated bytes are counted as fincore and stat count them") {
  const TestFolder folder;
  const auto file = folder.path() / "file";
  write_file_durably(file, std::string(300000, 'x'));
  CHECK(cached_bytes(file) == Bytes{303104});  // 74 pages
  CHECK(fincore(file) == "303104");
  CHECK(allocated_bytes(file).count >= 300000);

  drop_cached_pages(file);
  CHECK(cached_bytes(file) == Bytes{0});
  CHECK(fincore(file) == "0");
  CHECK(read_file(file) == std::string(300000, 'x'));
}

TEST_CASE("zeros are written to the last byte, and progress grows to the size") {
  const TestFolder folder;
  const auto file = folder.path() / "file";
  write_file_durably(file, std::string(5U << 20U, 'x'));
  const auto fd = open_file(file, O_RDWR, "cannot open");
  std::vector<Bytes> progress;
  write_zeros(fd.get(), mib(5) - Bytes{1}, file, [&](Bytes done) { progress.push_back(done); });
  const auto text = read_file(file);
  CHECK(text.find_first_not_of('\0') == text.size() - 1);
  CHECK(progress == std::vector<Bytes>{mib(4), mib(5) - Bytes{1}});
}

TEST_CASE("a file system that fills up while writing says what is needed and what is free") {
  const auto full = open_file("/dev/full", O_WRONLY, "cannot open");
  const auto message = message_of([&] { write_zeros(full.get(), mib(5), "/dev/full", [](Bytes) {}); });
  CHECK(holds(message, "no space left: 5.00 MiB needed, "));
  CHECK(holds(message, "free"));
}

TEST_CASE("too little space is found before anything is written") {
  const TestFolder folder;
  const auto message = message_of([&] { require_free_space(folder.path(), gib(1U << 30U)); });
  CHECK(holds(message, "needs 1.00 EiB, but "));
  CHECK_NOTHROW(require_free_space(folder.path(), Bytes{1}));
}
