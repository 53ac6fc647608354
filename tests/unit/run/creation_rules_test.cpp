#include "run/judge.hpp"
#include "support/catch.hpp"
#include "support/sample_evidence.hpp"

using namespace swaprig::run;
using swaprig::testing::valid_evidence;

namespace {

/// A valid run that made one swap file by each method, twice, and timed the controls.
Evidence making_evidence() {
  auto e = valid_evidence();
  e.workload_kind = "swapfile-creation";
  e.expect_swap = false;
  e.min_swap_bytes = 0;
  e.planned_swap.clear();
  e.swaps_expected.clear();
  e.swaps_placed.clear();
  e.swaps_settled.clear();
  e.areas.clear();
  e.guest_before.swaps.clear();
  e.guest_after.swaps.clear();
  e.guest_after.vmstat = e.guest_before.vmstat;
  e.planned_repeats = 2;
  e.planned_creations = {"true", "fallocate of 1 MiB", "fallocate(2) of 1 MiB", "dd of 1 MiB in blocks of 4 KiB, fsync"};
  const std::vector<std::int64_t> two{1000, 2000};
  e.creations = {{"true", "xfs", 0, 0, false, two, two, two, ""},
                 {"fallocate", "xfs", 1 << 20, 0, false, two, two, two, ""},
                 {"fallocate(2)", "xfs", 1 << 20, 0, false, two, two, two, ""},
                 {"dd", "xfs", 1 << 20, 4096, true, two, two, two, ""}};
  return e;
}

std::string first_code(const Verdict& verdict) { return verdict.reasons.empty() ? "" : verdict.reasons.front().code; }
std::string first_text(const Verdict& verdict) { return verdict.reasons.empty() ? "" : verdict.reasons.front().text; }

}  // namespace

TEST_CASE("a run that made every swap file is valid without any swap traffic") {
  const auto verdict = judge(making_evidence());
  INFO(first_text(verdict));
  CHECK(verdict.state == State::valid);
}

TEST_CASE("what the kernel put into a swap file that was tried out is no traffic of the scenario") {
  auto e = making_evidence();
  e.guest_after.vmstat["pswpout"] += 12;
  e.guest_after.vmstat["pswpin"] += 3;
  CHECK(judge(e).state == State::valid);
}

TEST_CASE("a swap file that was left on is foreign swap") {
  auto e = making_evidence();
  e.guest_after.swaps = {{"/run/swaprig/fs/hdd-3/swapfile", "file", 1020, 0, -2}};
  CHECK(first_code(judge(e)) == "foreign swap");
}

TEST_CASE("a timing that is missing is a reading that is missing") {
  for (int broken = 0; broken < 4; ++broken) {
    auto e = making_evidence();
    if (broken == 0) e.creations.pop_back();
    if (broken == 1) e.creations.back().real_ns.pop_back();
    if (broken == 2) e.creations.clear();
    if (broken == 3) e.creations.back().block_bytes = 8192;
    const auto verdict = judge(e);
    INFO(broken);
    CHECK(verdict.state == State::invalid);
    CHECK(first_code(verdict) == "readings missing");
  }
  auto e = making_evidence();
  e.creations.pop_back();
  CHECK(first_text(judge(e)) == "1 of 4 timings, such as dd of 1 MiB in blocks of 4 KiB, fsync");
}

TEST_CASE("a guest that sends nonsense as sizes is told by its missing timings") {
  auto e = making_evidence();
  e.creations.back().size_bytes = -5;
  CHECK(first_code(judge(e)) == "readings missing");
}

TEST_CASE("cases 9 and 10: a run in which no swap file could be made is unsupported, with the reason") {
  auto e = making_evidence();
  for (auto& creation : e.creations) {
    if (creation.method == "true" || creation.method == "fallocate(2)") continue;
    creation.real_ns.clear();
    creation.unsupported = "swapon: /swapfile: swapon failed: Invalid argument\x1b[0m";
  }
  auto verdict = judge(e);
  CHECK(verdict.state == State::unsupported);
  CHECK(first_code(verdict) == "unsupported");
  CHECK(first_text(verdict).find("on xfs: fallocate of 1 MiB: swapon: /swapfile: swapon failed") != std::string::npos);
  CHECK(first_text(verdict).find('\x1b') == std::string::npos);
  // It outranks what is invalid.
  e.host_window_ns.reset();
  CHECK(judge(e).state == State::unsupported);
}

TEST_CASE("as long as one swap file was made the run counts, and the others stay unsupported in it") {
  auto e = making_evidence();
  e.creations[1].real_ns.clear();
  e.creations[1].unsupported = "fallocate: fallocate failed: Operation not supported";
  CHECK(judge(e).state == State::valid);
}

TEST_CASE("a workload of another kind is not asked for swap files") {
  auto e = valid_evidence();
  e.creations.clear();
  CHECK(judge(e).state == State::valid);
}

TEST_CASE("a full file system is a failure of its own, and nobody misses the timings") {
  auto e = making_evidence();
  e.creations.clear();
  e.workload.exit_status = 6;
  e.workload.output_tail = "swapfiles: dd: error writing '/swapfile': No space left on device\n";
  const auto verdict = judge(e);
  CHECK(verdict.state == State::failed);
  REQUIRE(verdict.reasons.size() == 1);
  CHECK(verdict.reasons.front().code == "file system full");
  CHECK(verdict.reasons.front().text.find("No space left") != std::string::npos);
  e.workload_kind = "command";
  CHECK(first_code(judge(e)) == "exit status");
}
