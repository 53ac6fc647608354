#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "drive/partition_table.hpp"
#include "drive/test_drive.hpp"
#include "support/catch.hpp"
#include "test_folder.hpp"

using namespace swaprig;
using namespace swaprig::drive;
using spec::PartitionType;
using swaprig::testing::TestFolder;

namespace {

namespace fs = std::filesystem;

constexpr const char* k_serial = "sr-0123abcd-hdd";
constexpr Bytes k_size = mib(8);

spec::Drive small_drive(const std::string& name = "hdd") {
  return {name,
          {k_size},
          {{"swap", mib(1), PartitionType::swap, false},
           {"root", mib(1), PartitionType::ext4, true},
           {"files", std::nullopt, PartitionType::ext4, false}}};
}

std::unique_ptr<TestDrive> make(const fs::path& folder, const spec::Drive& drive = small_drive()) {
  SystemCommandRunner commands;
  return make_file_drive(drive, folder, k_serial, commands, [](Bytes) {});
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const HostError& error) {
    return error.what();
  }
  return "";
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

void write_text(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

/// A swaprig that is killed while it holds the drive: nothing is cleaned up.
void leave_drive_behind(const fs::path& folder) {
  const auto child = ::fork();
  if (child == 0) {
    const auto* drive = make(folder).release();
    ::_exit(drive != nullptr ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
}

}  // namespace

TEST_CASE("a file drive is written in full, partitioned as planned and uncached") {
  const TestFolder folder;
  const auto drive = make(folder.path());
  const auto& attachment = drive->attachment();
  CHECK(attachment.drive == "hdd");
  CHECK(attachment.source == Attachment::Source::file);
  CHECK(attachment.path == folder.path() / "hdd.raw");
  CHECK(attachment.serial == k_serial);
  CHECK(drive->kind() == "file");
  CHECK(drive->layout() == lay_out(small_drive().partitions, k_size));
  CHECK(fs::file_size(attachment.path) == k_size.count);

  const auto state = drive->state();
  CHECK(state.cached == Bytes{0});
  CHECK(state.allocated >= k_size);
  CHECK_FALSE(state.position_means_something);

  SystemCommandRunner commands;
  CHECK_NOTHROW(read_back_layout(attachment.path, drive->layout(), k_serial, commands));
  CHECK_THROWS_AS(read_back_layout(attachment.path, drive->layout(), "another", commands), HostError);

  SECTION("ext4 is made where no image goes, and nowhere else") {
    const auto bytes = read_file(attachment.path);
    const auto magic_at = [&](const std::string& partition) {
      return bytes.substr(drive->layout().partition(partition).offset.count + 1024 + 56, 2);
    };
    CHECK(magic_at("files") == "\x53\xEF");
    CHECK(magic_at("root") == std::string(2, '\0'));
    const auto& swap = drive->layout().partition("swap");
    CHECK(bytes.substr(swap.offset.count, swap.size.count) == std::string(swap.size.count, '\0'));

    CHECK(drive->state().cached > Bytes{0});
    drive->drop_host_cache();
    CHECK(drive->state().cached == Bytes{0});
  }
}

TEST_CASE("no block of a fresh drive is left unwritten") {
  const TestFolder folder;
  const auto drive = make(folder.path());
  SystemCommandRunner commands;
  Command command;
  command.program = "filefrag";
  command.arguments = {"-v", drive->attachment().path.string()};
  const auto extents = run_checked(commands, command);
  CHECK_FALSE(holds(extents, "unwritten"));
}

TEST_CASE("a drive made again is the same") {
  const TestFolder folder;
  const auto table = [&] {
    const auto drive = make(folder.path());
    const auto fd = open_file(drive->attachment().path, O_RDONLY, "cannot open");
    std::string text(kib(64).count, '\0');
    CHECK(::pread(fd.get(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
    return text;
  };
  CHECK(sha256(table()) == sha256(table()));
}

TEST_CASE("a drive takes itself, its marker and its lock away") {
  const TestFolder folder;
  {
    const auto drive = make(folder.path());
    CHECK(names_in(folder.path()) == std::set<std::string>{"hdd.raw", "hdd.raw.lock", "hdd.raw.swaprig"});
    const auto marker = nlohmann::json::parse(read_file(folder.path() / "hdd.raw.swaprig"));
    CHECK(marker.at("serial") == k_serial);
    CHECK(marker.at("size") == k_size.count);
    CHECK(marker.at("pid") == ::getpid());
  }
  CHECK(names_in(folder.path()).empty());
}

TEST_CASE("an existing file that is not ours is refused and not touched") {
  const TestFolder folder;
  const auto file = folder.path() / "hdd.raw";
  const std::string text = "somebody's thesis";

  SECTION("no marker") { write_text(file, text); }
  SECTION("a marker of another file, left by mistake") {
    leave_drive_behind(folder.path());
    write_text(folder.path() / "other", text);
    fs::rename(folder.path() / "other", file);
  }
  SECTION("a marker without inode beside a file with something in it") {
    write_text(file, text);
    write_text(folder.path() / "hdd.raw.swaprig", R"({"kind":"swaprig drive","inode":null})");
  }
  SECTION("a broken marker") {
    write_text(file, text);
    write_text(folder.path() / "hdd.raw.swaprig", "[1,");
  }
  const auto before = names_in(folder.path());
  const auto message = message_of([&] { make(folder.path()); });
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
  CHECK_THROWS_AS(make(folder.path()), HostError);
  CHECK(read_file(folder.path() / "target") == "x");
}

TEST_CASE("what a killed swaprig left is removed and made anew") {
  const TestFolder folder;
  SECTION("a whole drive") { leave_drive_behind(folder.path()); }
  SECTION("killed between the empty file and its inode in the marker") {
    write_text(folder.path() / "hdd.raw", "");
    write_text(folder.path() / "hdd.raw.swaprig", R"({"kind":"swaprig drive","inode":null})");
  }
  SECTION("killed before there was a file") {
    write_text(folder.path() / "hdd.raw.swaprig", R"({"kind":"swaprig drive","inode":null})");
  }
  CHECK_FALSE(names_in(folder.path()).empty());
  CHECK(make(folder.path())->state().allocated >= k_size);
  CHECK(names_in(folder.path()).empty());
}

TEST_CASE("a drive in use is refused, naming its holder (case 29)") {
  const TestFolder folder;
  const auto drive = make(folder.path());
  const auto message = message_of([&] { make(folder.path()); });
  CHECK(holds(message, "in use by process " + std::to_string(::getpid()) + " drive hdd.raw"));
  CHECK(drive->state().allocated >= k_size);
}

TEST_CASE("a file system without O_DIRECT is refused; nothing else is tried (case 8)") {
  std::string name = "/dev/shm/swaprig-test-XXXXXX";
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  const auto message = message_of([&] { make(name); });
  CHECK(holds(message, "O_DIRECT"));
  CHECK(holds(message, "--state"));
  CHECK(names_in(name).empty());
  fs::remove(name);
}

TEST_CASE("too little space, or an interruption, leaves nothing behind") {
  const TestFolder folder;
  SECTION("no space") {
    auto drive = small_drive();
    drive.backing.size = gib(1U << 30U);
    CHECK_THROWS_AS(make(folder.path(), drive), HostError);
  }
  SECTION("interrupted in the middle") {
    SystemCommandRunner commands;
    const auto stop = [](Bytes done) {
      if (done >= mib(4)) throw Error("stop");
    };
    CHECK_THROWS_AS(make_file_drive(small_drive(), folder.path(), k_serial, commands, stop), Error);
  }
  SECTION("a size that O_DIRECT cannot write") {
    auto drive = small_drive();
    drive.backing.size = k_size + Bytes{512};
    CHECK_THROWS_AS(make(folder.path(), drive), UsageError);
  }
  CHECK(names_in(folder.path()).empty());
}

TEST_CASE("a table that sfdisk did not write as asked is an error, and the drive goes away") {
  /// Runs everything but lies about the table.
  class LyingRunner final : public CommandRunner {
   public:
    CommandResult run(const Command& command) override {
      auto result = m_real.run(command);
      if (command.arguments.front() == "--json") {
        const auto at = result.out.find("\"start\": 2048");
        if (at != std::string::npos) result.out.replace(at, 13, "\"start\": 2049");
      }
      return result;
    }
    std::optional<fs::path> find(const std::string& program) override { return m_real.find(program); }

   private:
    SystemCommandRunner m_real;
  };
  const TestFolder folder;
  LyingRunner commands;
  const auto message =
      message_of([&] { make_file_drive(small_drive(), folder.path(), k_serial, commands, [](Bytes) {}); });
  CHECK(holds(message, "partition 1: start is 2049 instead of 2048"));
  CHECK(names_in(folder.path()).empty());
}

TEST_CASE("odd names make plain, different file names") {
  const TestFolder folder;
  std::set<std::string> files;
  for (const std::string name : {"my disk", "my-disk", "\"quoted\"",
                                 "Gr\xC3\xB6\xC3\x9F"
                                 "e",
                                 "two\nlines", "../up", "<b>"}) {
    const spec::Drive drive{name, {mib(3)}, {{name, std::nullopt, PartitionType::swap, false}}};
    const auto made = make(folder.path(), drive);
    const auto file = made->attachment().path.filename().string();
    CHECK(made->attachment().path.parent_path() == folder.path());
    CHECK(file.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") == std::string::npos);
    files.insert(file);
  }
  CHECK(files.size() == 7);
  CHECK(names_in(folder.path()).empty());
}
