#include "report/beside.hpp"

#include <algorithm>

#include "support/catch.hpp"
#include "support/sample_published.hpp"

using namespace swaprig;
using namespace swaprig::report;
using namespace swaprig::testing;

namespace {

Beside beside_of(const Subject& subject) { return beside_published(subject, find(subject)).value(); }

const BesideRow& row_of(const Beside& beside, const std::string& name) {
  const auto found =
      std::find_if(beside.rows.begin(), beside.rows.end(), [&](const auto& r) { return r.name == name; });
  REQUIRE(found != beside.rows.end());
  return *found;
}

bool says(const Beside& beside, const std::string& sentence) {
  return std::find(beside.sentences.begin(), beside.sentences.end(), sentence) != beside.sentences.end();
}

void fail_all(Subject& subject, const std::string& arm) {
  for (auto& run : subject.runs) {
    if (run.arm == arm) fail(run, run::State::failed, "panic", "");
  }
}

}  // namespace

TEST_CASE("excess over RAM only, theirs and ours, in seconds and in drive time") {
  const auto beside = beside_of(beside_the_study(sample_simulated_subject()));
  CHECK(beside.floor == "RAM only");
  CHECK(beside.baseline == "start of the HDD");
  CHECK(beside.drive_times);
  REQUIRE(beside.rows.size() == 6);

  const auto& floor = row_of(beside, "RAM only");
  CHECK(floor.excess == 0);
  CHECK(floor.time.excess == 0.0);
  CHECK(floor.drive.seconds == 0.0);
  CHECK(floor.drive.excess == 0.0);
  const auto& start = row_of(beside, "start of the HDD");
  CHECK(start.ratio == 1);
  CHECK(start.excess == 1);
  CHECK(start.time.excess == 1.0);
  CHECK(start.drive.seconds == Approx(40));
  CHECK(start.drive.excess == 1.0);
  const auto& end = row_of(beside, "end of the HDD");
  CHECK(end.seconds == 3161);
  CHECK(end.ratio == Approx(3161.0 / 1701));
  CHECK(end.excess == Approx((3161.0 - 165) / (1701 - 165)));
  CHECK(end.time.seconds == Approx(176.2));
  CHECK(end.time.excess == Approx((176.2 - 24.11) / (113.4 - 24.11)));
  CHECK(end.drive.excess == Approx(56.0 / 40));
  CHECK(end.time.blank_because.empty());
  CHECK(end.valid == 2);
  CHECK(end.planned == 2);
  const auto& nvme = row_of(beside, "NVMe");
  CHECK(nvme.own == "second drive");
  CHECK(nvme.drive.excess == Approx(3.0 / 40));
}

TEST_CASE("a scenario that is left out is blank, not 0") {
  const auto beside = beside_of(beside_the_study(sample_simulated_subject()));
  const auto& row = row_of(beside, "SATA SSD");
  CHECK(row.own.empty());
  CHECK(row.excess == Approx(0.3945).margin(0.0001));
  for (const auto* figure : {&row.time, &row.drive}) {
    CHECK_FALSE(figure->seconds);
    CHECK_FALSE(figure->excess);
    CHECK(figure->blank_because == "this experiment leaves it out");
  }
}

TEST_CASE("orders and what is not in the study are told") {
  auto subject = beside_the_study(sample_simulated_subject());
  SECTION("the same order") {
    const auto beside = beside_of(subject);
    CHECK(says(beside, "In seconds the scenarios that have a figure come in the published order."));
    CHECK(says(beside, "Not in the study: “swap file by fallocate”."));
  }
  SECTION("another order") {
    for (auto& run : subject.runs) {
      if (run.arm == "second drive") run.evidence.workload.wall_ns = 500'000'000'000;
    }
    CHECK(says(beside_of(subject),
               "In seconds the order of the scenarios that have a figure is not the published one. Ours, from the "
               "fastest: “RAM only”, “start of the HDD”, “swap file on the HDD”, “end of the HDD”, “NVMe”."));
  }
  SECTION("too few to tell") {
    for (const char* arm : {"second drive", "swap file by dd", "end of the HDD"}) fail_all(subject, arm);
    for (const auto& sentence : beside_of(subject).sentences) CHECK(sentence.find("order") == std::string::npos);
  }
}

TEST_CASE("without valid runs there is no excess, with the reason") {
  auto subject = beside_the_study(sample_simulated_subject());
  SECTION("of one scenario") {
    fail_all(subject, "end of the HDD");
    const auto beside = beside_of(subject);
    const auto& row = row_of(beside, "end of the HDD");
    CHECK(row.time.blank_because == "no valid run: failed: panic");
    CHECK(row.drive.blank_because == "no valid run: failed: panic");
    CHECK(row_of(beside, "NVMe").time.excess);
  }
  SECTION("of RAM only: the drive time's floor is 0 all the same") {
    fail_all(subject, "RAM only");
    const auto beside = beside_of(subject);
    CHECK(row_of(beside, "NVMe").time.seconds);
    CHECK_FALSE(row_of(beside, "NVMe").time.excess);
    CHECK(row_of(beside, "NVMe").time.blank_because == "“RAM only”: no valid run: failed: panic");
    CHECK(row_of(beside, "NVMe").drive.excess == Approx(3.0 / 40));
    CHECK_FALSE(row_of(beside, "RAM only").drive.excess);
    CHECK(says(beside,
               "There is no excess of our seconds, since it needs both the floor and the baseline. “RAM only”: "
               "no valid run: failed: panic."));
  }
  SECTION("of the baseline") {
    fail_all(subject, "start of the HDD");
    const auto beside = beside_of(subject);
    CHECK(row_of(beside, "NVMe").time.blank_because == "“start of the HDD”: no valid run: failed: panic");
    CHECK(row_of(beside, "NVMe").drive.blank_because == "“start of the HDD”: no valid run: failed: panic");
    CHECK(row_of(beside, "NVMe").drive.seconds == Approx(3));
    CHECK(says(beside, "There is no excess of our drive time. “start of the HDD”: no valid run: failed: panic."));
  }
  SECTION("no run at all") {
    subject.runs.clear();
    for (const auto& row : beside_of(subject).rows) CHECK_FALSE(row.time.excess);
  }
}

TEST_CASE("a baseline that is not slower than RAM only measures nothing") {
  auto subject = beside_the_study(sample_simulated_subject());
  for (auto& run : subject.runs) {
    if (run.arm == "start of the HDD") run.evidence.workload.wall_ns = 20'000'000'000;
  }
  const auto beside = beside_of(subject);
  CHECK(row_of(beside, "NVMe").time.blank_because == "“start of the HDD” is not slower than “RAM only”");
}

TEST_CASE("drives that are not simulated have no drive time") {
  const auto beside = beside_of(beside_the_study(sample_subject(2)));
  CHECK_FALSE(beside.drive_times);
  CHECK(says(beside, "There is no drive time: no scenario swaps to simulated drives alone."));
  CHECK(row_of(beside, "NVMe").time.excess);
  CHECK_FALSE(row_of(beside, "NVMe").drive.excess);
  CHECK(row_of(beside, "NVMe").drive.blank_because == "a drive that it swaps to is not simulated, or was not read");
}

TEST_CASE("a drive that did nothing is no measure") {
  auto subject = beside_the_study(sample_simulated_subject());
  for (auto& run : subject.runs) {
    if (run.arm == "start of the HDD") run.evidence.host_after.drives[0].simulated->busy_ns = 1'000'000'000;
  }
  const auto beside = beside_of(subject);
  CHECK(row_of(beside, "NVMe").drive.blank_because == "the drives of “start of the HDD” were not busy with its swap");
}

TEST_CASE("nothing beside nothing, and nothing beside a study of swap files") {
  auto subject = sample_subject(2);
  CHECK_FALSE(beside_published(subject, find(subject)));
  subject.experiment.reference = spec::Reference{"swapfile-creation-2017", shipped_study("swapfile-creation-2017"), {}};
  CHECK_FALSE(beside_published(subject, find(subject)));
}

TEST_CASE("our own set-up, in words") {
  auto subject = beside_the_study(sample_simulated_subject(2, 0.5));
  subject.experiment.scenarios[0].guest.memory = gib(8);
  for (const std::string key : spec::k_setup_keys) CHECK_FALSE(own_setup(subject, key).empty());
  CHECK(own_setup(subject, "memory").ends_with("; “RAM only”: 8 GiB"));
  CHECK(own_setup(subject, "drive").find("“hdd”: simulated, Some HDD, all delays times 0.5") != std::string::npos);
  CHECK(own_setup(subject, "runs") == "2 of each case, the best counts");
  CHECK(own_setup(subject, "bus").find("“hdd”: ") == 0);
  for (auto& run : subject.runs) run.evidence.acceleration = "tcg";
  CHECK(own_setup(subject, "acceleration") == "none: emulated CPU (TCG)");
  subject.runs.clear();
  CHECK(own_setup(subject, "acceleration").empty());
}
