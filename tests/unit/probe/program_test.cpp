// The real program, run on the host with its port, result and cgroup pointed elsewhere.

#include <pwd.h>
#include <unistd.h>

#include <fstream>
#include <map>

#include "base/command.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "base/wire.hpp"
#include "support/catch.hpp"

using namespace swaprig;

namespace {

CommandResult probe(const std::vector<std::string>& arguments) {
  SystemCommandRunner runner;
  Command command;
  command.program = SWAPRIG_PROBE;
  command.arguments = arguments;
  command.timeout = std::chrono::minutes(1);
  return runner.run(command);
}

struct Run {
  TemporaryFolder folder;
  CommandResult ended;
  std::string lines;  ///< what was sent to the port
  std::string text;
  wire::Sections sections;
  std::map<std::string, std::string> summary;

  /// `keys` are the job's lines behind version and user.
  explicit Run(const std::string& keys, const std::string& user = getpwuid(getuid())->pw_name) {
    const auto path = [this](const char* name) { return (folder.path() / name).string(); };
    std::ofstream(path("job")) << "version=1\nuser=" << user << "\n" << keys;
    std::ofstream(path("port")) << "";
    ended = probe({"run", path("job"), "--port=" + path("port"), "--result=" + path("result"), "--cgroup=/dev/null",
                   "--log=/dev/null", "--lock=0"});
    INFO(ended.err);
    lines = read_file(path("port"));
    text = read_file(path("result"));
    CHECK_FALSE(std::filesystem::exists(path("result.tmp")));
    REQUIRE(wire::decode_sections(text, sections));
    wire::Fields fields;
    REQUIRE(wire::decode_fields(section("summary"), fields));
    for (const auto& [key, value] : fields) summary[key] = value;
  }

  std::string section(const std::string& wanted) const {
    for (const auto& [name, body] : sections) {
      if (name == wanted) return std::string(body);
    }
    return "(none)";
  }
};

constexpr const char* k_all_lines = "swaprig 1 start\nswaprig 1 end\nswaprig 1 result\n";

std::string shell(const std::string& script) { return "argument=/bin/sh\nargument=-c\nargument=" + script + "\n"; }

}  // namespace

TEST_CASE("a workload is run, timed and reported") {
  const Run run(shell("echo out; echo err >&2; exit 3"));
  CHECK(run.ended.status == 0);
  CHECK(run.lines == k_all_lines);
  CHECK(run.summary.at("started") == "1");
  CHECK(run.summary.at("finished") == "1");
  CHECK(run.summary.at("exit_status") == "3");
  CHECK(run.summary.at("signal") == "0");
  CHECK(std::stoll(run.summary.at("wall_ns")) > 0);
  CHECK(run.summary.at("output_bytes") == "8");
  CHECK(run.section("output") == "out\nerr\n");
  wire::Sections before;
  REQUIRE(wire::decode_sections(run.section("before"), before));
  CHECK(before.at(0).first == "vmstat");
  CHECK(run.section("samples").starts_with(wire::k_samples_header));
}

TEST_CASE("environment, directory, stdin and process group of a workload") {
  const Run run("directory=/proc\nenvironment=A=b c\n" +
                shell("echo $A; pwd; cat; read a b c d group rest </proc/$$/stat; [ $group = $$ ] && echo leader; "
                      "echo $HOME; umask"));
  CHECK(run.section("output") == std::string("b c\n/proc\nleader\n") + getpwuid(getuid())->pw_dir + "\n0022\n");
}

TEST_CASE("a workload gets the processors and the priority that it is to have") {
  const Run run("cores=1\nnice=7\n" + shell("nproc; nice"));
  CHECK(run.section("output") == "1\n7\n");
}

TEST_CASE("a command that is not there") {
  const Run run("argument=/nosuch/command\n");
  CHECK(run.lines == k_all_lines);
  CHECK(run.summary.at("started") == "0");
  CHECK(run.summary.at("exec_error") == "/nosuch/command: No such file or directory");
}

TEST_CASE("what the probe cannot even try") {
  SECTION("no such user") {
    const Run run(shell("true"), "no-such-user");
    CHECK(run.ended.status == 1);
    CHECK(run.lines == "swaprig 1 end\nswaprig 1 result\n");
    CHECK(run.summary.at("started") == "0");
    CHECK(run.summary.at("error") == "the guest has no user no-such-user");
  }
  SECTION("no such directory") {
    const Run run("directory=/nosuch\n" + shell("true"));
    CHECK(run.summary.at("error") == "directory /nosuch: No such file or directory");
  }
  SECTION("a bad job") {
    const Run run("timeout_ms=soon\n" + shell("true"));
    CHECK(run.summary.at("error").starts_with("job: timeout_ms=soon is not a number"));
    CHECK(run.lines == "swaprig 1 end\nswaprig 1 result\n");
  }
}

TEST_CASE("a signal that ends a workload") {
  const Run run(shell("kill -SEGV $$"));
  CHECK(run.summary.at("finished") == "1");
  CHECK(run.summary.at("signal") == "11");
}

TEST_CASE("over its time, a workload is killed with all its descendants") {
  const Run run("timeout_ms=300\n" + shell("setsid sleep 61 & sleep 62"));
  CHECK(run.lines == k_all_lines);
  CHECK(run.summary.at("timed_out") == "1");
  CHECK(run.summary.at("finished") == "0");
  CHECK(run.summary.at("started") == "1");
  CHECK(std::stoll(run.summary.at("wall_ns")) >= 300'000'000);
}

TEST_CASE("a child that the workload leaves behind holds nothing up and is killed") {
  const Run run("environment=MARK=" + std::to_string(getpid()) + "\n" + shell("setsid sleep 63 & echo $!"));
  CHECK(run.summary.at("finished") == "1");
  CHECK(run.summary.at("leftover_processes") == "1");
  CHECK(std::stoll(run.summary.at("wall_ns")) < 60'000'000'000);
  const auto pid = std::string(trim(run.section("output")));
  CHECK_FALSE(std::filesystem::exists("/proc/" + pid + "/exe"));
}

TEST_CASE("much output is drained, and its end is kept") {
  const Run run("output_limit=100\n" +
                shell("i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done; echo end"));
  CHECK(run.summary.at("output_bytes") == "220004");
  CHECK(run.section("output").size() == 100);
  CHECK(run.section("output").ends_with("0123456789\nend\n"));
}

TEST_CASE("samples follow the process tree") {
  // The grandchild holds the memory.
  const Run run("sample_ms=20\n" + shell(std::string("(") + SWAPRIG_PROBE +
                                         " memory --size=33554432 --pattern=sweep --passes=30; sleep 0.2); true"));
  REQUIRE(run.summary.at("exit_status") == "0");
  const auto lines = split(run.section("samples"), '\n');
  CHECK(lines.size() > 3);
  CHECK(std::stoll(run.summary.at("peak_memory_kib")) > 32 << 10);
  CHECK(run.summary.at("samples_lost") == "0");
  const Run off("sample_ms=0\n" + shell("true"));
  CHECK(off.section("samples") == std::string(wire::k_samples_header) + "\n");
}

TEST_CASE("the memory workload") {
  const auto run = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "memory");
    return probe(arguments);
  };
  auto ended = run({"--size=4096000", "--pattern=random", "--passes=3", "--write-share=0", "--seed=2"});
  CHECK(ended.status == 0);
  CHECK(ended.out == "memory: pages=1000 passes=3 accesses=3000 rewritten=0 verified=1000 file_bytes=0\n");
  ended = run({"--size=4096001", "--pattern=sweep", "--passes=2", "--write-share=1", "--compressible=0.5"});
  CHECK(ended.out == "memory: pages=1001 passes=2 accesses=2002 rewritten=2002 verified=1001 file_bytes=0\n");
  CHECK(run({"--size=99999999999999999"}).status == 5);
  for (const auto& wrong : {"--size=0", "--size=-1", "--size=1MiB", "--pattern=zigzag", "--passes=x", "--write-share=2",
                            "--compressible=nan", "--colour=red"}) {
    INFO(wrong);
    const auto refused = run({"--size=4096", wrong});
    CHECK(refused.status == 2);
    CHECK_FALSE(refused.err.empty());
  }
}

TEST_CASE("facts and extents have the form that the protocol says") {
  const auto facts = probe({"facts"});
  CHECK(facts.status == 0);
  wire::Sections sections;
  REQUIRE(wire::decode_sections(facts.out, sections));
  CHECK(sections.at(0).first == "release");
  CHECK(probe({"facts", "--nonsense"}).status == 1);
  CHECK(probe({"extents", "/nosuch"}).status == 1);
  CHECK(probe({"settle"}).status == 1);
  CHECK(probe({"nonsense"}).status == 2);
  CHECK(probe({}).status == 2);
}
