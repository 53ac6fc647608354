#include "report/why.hpp"

#include <algorithm>

#include "report/attribution.hpp"
#include "report/findings.hpp"
#include "report/wording.hpp"
#include "support/catch.hpp"
#include "support/sample_simulated.hpp"

using namespace swaprig;
using namespace swaprig::report;
using namespace swaprig::testing;

namespace {

const Arm& arm_named(const Findings& findings, const std::string& name) {
  const auto found =
      std::find_if(findings.arms.begin(), findings.arms.end(), [&](const Arm& one) { return one.name == name; });
  REQUIRE(found != findings.arms.end());
  return *found;
}

const DriveWork& drive_named(const RunWork& work, const std::string& name) {
  const auto found =
      std::find_if(work.drives.begin(), work.drives.end(), [&](const DriveWork& one) { return one.name == name; });
  REQUIRE(found != work.drives.end());
  return *found;
}

}  // namespace

TEST_CASE("what a simulated drive with an arm did in the window, by hand") {
  const auto subject = sample_simulated_subject();
  const auto findings = find(subject);
  const auto& work = *arm_named(findings, "start of the HDD").work;
  CHECK(work.memory_some_s == Approx(62.5));
  CHECK(work.memory_full_s == Approx(58));
  CHECK(work.major_faults == 3500);
  REQUIRE(work.drives.size() == 1);  // the other one had neither swap nor the root nor a request
  const auto& hdd = work.drives.front();
  CHECK(hdd.holds_swap);
  CHECK(hdd.guest->reads == 2000);
  CHECK(hdd.guest->read_latency_ms() == Approx(5));
  CHECK(hdd.guest->write_latency_ms() == Approx(5));
  CHECK(hdd.host->read_bytes == std::int64_t{320} << 20U);
  CHECK(hdd.host->read_latency_ms() == Approx(4));
  CHECK(hdd.host->write_latency_ms() == Approx(2.5));

  const auto& simulated = *hdd.simulated;
  CHECK(simulated.rotates);
  CHECK(simulated.busy_s == Approx(40));
  CHECK(simulated.busy_share() == Approx(0.4));
  CHECK(simulated.seek_s == Approx(12));
  CHECK(simulated.rotation_s == Approx(20));
  CHECK(simulated.transfer_s == Approx(8));
  CHECK(simulated.queue_s == Approx(6));
  CHECK(simulated.reads == 2000);
  CHECK(simulated.read_hits == 1000);
  CHECK(simulated.read_partial_hits == 40);
  CHECK(simulated.write_hits == 900);
  CHECK(simulated.arm_operations == 1600);
  CHECK(simulated.strokes_a_operation() == Approx(0.05));
  CHECK(simulated.late_share() == Approx(0.015));
  // 3000 requests, 30 of them in the last bucket: 99 % are in those before it.
  CHECK(simulated.late_p99_s == Approx(57343e-9));  // the upper end of the bucket that 50 us fall into
  CHECK(simulated.starvation_s == Approx(0.25));
  CHECK(simulated.floor_share() == Approx(0.1));
  CHECK_FALSE(simulated.is_floor_limited());
}

TEST_CASE("crossings are moves between the file system and swap, both ways") {
  const auto subject = sample_simulated_subject();
  const auto findings = find(subject);
  SECTION("a swap partition; a part without a name is the file system") {
    const auto& crossings = arm_named(findings, "start of the HDD").work->drives.front().simulated->crossings;
    CHECK(crossings.moves == 300);
    CHECK(crossings.seek_s == Approx(4.5));
    CHECK(crossings.rotation_s == Approx(3));
  }
  SECTION("swap files") {
    CHECK(arm_named(findings, "swap file by dd").work->drives.front().simulated->crossings.moves == 300);
  }
}

TEST_CASE("a drive without an arm, most of its requests limited by the floor") {
  const auto subject = sample_simulated_subject();
  const auto findings = find(subject);
  const auto& arm = arm_named(findings, "second drive");
  CHECK(arm.drive_time_s() == Approx(3));
  const auto& nvme = *drive_named(*arm.work, "nvme").simulated;
  CHECK_FALSE(nvme.rotates);
  CHECK(nvme.floor_share() == Approx(0.6));
  CHECK(nvme.is_floor_limited());
  CHECK_FALSE(nvme.strokes_a_operation());
  CHECK_FALSE(drive_named(*arm.work, "hdd").holds_swap);  // the root's
  CHECK_FALSE(drive_named(*arm.work, "hdd").guest->read_latency_ms());

  SECTION("half of them is not most of them") {
    SimulatedWork half;
    CHECK_FALSE(half.floor_share());
    half.delivered = 4000;
    half.floor_limited = 2000;
    CHECK_FALSE(half.is_floor_limited());
  }
}

TEST_CASE("drive time is blank where a swap drive is not simulated, never 0") {
  CHECK_FALSE(arm_named(find(sample_subject()), "start of the HDD").drive_time_s());
  auto subject = sample_simulated_subject();
  CHECK_FALSE(arm_named(find(subject), "RAM only").drive_time_s());
  CHECK(arm_named(find(subject), "end of the HDD").drive_time_s() == Approx(56));

  SECTION("one of two is a file") {
    auto& scenario = subject.experiment.scenarios[1];
    scenario.swap.push_back(sample_area("partition", "nvme", "swap"));
    subject.experiment.drives[1].backing = spec::FileBacking{gib(2)};
    for (auto& run : subject.runs) {
      run.evidence.host_before.drives[1].simulated.reset();
      run.evidence.host_after.drives[1].simulated.reset();
    }
    CHECK_FALSE(arm_named(find(subject), "start of the HDD").drive_time_s());
  }
  SECTION("a server that began again counts from 0") {
    for (auto& run : subject.runs) run.evidence.host_after.drives[0].simulated->wall_ns = 5;
    CHECK_FALSE(arm_named(find(subject), "start of the HDD").drive_time_s());
  }
  SECTION("no readings at all") {
    for (auto& run : subject.runs) {
      run.evidence.host_before = {};
      run.evidence.host_after = {};
      run.evidence.guest_after = {};
    }
    const auto findings = find(subject);
    const auto& work = *arm_named(findings, "start of the HDD").work;
    CHECK_FALSE(work.memory_some_s);
    CHECK_FALSE(work.swapped_in_bytes);
    REQUIRE(work.drives.size() == 1);
    CHECK_FALSE(work.drives.front().guest);
    CHECK_FALSE(work.drives.front().host);
    CHECK(arm_named(findings, "start of the HDD").attribution == "How much “start of the HDD” swapped was not read.");
  }
}

TEST_CASE("the run that gives the score") {
  auto subject = sample_simulated_subject(5);
  CHECK(arm_named(find(subject), "start of the HDD").scored->wall_seconds() == Approx(113.0));
  subject.experiment.runs.score = spec::Score::median;
  CHECK(arm_named(find(subject), "start of the HDD").scored->wall_seconds() == Approx(114.2));
  // Four runs, 113.9 114.0 115.0 115.5 without the failed one (block 3): 114.45 between 114.0 and 114.9.
  CHECK(arm_named(find(subject), "swap file by fallocate").scored->wall_seconds() == Approx(114.0).margin(1));
}

TEST_CASE("sentences attribute the time from the numbers alone") {
  const auto subject = sample_simulated_subject();
  const auto findings = find(subject);
  CHECK(arm_named(findings, "start of the HDD").attribution ==
        "“start of the HDD” kept the arm busy 40.0 s of 113 s: 20.0 s rotation, 12.0 s seek, 8.00 s transfer, in 1600 "
        "operations; 7.50 s of it between the file system and swap.");
  // 12 * 0.5 = 6 s seek, 20 * 0.1 = 2 s rotation, 8 * 1 = 8 s transfer; 176.2 - 113.4 = 62.8 s.
  CHECK(arm_named(findings, "end of the HDD").attribution ==
        "“end of the HDD” kept the arm busy 56.0 s, 16.0 s longer than “start of the HDD”: +8.00 s transfer, +6.00 s "
        "seek, +2.00 s rotation, in as many operations of the arm; the workload took 62.8 s longer.");
  CHECK(arm_named(findings, "second drive").attribution ==
        "“second drive” kept its swap drive busy 3.00 s, 37.0 s less than “start of the HDD”; the workload took 36.5 s "
        "less.");
  CHECK(arm_named(findings, "RAM only").attribution == "“RAM only” swapped nothing.");
  CHECK(arm_named(findings, "swap file by dd")
            .attribution.find("busy 40.0 s, as long as “start of the HDD”, in as many operations") !=
        std::string::npos);

  SECTION("drives that are not simulated: what the guest waited for") {
    auto plain = sample_simulated_subject();
    plain.experiment.drives[0].backing = spec::FileBacking{gib(16)};
    for (auto& run : plain.runs) run.evidence.host_after.drives[0].simulated.reset();
    CHECK(arm_named(find(plain), "start of the HDD").attribution ==
          "“start of the HDD” swapped 320 MiB in and 365 MiB out; some task waited for memory in 62.5 s of 113 s; on "
          "“hdd” a read took 5.00 ms and a write took 5.00 ms on average, as the guest saw it.");
  }
}

TEST_CASE("figures have about three digits, and no sign without a value") {
  CHECK(figure_in_words(0) == "0");
  CHECK(figure_in_words(0.0004) == "0");
  CHECK(figure_in_words(0.236) == "0.236");
  CHECK(figure_in_words(3.149) == "3.15");
  CHECK(figure_in_words(10.64) == "10.6");
  CHECK(figure_in_words(113.4) == "113");
  CHECK(signed_seconds(-0.221) == "−0.221 s");
  CHECK(signed_seconds(1.2) == "+1.20 s");
  CHECK(signed_seconds(-0.0001) == "0 s");
  CHECK(share_in_words(0) == "0 %");
  CHECK(share_in_words(0.0001) == "< 0.1 %");
  CHECK(share_in_words(0.8234) == "82.3 %");
}
