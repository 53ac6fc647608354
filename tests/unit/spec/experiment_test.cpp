#include "spec/experiment.hpp"

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "spec/document.hpp"
#include "spec/workload.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"

using namespace swaprig;
using namespace swaprig::spec;
using namespace std::chrono_literals;

namespace {

const Library k_library{{"quickstart"}};

std::string good(const std::string& name) {
  return read_file(testing::source_folder() / "tests" / "specs" / "good" / (name + ".toml"));
}

Experiment parse(const std::string& text) { return parse_experiment(text, "some/where/name.toml", k_library); }

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

}  // namespace

TEST_CASE("defaults") {
  const auto text = good("names");
  const auto experiment = parse(text);
  CHECK(experiment.name == "name");
  CHECK(experiment.path == "some/where/name.toml");
  CHECK(experiment.text == text);
  CHECK(experiment.runs == Runs{});
  CHECK(experiment.runs.count == 2);
  CHECK(experiment.runs.order == Order::mirrored);
  CHECK(experiment.runs.timeout == 1h);
  CHECK(experiment.runs.min_swap.fraction_of_memory == Approx(0.10));
  CHECK(experiment.guest.vcpus == 1);
  CHECK(experiment.guest.accel == Accel::automatic);
  CHECK(experiment.baseline == experiment.scenarios.front().name);
  CHECK(experiment.scenarios[0].expect_swap);
  CHECK_FALSE(experiment.scenarios[1].expect_swap);
}

TEST_CASE("case 26: names with commas, quotes, newlines and markup survive") {
  const auto experiment = parse(good("names"));
  CHECK(experiment.title == "<script>alert(\"1\")</script>, & 'more'");
  CHECK(experiment.drives[0].name == "Größe, \"fast\" <b>");
  CHECK(experiment.drives[0].partitions[1].name == "swap, at the\nend");
  CHECK(experiment.scenarios[1].name == "two\nlines <script>");
  CHECK(experiment.scenarios[0].swap[0].where == PartitionRef{"Größe, \"fast\" <b>", "swap, at the\nend"});
  CHECK(experiment.scenario("two\nlines <script>").swap.empty());
  CHECK(experiment.root() == PartitionRef{"Größe, \"fast\" <b>", "root"});
}

TEST_CASE("a scenario overrides the guest: sysctls by name, everything else as a whole") {
  const auto experiment = parse(good("everything"));
  const auto& guest = experiment.scenario("none").guest;
  CHECK(guest.memory == gib(8));
  CHECK(guest.vcpus == 4);
  CHECK(guest.accel == Accel::kvm);
  CHECK(guest.kernel_arguments.empty());
  CHECK(guest.sysctl.at("vm.swappiness") == "1");
  CHECK(guest.sysctl.at("vm.page-cluster") == "3");
  CHECK(guest.sysctl.at("vm.overcommit_memory") == "1");
  CHECK(experiment.scenario("two areas").guest == experiment.guest);
}

TEST_CASE("a partition's area is as large as the partition, also when that takes the rest") {
  const auto experiment = parse(good("everything"));
  const auto& area = experiment.scenario("two areas").swap[0];
  CHECK(area.where.partition == "v1.5");
  CHECK(area.size == gib(4) - mib(2) - gib(2) - mib(512));
}

TEST_CASE("the timeout may stand in the workload or in the runs") {
  const auto text = good("everything");
  CHECK(parse(text).runs.timeout == 2h);
  const auto moved = replaced(replaced(text, "timeout = \"2 h\"\n\n[[", "\n[["), "count = 7", "timeout = \"3 h\"");
  CHECK(parse(moved).runs.timeout == 3h);
}

TEST_CASE("the memory workload comes down to the probe's command") {
  const auto experiment = parse(good("quickstart"));
  CHECK(experiment.workload.kind == "memory");
  CHECK(experiment.workload.command == std::vector<std::string>{"/run/swaprig/probe", "memory", "--size=301989888",
                                                                "--pattern=sweep", "--passes=2", "--write-share=0.5",
                                                                "--compressible=0", "--seed=1"});
  CHECK(experiment.workload.summary == "memory: 288 MiB, sweep, 2 passes");
}

TEST_CASE("comments and formatting do not change what was asked, values do") {
  const auto text = good("quickstart");
  const auto canonical = parse(text).canonical;
  CHECK(parse(replaced(text, "[workload]", "# a note\n\n[ workload ]")).canonical == canonical);
  CHECK(parse(replaced(text, "passes  = 2", "passes=3")).canonical != canonical);
}

TEST_CASE("a file that is not there is a wrong file") {
  CHECK_THROWS_AS(load_experiment("/no/such/file.toml", k_library), BadInput);
  CHECK_THROWS_AS(load_experiment("/", k_library), BadInput);
}

TEST_CASE("cut at any byte, the quickstart is refused or read, and never crashes") {
  const auto text = good("quickstart");
  for (std::size_t i = 0; i < text.size(); i += 7) {
    try {
      parse(text.substr(0, i));
    } catch (const BadInput& input) {
      CHECK_FALSE(input.diagnostics().empty());
    }
  }
}

TEST_CASE("every line of a full file left out, in turn") {
  const auto lines = good("everything");
  for (std::size_t begin = 0; begin < lines.size();) {
    const auto end = lines.find('\n', begin) + 1;
    try {
      parse(lines.substr(0, begin) + lines.substr(end));
    } catch (const BadInput& input) {
      CHECK_FALSE(input.diagnostics().empty());
    }
    begin = end;
  }
}

TEST_CASE("a changed profile is a changed experiment, and a stored one stands in for the folder") {
  const std::string text =
      "schema = 1\n[guest]\nimage = \"quickstart\"\nmemory = \"256 MiB\"\n[drives.d]\nsimulate = \"mine\"\n"
      "partitions = [{ name = \"root\", size = \"rest\", type = \"ext4\", holds = \"image\" }]\n"
      "[workload]\nkind = \"memory\"\nsize = \"300 MiB\"\n[[scenarios]]\nname = \"none\"\nswap = []\n";
  const auto profile = [](const std::string& size) {
    return "schema = 1\ntitle = \"mine\"\nkind = \"null\"\n[figures]\nsize = { value = \"" + size +
           "\", source = \"assumed\" }\nlogical_sector = { value = \"512 B\", source = \"assumed\" }\n"
           "physical_sector = { value = \"512 B\", source = \"assumed\" }\n";
  };
  Library library = k_library;
  library.profiles["mine"] = profile("1 GiB");
  const auto before = parse_experiment(text, "a.toml", library);
  CHECK(before.drive("d").size() == gib(1));
  CHECK(used_profiles(before) == library.profiles);
  library.profiles["mine"] = profile("2 GiB");
  const auto after = parse_experiment(text, "a.toml", library);
  CHECK(before.text == after.text);
  const auto changes = differences(before.canonical, after.canonical);
  REQUIRE(changes.size() == 2);
  CHECK(changes[0] == "- profile mine: figures.size.value = \"1 GiB\"");
  library.profiles.clear();
  CHECK_THROWS_AS(parse_experiment(text, "a.toml", library), BadInput);
}

TEST_CASE("a quick look is one block with the quick workload, under a name of its own") {
  const auto text = good("workload-common");
  const auto full = parse(text);
  CHECK(full.extent == Extent::full);
  CHECK(full.name == "name");
  CHECK(full.runs.count == 2);
  CHECK(full.drives[0].io == "threads");
  CHECK(full.runs.timeout == 2h);
  CHECK(full.workload.command.back() == "make -j3");

  const auto quick = parse_experiment(text, "some/where/name.toml", k_library, Extent::quick);
  CHECK(quick.extent == Extent::quick);
  CHECK(quick.name == "name-quick");
  CHECK(quick.runs.count == 1);
  CHECK(quick.runs.timeout == 10min);
  CHECK(quick.workload.command.back() == "make small");
  CHECK(quick.workload.verify == "test -x small");
  CHECK(quick.workload.cores == 3);
  CHECK(quick.canonical != full.canonical);
  CHECK(differences(full.canonical, quick.canonical) == std::vector<std::string>{"+ quick"});
  // As it comes back from the store.
  CHECK(parse_experiment(text, "name-quick.toml", k_library, Extent::quick).name == "name-quick");
}

TEST_CASE("a quick look without a table of its own does the same work once") {
  const auto quick = parse_experiment(good("quickstart"), "quickstart.toml", k_library, Extent::quick);
  const auto full = parse_experiment(good("quickstart"), "quickstart.toml", k_library);
  CHECK(quick.workload == full.workload);
  CHECK(quick.runs.count == 1);
}

TEST_CASE("a scenario may say where the root's files lie") {
  const auto experiment = parse(good("workload-common"));
  CHECK(experiment.scenarios[0].guest.root_data == RootData::spread);
  CHECK(experiment.scenarios[1].guest.root_data == RootData::end);
  CHECK(experiment.scenarios[1].swap[0].beside == "/first");
}
