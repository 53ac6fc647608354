#include <fcntl.h>
#include <unistd.h>

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
using swaprig::testing::holds;
using swaprig::testing::message_of;
using swaprig::testing::names_in;
using swaprig::testing::TestFolder;

namespace {

namespace fs = std::filesystem;

constexpr const char* k_serial = "sr-0123abcd-hdd";
constexpr Bytes k_size = mib(8);

spec::Drive small_drive(const std::string& name = "hdd") {
  spec::Drive drive;
  drive.name = name;
  drive.backing = spec::FileBacking{k_size};
  drive.partitions = {{"swap", mib(1), PartitionType::swap, false},
                      {"root", mib(1), PartitionType::ext4, true},
                      {"files", std::nullopt, PartitionType::ext4, false}};
  return drive;
}

std::unique_ptr<TestDrive> make(const fs::path& folder, const spec::Drive& drive = small_drive()) {
  SystemCommandRunner commands;
  return make_file_drive(drive, folder, k_serial, commands, [](Bytes) {});
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
  CHECK(drive->layout() == lay_out(small_drive().partitions, k_size));
  CHECK(fs::file_size(attachment.path) == k_size.count);

  const auto state = drive->state();
  REQUIRE(state);
  CHECK(state->cached == Bytes{0});
  CHECK(state->allocated >= k_size);
  CHECK(drive->server() == nullptr);
  CHECK(drive->bytes() == attachment.path);

  SystemCommandRunner commands;
  CHECK_NOTHROW(read_back_layout(attachment.path, drive->layout(), k_serial, commands));
  CHECK_THROWS_AS(read_back_layout(attachment.path, drive->layout(), "another", commands), HostError);

  SECTION("no block is left unwritten") {
    Command command;
    command.program = "filefrag";
    command.arguments = {"-v", attachment.path.string()};
    CHECK_FALSE(holds(run_checked(commands, command), "unwritten"));
  }
  SECTION("ext4 is made where no image goes, and nowhere else") {
    const auto bytes = read_file(attachment.path);
    const auto magic_at = [&](const std::string& partition) {
      return bytes.substr(drive->layout().partition(partition).offset.count + 1024 + 56, 2);
    };
    CHECK(magic_at("files") == "\x53\xEF");
    CHECK(magic_at("root") == std::string(2, '\0'));
    const auto& swap = drive->layout().partition("swap");
    CHECK(bytes.substr(swap.offset.count, swap.size.count) == std::string(swap.size.count, '\0'));

    CHECK(drive->state()->cached > Bytes{0});
    drive->refresh();
    CHECK(drive->state()->cached == Bytes{0});
  }
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

TEST_CASE("a drive in use is refused, naming its holder (case 29)") {
  const TestFolder folder;
  const auto drive = make(folder.path());
  const auto message = message_of([&] { make(folder.path()); });
  CHECK(holds(message, "in use by process " + std::to_string(::getpid()) + " drive hdd.raw"));
  CHECK(drive->state()->allocated >= k_size);
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
    drive.backing = spec::FileBacking{gib(1U << 30U)};
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
    drive.backing = spec::FileBacking{k_size + Bytes{512}};
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
  for (const std::string name : {"my disk", "my-disk",
                                 "../\"Gr\xC3\xBC\xC3\x9F"
                                 "e\"\n<b>"}) {
    spec::Drive drive = small_drive(name);
    drive.backing = spec::FileBacking{mib(3)};
    drive.partitions = {{name, std::nullopt, PartitionType::swap, false}};
    const auto made = make(folder.path(), drive);
    const auto file = made->attachment().path.filename().string();
    CHECK(made->attachment().path.parent_path() == folder.path());
    CHECK(file.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") == std::string::npos);
    files.insert(file);
  }
  CHECK(files.size() == 3);
  CHECK(names_in(folder.path()).empty());
}
