#include "history/epoch.hpp"

#include "support/catch.hpp"

using namespace swaprig::history;

namespace {

const Facts k_host{{"CPU", "X"}, {"kernel", "6.1"}, {"governor", "powersave"}, {"libvirt", "9.0"}};

const char* const k_canonical =
    "baseline = \"a\"\n"
    "drives.hdd.simulate = \"wd20earx\"\n"
    "guest.memory = \"1 GiB\"\n"
    "runs.count = 2\n"
    "scenarios[1].guest.memory = \"2 GiB\"\n"
    "scenarios[1].name = \"a \\\"quoted\\\" name\"\n"
    "scenarios[2].name = \"b\"\n"
    "scenarios[2].swap[1].partition = \"hdd.swap\"\n"
    "workload.kind = \"memory\"\n";

std::string epoch(const Facts& host, const std::string& canonical, const std::string& scenario = "b",
                  const std::string& profile = "rpm = 5400") {
  return epoch_of(stable_facts(host, canonical, {{"wd20earx", profile}, {"a study", "text"}}, scenario));
}

std::string with(std::string text, const std::string& before, const std::string& after) {
  return text.replace(text.find(before), before.size(), after);
}

}  // namespace

TEST_CASE("readings that wander, counts and other scenarios do not begin an epoch") {
  const auto before = epoch(k_host, k_canonical);
  auto host = k_host;
  host[2].second = "performance";
  host[3].second = "10.0";
  CHECK(epoch(host, k_canonical) == before);
  CHECK(epoch(k_host, with(k_canonical, "runs.count = 2", "runs.count = 9")) == before);
  CHECK(epoch(k_host, with(k_canonical, "2 GiB", "4 GiB")) == before);
  CHECK(epoch(k_host, with(k_canonical, "baseline = \"a\"", "baseline = \"b\"")) == before);
}

TEST_CASE("hardware, kernel, drives, workload and the scenario itself begin an epoch") {
  const auto before = epoch(k_host, k_canonical);
  auto host = k_host;
  host[1].second = "6.12";
  CHECK(epoch(host, k_canonical) != before);
  CHECK(epoch(k_host, with(k_canonical, "1 GiB", "3 GiB")) != before);
  CHECK(epoch(k_host, with(k_canonical, "\"memory\"", "\"command\"")) != before);
  CHECK(epoch(k_host, with(k_canonical, "hdd.swap\"", "hdd.other\"")) != before);
  CHECK(epoch(k_host, k_canonical, "b", "rpm = 7200") != before);
  CHECK(epoch(k_host, with(k_canonical, "2 GiB", "4 GiB"), "a \"quoted\" name") !=
        epoch(k_host, k_canonical, "a \"quoted\" name"));
}

TEST_CASE("what differs between two epochs is said by name") {
  const Facts first{{"CPU", "X"}, {"kernel", "6.1"}, {"gone", "1"}};
  const Facts second{{"CPU", "X"}, {"kernel", "6.12"}, {"new", "2"}};
  CHECK(differences(first, second) ==
        std::vector<std::string>{"- gone: 1", "- kernel: 6.1", "+ kernel: 6.12", "+ new: 2"});
  CHECK(differences(first, first).empty());
}
