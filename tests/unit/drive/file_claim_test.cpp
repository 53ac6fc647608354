#include "drive/file_claim.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <set>

#include "base/error.hpp"
#include "base/files.hpp"
#include "drive/test_drive.hpp"
#include "support/catch.hpp"
#include "test_folder.hpp"

using namespace swaprig;
using namespace swaprig::drive;
using swaprig::testing::holds;
using swaprig::testing::message_of;
using swaprig::testing::names_in;
using swaprig::testing::TestFolder;

namespace {

namespace fs = std::filesystem;

constexpr const char* k_serial = "sr-0123abcd-hdd";

void write_text(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

/// A swaprig that is killed while it holds the drive: nothing is cleaned up.
void leave_claim_behind(const fs::path& folder) {
  const auto child = ::fork();
  if (child == 0) {
    auto* claim = new FileClaim(folder / "hdd.raw", k_serial, mib(1));
    const auto fd = claim->create(0);
    ::_exit(::write(fd.get(), "drive", 5) == 5 ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
}

}  // namespace

TEST_CASE("an existing file that is not ours is refused and not touched") {
  const TestFolder folder;
  const auto file = folder.path() / "hdd.raw";
  const std::string text = "somebody's thesis";

  SECTION("no marker") { write_text(file, text); }
  SECTION("a marker of another file, left by mistake") {
    leave_claim_behind(folder.path());
    write_text(folder.path() / "other", text);
    fs::rename(folder.path() / "other", file);
  }
  SECTION("a file that came in the place of a removed drive, perhaps with its inode") {
    leave_claim_behind(folder.path());
    fs::remove(file);
    write_text(file, text);
  }
  SECTION("a marker without a file beside a file with something in it") {
    write_text(file, text);
    write_text(folder.path() / "hdd.raw.swaprig", R"({"kind":"swaprig drive","file":null})");
  }
  SECTION("a broken marker") {
    write_text(file, text);
    write_text(folder.path() / "hdd.raw.swaprig", "[1,");
  }
  const auto before = names_in(folder.path());
  const auto message = message_of([&] { FileClaim(folder.path() / "hdd.raw", k_serial, mib(1)); });
  CHECK(holds(message, "refused: exists and was not made by swaprig"));
  CHECK(read_file(file) == text);
  auto after = names_in(folder.path());
  after.insert(before.count("hdd.raw.lock") != 0 ? "hdd.raw.lock" : "hdd.raw");
  CHECK(after == before);
}

TEST_CASE("a link in the drive's place is not followed") {
  const TestFolder folder;
  write_text(folder.path() / "target", "x");
  fs::create_symlink(folder.path() / "target", folder.path() / "hdd.raw");
  CHECK_THROWS_AS(FileClaim(folder.path() / "hdd.raw", k_serial, mib(1)), HostError);
  CHECK(read_file(folder.path() / "target") == "x");
}

TEST_CASE("what a killed swaprig left is removed and made anew") {
  const TestFolder folder;
  SECTION("a whole drive") { leave_claim_behind(folder.path()); }
  SECTION("killed between the empty file and its name in the marker") {
    write_text(folder.path() / "hdd.raw", "");
    write_text(folder.path() / "hdd.raw.swaprig", R"({"kind":"swaprig drive","file":null})");
  }
  SECTION("killed before there was a file") {
    write_text(folder.path() / "hdd.raw.swaprig", R"({"kind":"swaprig drive","file":null})");
  }
  CHECK_FALSE(names_in(folder.path()).empty());
  CHECK(FileClaim(folder.path() / "hdd.raw", k_serial, mib(1)).create(0).get() >= 0);
  CHECK(names_in(folder.path()).empty());
}

TEST_CASE("drives that a dead swaprig left are removed, those in use and foreign files are not") {
  const TestFolder folder;
  const auto left = folder.path() / "a" / "hdd.raw";
  const auto used = folder.path() / "b" / "hdd.raw";
  const auto foreign = folder.path() / "c" / "hdd.raw";
  for (const auto& file : {left, used, foreign}) fs::create_directories(file.parent_path());
  leave_claim_behind(left.parent_path());
  REQUIRE(fs::exists(left));
  FileClaim claim(used, "sr-2", mib(1));
  claim.create(0);
  write_text(foreign, "not ours");
  write_text(foreign.string() + ".swaprig", "not a marker");

  CHECK(remove_left_drives(folder.path()).size() == 1);
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::exists(used));
  CHECK(read_file(foreign) == "not ours");
  CHECK(remove_left_drives(folder.path() / "missing").empty());
}
