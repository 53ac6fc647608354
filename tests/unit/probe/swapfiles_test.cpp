// `probe swapfiles` on the host: the real program makes real files in a temporary folder; the tools that need root are
// stand-ins.

#include <sys/stat.h>

#include <fstream>
#include <map>

#include "base/command.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "base/wire.hpp"
#include "support/catch.hpp"

using namespace swaprig;

namespace {

using Cells = std::vector<std::multimap<std::string, std::string>>;

class Swapfiles {
 public:
  Swapfiles() {
    make_folders(tools());
    make_folders(work());
    // What was called goes to "calls", what is on to "swaps".
    tool("mkswap", "echo mkswap \"$1\" >> ../calls");
    tool("swapon", "[ \"$1\" = --version ] && exit; echo swapon \"$1\" >> ../calls; "
                   "printf '%s\\tfile\\t1\\t0\\t-2\\n' \"$1\" >> ../swaps");
    tool("swapoff", "echo swapoff \"$1\" >> ../calls; : > ../swaps");
  }

  void tool(const std::string& name, const std::string& script) const {
    const auto path = tools() / name;
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    ::chmod(path.c_str(), 0755);
  }

  CommandResult run(const std::vector<std::string>& arguments) const {
    SystemCommandRunner runner;
    Command command;
    command.program = SWAPRIG_PROBE;
    command.arguments = {"swapfiles", "--sync=0", "--swaps=../swaps", "--result=../result"};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    command.directory = work();
    command.environment = {{"PATH", tools().string() + ":/usr/sbin:/usr/bin:/sbin:/bin"}};
    command.timeout = std::chrono::minutes(1);
    return runner.run(command);
  }

  Cells cells() const {
    const auto text = read_file(m_folder.path() / "result");
    wire::Sections sections;
    REQUIRE(wire::decode_sections(text, sections));
    Cells cells;
    for (const auto& [name, body] : sections) {
      CHECK(name == "cell");
      wire::Fields fields;
      REQUIRE(wire::decode_fields(body, fields));
      cells.emplace_back(fields.begin(), fields.end());
    }
    return cells;
  }

  std::string calls() const { return try_read_file(m_folder.path() / "calls").value_or(""); }
  bool has_result() const { return std::filesystem::exists(m_folder.path() / "result"); }
  bool is_clean() const { return std::filesystem::is_empty(work()); }
  std::string file() const { return (work() / "swapfile").string(); }

 private:
  std::filesystem::path tools() const { return m_folder.path() / "tools"; }
  std::filesystem::path work() const { return m_folder.path() / "work"; }

  TemporaryFolder m_folder;
};

std::string value_of(const Cells::value_type& cell, const std::string& key) {
  const auto found = cell.find(key);
  return found == cell.end() ? "(none)" : found->second;
}

}  // namespace

TEST_CASE("each cell is timed so often, and each file is proven usable") {
  const Swapfiles swapfiles;
  const auto ended = swapfiles.run({"--repeat=2", "--cell=true:0:0:0", "--cell=dd:65536:4096:1", "--cell=dd:65536:65536:0"});
  INFO(ended.err);
  REQUIRE(ended.status == 0);
  const auto cells = swapfiles.cells();
  REQUIRE(cells.size() == 3);
  CHECK(value_of(cells[0], "method") == "true");
  CHECK(value_of(cells[1], "method") == "dd");
  CHECK(value_of(cells[1], "size_bytes") == "65536");
  CHECK(value_of(cells[1], "block_bytes") == "4096");
  CHECK(value_of(cells[1], "durable") == "1");
  CHECK(value_of(cells[2], "durable") == "0");
  for (const auto& cell : cells) {
    CHECK(cell.count("timing") == 2);
    CHECK(cell.count("unsupported") == 0);
    CHECK(split_words(value_of(cell, "timing")).size() == 3);
  }
  std::string proof;
  for (const char* tool : {"mkswap ", "swapon ", "swapoff "}) proof += tool + swapfiles.file() + "\n";
  CHECK(swapfiles.calls() == proof + proof + proof + proof);
  CHECK(swapfiles.is_clean());
}

TEST_CASE("case 9: what swapon says of holes makes the cell unsupported, and dd does not step in") {
  const Swapfiles swapfiles;
  swapfiles.tool("fallocate", "[ \"$1\" = --version ] || truncate -s \"$2\" \"$3\"");
  swapfiles.tool("swapon", "echo \"swapon: $1: skipping - it appears to have holes.\" >&2; exit 255");
  swapfiles.tool("dd", "echo dd >> ../calls");
  const auto ended = swapfiles.run({"--repeat=3", "--cell=fallocate:65536:0:0"});
  INFO(ended.err);
  REQUIRE(ended.status == 0);
  const auto cells = swapfiles.cells();
  CHECK(value_of(cells.at(0), "unsupported") ==
        "swapon: " + swapfiles.file() + ": skipping - it appears to have holes.");
  CHECK(cells.at(0).count("timing") == 0);
  // Refused once, it is not tried again.
  CHECK(swapfiles.calls() == "mkswap " + swapfiles.file() + "\n");
  CHECK(swapfiles.is_clean());
}

TEST_CASE("what the kernel calls invalid, and a file system without fallocate, are unsupported with the words") {
  const Swapfiles swapfiles;
  swapfiles.tool("swapon", "echo \"swapon: $1: swapon failed: Invalid argument\" >&2; exit 255");
  swapfiles.tool("fallocate", "[ \"$1\" = --version ] && exit; echo 'fallocate: fallocate failed: Operation not supported' >&2; exit 1");
  REQUIRE(swapfiles.run({"--repeat=2", "--cell=dd:65536:4096:0", "--cell=fallocate:65536:0:1", "--cell=true:0:0:0"}).status == 0);
  const auto cells = swapfiles.cells();
  CHECK(value_of(cells.at(0), "unsupported") == "swapon: " + swapfiles.file() + ": swapon failed: Invalid argument");
  CHECK(value_of(cells.at(1), "unsupported") == "fallocate: fallocate failed: Operation not supported");
  CHECK(cells.at(2).count("timing") == 2);
}

TEST_CASE("a full file system has a status of its own") {
  const Swapfiles swapfiles;
  swapfiles.tool("dd", "[ \"$1\" = --version ] && exit; echo \"dd: error writing 'x': No space left on device\" >&2; exit 1");
  const auto ended = swapfiles.run({"--cell=dd:65536:4096:0"});
  CHECK(ended.status == wire::k_no_room_status);
  CHECK(ended.err.find("No space left on device") != std::string::npos);
  CHECK_FALSE(swapfiles.has_result());
}

TEST_CASE("whatever else goes wrong ends it with the words") {
  const auto ends = [](const Swapfiles& swapfiles, const std::string& words) {
    const auto ended = swapfiles.run({"--cell=dd:65536:4096:0"});
    INFO(ended.err);
    CHECK(ended.status == 1);
    CHECK(ended.err.find(words) != std::string::npos);
    CHECK_FALSE(swapfiles.has_result());
  };
  SECTION("dd fails") {
    const Swapfiles swapfiles;
    swapfiles.tool("dd", "[ \"$1\" = --version ] && exit; echo 'dd: out of order' >&2; exit 3");
    ends(swapfiles, "ended with 3: dd: out of order");
  }
  SECTION("dd makes another file than asked") {
    const Swapfiles swapfiles;
    swapfiles.tool("dd", "[ \"$1\" = --version ] && exit; printf 12345 > swapfile");
    ends(swapfiles, "has 5 bytes instead of 65536");
  }
  SECTION("dd makes none") {
    const Swapfiles swapfiles;
    swapfiles.tool("dd", "true");
    ends(swapfiles, "the file was not made");
  }
  SECTION("mkswap fails") {
    const Swapfiles swapfiles;
    swapfiles.tool("mkswap", "echo no header >&2; exit 1");
    ends(swapfiles, "ended with 1: no header");
  }
  SECTION("swapon does nothing") {
    const Swapfiles swapfiles;
    swapfiles.tool("swapon", "true");
    ends(swapfiles, "is not in ../swaps");
  }
  SECTION("swapon fails for another reason") {
    const Swapfiles swapfiles;
    swapfiles.tool("swapon", "echo 'swapon failed: Cannot allocate memory' >&2; exit 255");
    ends(swapfiles, "Cannot allocate memory");
  }
  SECTION("a tool dies of a signal") {
    const Swapfiles swapfiles;
    swapfiles.tool("dd", "[ \"$1\" = --version ] && exit; kill -KILL $$");
    ends(swapfiles, "ended with 137");
  }
}

TEST_CASE("wrong arguments are refused") {
  const Swapfiles swapfiles;
  for (const std::string wrong :
       {"--cell=", "--cell=rm:1:1:0", "--cell=dd:65536:4096", "--cell=dd:65536:4096:2", "--cell=dd:65536:4096:0:0",
        "--cell=dd:65536:0:0", "--cell=dd:65536:3000:0", "--cell=dd:x:4096:0", "--cell=true:1:0:0", "--cell=fallocate:0:0:0",
        "--cell=fallocate:65536:4096:0", "--repeat=0", "--repeat=101", "--repeat=x", "--colour=red"}) {
    INFO(wrong);
    CHECK(swapfiles.run({"--cell=true:0:0:0", wrong}).status == 1);
  }
  CHECK(swapfiles.run({}).status == 1);
}
