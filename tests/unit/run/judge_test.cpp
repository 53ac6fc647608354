#include "run/judge.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <set>

#include "support/catch.hpp"
#include "support/sample_evidence.hpp"

using namespace swaprig::run;
using swaprig::testing::valid_evidence;

namespace {

/// The first drive becomes a simulated one; what its server counted at the window's end, 10 s after the beginning.
swaprig::drive::SimulatedCounters& simulate(Evidence& e) {
  e.direct_io[0].result = DirectIo::simulated;
  e.host_before.drives[0].simulated.emplace();
  auto& after = e.host_after.drives[0].simulated.emplace();
  after.wall_ns = 10'000'000'000;
  after.busy_ns = 1'000'000'000;
  after.operations["read"].bytes = e.host_after.drives[0].read_bytes - e.host_before.drives[0].read_bytes;
  after.operations["write"].bytes = e.host_after.drives[0].written_bytes - e.host_before.drives[0].written_bytes;
  return after;
}

constexpr std::int64_t k_mib = std::int64_t{1} << 20U;

Verdict judged(const std::function<void(Evidence&)>& change) {
  auto evidence = valid_evidence();
  change(evidence);
  return judge(evidence);
}

std::string shown_code(const Verdict& verdict) { return verdict.reasons.empty() ? "" : verdict.reasons.front().code; }

std::string first_text(const Verdict& verdict) { return verdict.reasons.empty() ? "" : verdict.reasons.front().text; }

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A run that ended before its workload.
void stop_early(Evidence& e) {
  e.workload = {};
  e.guest_before = {};
  e.guest_after = {};
  e.host_before = {};
  e.host_after = {};
  e.host_window_ns.reset();
  e.samples.clear();
}

void fail_with(Evidence& e, const std::string& code) {
  stop_early(e);
  e.swaps_placed.clear();
  e.swaps_settled.clear();
  e.failures = {{code, "as the step said it"}};
}

/// The scenario without swap: more memory instead.
void without_swap(Evidence& e) {
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
  e.guest_after.disks = e.guest_before.disks;
}

/// The swap area is a file on the root file system: its traffic shares a block device with files.
void as_file(Evidence& e) {
  for (auto* swaps :
       {&e.swaps_expected, &e.swaps_placed, &e.swaps_settled, &e.guest_before.swaps, &e.guest_after.swaps}) {
    for (auto& line : *swaps) {
      line.path = "/swapfile";
      line.type = "file";
    }
  }
  e.areas[0] = {"dd", "/swapfile", {}, "vda1", false};
}

struct Broken {
  const char* code;
  std::function<void(Evidence&)> change;
};

/// Each row breaks one thing; the code has to be the one shown.
const std::vector<Broken>& table() {
  static const std::vector<Broken> rows{
      {"interrupted", [](Evidence& e) { fail_with(e, "interrupted"); }},
      {"panic", [](Evidence& e) { fail_with(e, "panic"); }},
      {"silent boot", [](Evidence& e) { fail_with(e, "silent boot"); }},
      {"early exit", [](Evidence& e) { fail_with(e, "early exit"); }},
      {"drive lost", [](Evidence& e) { fail_with(e, "drive lost"); }},
      {"guest paused", [](Evidence& e) { fail_with(e, "guest paused"); }},
      {"agent lost", [](Evidence& e) { fail_with(e, "agent lost"); }},
      {"machine", [](Evidence& e) { fail_with(e, "machine"); }},
      {"set-up failed", [](Evidence& e) { fail_with(e, "set-up failed"); }},
      {"prepare failed", [](Evidence& e) { fail_with(e, "prepare failed"); }},
      {"verify failed",
       [](Evidence& e) {
         e.failures = {{"verify failed", "x"}};
       }},
      {"unsupported", [](Evidence& e) { fail_with(e, "unsupported"); }},

      {"set-up not as planned",
       [](Evidence& e) {
         e.read_backs[0] = {"vm.swappiness", "60", "30", false};
       }},
      {"set-up not as planned",
       [](Evidence& e) {
         e.swaps_at_boot = {{"/dev/zram0", "partition", 1000, 0, 100}};
       }},
      {"set-up not as planned", [](Evidence& e) { e.swaps_placed.clear(); }},
      {"set-up not as planned", [](Evidence& e) { e.swaps_placed[0].size_kib = 524276; }},
      {"set-up not as planned", [](Evidence& e) { e.swaps_settled[0].priority = 5; }},
      {"set-up not as planned", [](Evidence& e) { e.swaps_settled[0].type = "file"; }},
      {"set-up not as planned",
       [](Evidence& e) {
         e.swaps_settled.push_back({"/swap2", "file", 1000, 0, -4});
       }},

      {"command not found", [](Evidence& e) { e.workload.exit_status = 127; }},
      {"command not found", [](Evidence& e) { e.workload.exit_status = 126; }},
      {"command not found",
       [](Evidence& e) {
         stop_early(e);
         e.workload.error = "No such file or directory";
       }},
      {"out of memory", [](Evidence& e) { e.workload.out_of_memory = true; }},
      {"out of memory", [](Evidence& e) { e.guest_after.vmstat["oom_kill"] = 1; }},
      {"out of memory",
       [](Evidence& e) {
         e.workload.signal = SIGKILL;
         e.kernel_messages = {"Out of memory: Killed process 77 (hog)"};
       }},
      {"out of memory",
       [](Evidence& e) {
         e.workload.exit_status = 1;
         e.workload.output_tail = "cabal: failed (ExitFailure (-9))\n";
       }},
      {"timeout",
       [](Evidence& e) {
         e.workload.timed_out = true;
         e.workload.signal = SIGKILL;
       }},
      {"memory contents wrong", [](Evidence& e) { e.workload.exit_status = 3; }},
      {"file system full",
       [](Evidence& e) {
         e.workload_kind = "swapfile-creation";
         e.workload.exit_status = 6;
       }},
      {"touched less than asked", [](Evidence& e) { e.workload.exit_status = 4; }},
      {"killed by signal", [](Evidence& e) { e.workload.signal = SIGBUS; }},
      {"exit status", [](Evidence& e) { e.workload.exit_status = 1; }},
      {"workload lost", [](Evidence& e) { e.workload.finished = false; }},
      {"workload lost", [](Evidence& e) { e.workload = {}; }},

      {"no swap traffic", [](Evidence& e) { e.min_swap_bytes = 65 * k_mib; }},
      {"swap where none is meant",
       [](Evidence& e) {
         without_swap(e);
         e.guest_after.vmstat["pswpout"] += 1;
       }},
      {"foreign swap",
       [](Evidence& e) {
         e.guest_after.swaps.push_back({"/dev/zram0", "partition", 1000, 0, 100});
       }},
      {"swap areas changed", [](Evidence& e) { e.guest_after.swaps.clear(); }},
      {"swap areas changed", [](Evidence& e) { e.guest_before.swaps[0].priority = 7; }},
      {"swap went elsewhere", [](Evidence& e) { e.guest_after.disks[0].written_bytes = 70 * k_mib; }},
      {"swap went elsewhere", [](Evidence& e) { e.guest_after.disks[0].read_bytes += 10 * k_mib; }},
      {"swap went elsewhere",
       [](Evidence& e) {
         as_file(e);
         e.guest_after.disks[0].written_bytes = 70 * k_mib;
       }},
      {"memory not as planned", [](Evidence& e) { e.guest_before.meminfo_kib["MemTotal"] = 150000; }},
      {"memory not as planned", [](Evidence& e) { e.guest_before.meminfo_kib["MemTotal"] = 262145; }},
      {"new I/O errors",
       [](Evidence& e) { e.kernel_messages = {"[9.1] I/O error, dev vda, sector 2048 op 0x1:(WRITE)"}; }},
      {"new I/O errors", [](Evidence& e) { e.kernel_messages = {"Buffer I/O error on dev vda2, logical block 0"}; }},
      {"new I/O errors", [](Evidence& e) { e.kernel_messages = {"Read-error on swap-device (254:0:8)"}; }},
      {"new I/O errors", [](Evidence& e) { e.kernel_messages = {"Write-error on swap-device (254:0:8)"}; }},
      {"new I/O errors", [](Evidence& e) { e.kernel_messages = {"EXT4-fs error (device vda2): x"}; }},
      {"new I/O errors", [](Evidence& e) { e.host_after.drives[0].failed_reads = 1; }},
      {"new I/O errors", [](Evidence& e) { e.host_after.drives[0].failed_writes = 1; }},
      {"host caching", [](Evidence& e) { e.host_before.drives[0].cached_bytes = k_mib + 4096; }},
      {"host caching", [](Evidence& e) { e.host_after.drives[0].cached_bytes = 223 * k_mib; }},
      {"host caching", [](Evidence& e) { e.direct_io[0].result = DirectIo::no; }},
      {"host caching", [](Evidence& e) { e.direct_io[0].result = DirectIo::unknown; }},
      {"host caching",
       [](Evidence& e) {
         e.direct_io[0].result = DirectIo::no;
         e.direct_io[0].loop_direct = false;
       }},
      {"host caching",
       [](Evidence& e) {
         e.direct_io[0].result = DirectIo::no;
         e.direct_io[0].image_format = "qcow2";
       }},
      {"host caching",
       [](Evidence& e) {
         e.host_before.page_cache_kib = 1 << 20;
         e.host_after.page_cache_kib = (1 << 20) + 100 * 1024;   // of 144 MiB that moved
       }},
      {"neighbours changed", [](Evidence& e) { e.direct_io[0].neighbours_untouched = false; }},
      {"host allocation", [](Evidence& e) { *e.host_after.drives[0].allocated_bytes += k_mib + 4096; }},
      {"host allocation", [](Evidence& e) { *e.host_after.drives[0].allocated_bytes -= k_mib + 4096; }},
      {"host swapped", [](Evidence& e) { e.host_before.qemu_swapped_kib = 4; }},
      {"host swapped", [](Evidence& e) { e.host_after.qemu_swapped_kib = 4; }},
      {"host swapped", [](Evidence& e) { e.host_after.swap_in_pages += 1; }},
      {"host swapped", [](Evidence& e) { e.host_after.swap_out_pages += 1; }},
      {"drives not idle", [](Evidence& e) { e.idle_reached = false; }},
      {"backing full", [](Evidence& e) { simulate(e).backing_full = 1; }},
      {"drive lost", [](Evidence& e) { simulate(e).vanished = true; }},
      {"simulation disagrees", [](Evidence& e) { simulate(e).operations.erase("read"); }},
      {"simulation disagrees", [](Evidence& e) { simulate(e).operations["write"].bytes += 4 * k_mib; }},
      {"readings missing", [](Evidence& e) { e.direct_io[0].result = DirectIo::simulated; }},
      {"simulation late", [](Evidence& e) { simulate(e).late_ns = 501'000'000; }},
      {"simulation late", [](Evidence& e) { simulate(e).lateness = {{0, 98}, {6'000'000, 2}}; }},
      {"clocks disagree", [](Evidence& e) { e.host_window_ns = 10'201'000'000; }},
      {"clocks disagree", [](Evidence& e) { e.host_window_ns = 9'799'000'000; }},
      {"clocksource changed", [](Evidence& e) { e.guest_after.clocksource = "hpet"; }},

      {"readings missing", [](Evidence& e) { e.guest_before.vmstat.erase("pswpin"); }},
      {"readings missing", [](Evidence& e) { e.guest_after.vmstat.erase("pswpout"); }},
      {"readings missing", [](Evidence& e) { e.guest_after.disks.clear(); }},
      {"readings missing", [](Evidence& e) { e.areas.clear(); }},
      {"readings missing", [](Evidence& e) { e.guest_before.meminfo_kib.clear(); }},
      {"readings missing", [](Evidence& e) { e.guest_before.clocksource = e.guest_after.clocksource = ""; }},
      {"readings missing", [](Evidence& e) { e.host_window_ns.reset(); }},
      {"readings missing", [](Evidence& e) { e.host_before.drives.clear(); }},
      {"readings missing", [](Evidence& e) { e.host_after.drives.clear(); }},
      {"readings missing", [](Evidence& e) { e.direct_io.clear(); }},
  };
  return rows;
}

State state_of(const std::string& code) {
  for (const auto& rule : rules()) {
    if (code == rule.code) return rule.state;
  }
  FAIL("no such code: " << code);
  return State::planned;
}

}  // namespace

TEST_CASE("a simulated drive without delays is never late") {
  auto evidence = valid_evidence();
  auto& drive = simulate(evidence);
  drive.busy_ns = 0;
  drive.late_ns = 5'000'000'000;
  drive.lateness = {{0, 50}, {60'000'000, 50}};
  CHECK(judge(evidence).state == State::valid);
  drive.busy_ns = 1;
  CHECK(judge(evidence).reasons.front().code == "simulation late");
}

TEST_CASE("a run whose conditions held is valid") {
  const auto verdict = judge(valid_evidence());
  INFO(first_text(verdict));
  CHECK(verdict == Verdict{State::valid, {}});
}

TEST_CASE("each broken condition leads to its code, and to no other") {
  for (std::size_t row = 0; row < table().size(); ++row) {
    const auto& broken = table()[row];
    const auto verdict = judged(broken.change);
    INFO("row " << row << ": " << broken.code << "; judged: " << shown_code(verdict) << ": " << first_text(verdict));
    REQUIRE_FALSE(verdict.reasons.empty());
    CHECK(verdict.reasons.size() == 1);
    CHECK(shown_code(verdict) == broken.code);
    CHECK(verdict.state == state_of(broken.code));
    CHECK_FALSE(first_text(verdict).empty());
  }
}

TEST_CASE("the table of this test has every rule of the judge") {
  std::set<std::string> tested;
  for (const auto& broken : table()) tested.insert(broken.code);
  for (const auto& rule : rules()) {
    INFO(rule.code);
    CHECK(tested.count(rule.code) == 1);
    CHECK(is_reason_code(rule.code));
  }
  CHECK(tested.size() == rules().size());
  CHECK_FALSE(is_reason_code("bad luck"));
}

TEST_CASE("in the judge's table aborted stands before failed, unsupported and invalid") {
  const std::vector<State> order{State::aborted, State::failed, State::unsupported, State::invalid};
  std::size_t at = 0;
  for (const auto& rule : rules()) {
    while (at < order.size() && order[at] != rule.state) ++at;
    INFO(rule.code);
    REQUIRE(at < order.size());
  }
}

TEST_CASE("all reasons are kept, the weightiest first: failed outranks invalid") {
  const auto verdict = judged([](Evidence& e) {
    e.host_after.swap_in_pages += 1;
    e.idle_reached = false;
    e.workload.exit_status = 2;
    e.kernel_messages = {"I/O error, dev vda, sector 1"};
  });
  CHECK(verdict.state == State::failed);
  REQUIRE(verdict.reasons.size() == 4);
  CHECK(verdict.reasons[0].code == "exit status");
  CHECK(verdict.reasons[1].code == "new I/O errors");
  CHECK(verdict.reasons[2].code == "host swapped");
  CHECK(verdict.reasons[3].code == "drives not idle");

  SECTION("unsupported is its own: neither failed nor invalid") {
    CHECK(judged([](Evidence& e) { fail_with(e, "unsupported"); }).state == State::unsupported);
  }
  SECTION("but a machine that broke as well shows as failed") {
    const auto both = judged([](Evidence& e) {
      fail_with(e, "unsupported");
      e.failures.push_back({"panic", "Kernel panic"});
    });
    CHECK(both.state == State::failed);
    CHECK(both.reasons.size() == 2);
  }
  SECTION("an interruption explains what follows from it") {
    CHECK(judged([](Evidence& e) {
            fail_with(e, "agent lost");
            e.failures.push_back({"interrupted", "by SIGINT"});
          }).state == State::aborted);
  }
}

TEST_CASE("a workload that fits in memory is no timing (case 1)") {
  const auto quiet = [](Evidence& e) {
    e.guest_after.vmstat = e.guest_before.vmstat;
    e.guest_after.disks = e.guest_before.disks;
  };
  const auto verdict = judged(quiet);
  CHECK(verdict.state == State::invalid);
  CHECK(shown_code(verdict) == "no swap traffic");
  CHECK(holds(first_text(verdict), "swapped in 0 B, out 0 B; at least 25.6 MiB each way expected"));

  SECTION("one direction alone is not enough") {
    CHECK(shown_code(judged([](Evidence& e) {
            e.min_swap_bytes = 0;
            e.guest_after.vmstat["pswpin"] = e.guest_before.vmstat["pswpin"];
            e.guest_after.disks[0].read_bytes = e.guest_before.disks[0].read_bytes;
          })) == "no swap traffic");
  }
  SECTION("expect_swap = false says that it is meant") {
    CHECK(judged([&](Evidence& e) {
            quiet(e);
            e.expect_swap = false;
          }).state == State::valid);
  }
  SECTION("and then traffic is fine too, as long as there is an area") {
    CHECK(judged([](Evidence& e) { e.expect_swap = false; }).state == State::valid);
  }
  SECTION("without an area there is none") { CHECK(judged(without_swap).state == State::valid); }
}

TEST_CASE("swap that the image brings along is named (case 2)") {
  const auto verdict = judged([](Evidence& e) {
    stop_early(e);
    e.swaps_placed.clear();
    e.swaps_settled.clear();
    e.swaps_at_boot = {{"/dev/zram0\n", "partition", 131068, 0, 100}};
  });
  CHECK(verdict.state == State::failed);
  CHECK(verdict.reasons.size() == 1);
  CHECK(shown_code(verdict) == "set-up not as planned");
  CHECK(holds(first_text(verdict), "/dev/zram0\\n (partition, 131068 KiB, priority 100)"));
}

TEST_CASE("a compiler whose child was killed ran out of memory (case 12)") {
  const auto verdict = judged([](Evidence& e) {
    e.workload_kind = "command";
    e.workload.exit_status = 1;
    e.workload.output_tail = "ghc: failed in phase `C Compiler'. ExitFailure (-9)";
  });
  CHECK(verdict.state == State::failed);
  CHECK(shown_code(verdict) == "out of memory");
  CHECK(verdict.reasons.size() == 1);
  CHECK(judged([](Evidence& e) { e.workload.output_tail = "it said ExitFailure (-9) once"; }).state == State::valid);
}

TEST_CASE("a guest that exits, panics or stays silent has three different reasons (case 13)") {
  std::set<std::string> texts;
  for (const char* code : {"early exit", "panic", "silent boot"}) {
    const auto verdict = judged([&](Evidence& e) {
      fail_with(e, code);
      e.failures[0].text = std::string(code) + ": the end of the console:\n\x1b[31mno root\xff";
    });
    CHECK(verdict.state == State::failed);
    CHECK(shown_code(verdict) == code);
    CHECK(holds(first_text(verdict), "console:\n\\x1B[31mno root\xEF\xBF\xBD"));
    texts.insert(first_text(verdict));
  }
  CHECK(texts.size() == 3);
}

TEST_CASE("only messages of the window count, and only errors (case 16)") {
  CHECK(judged([](Evidence& e) { e.console_tail = "[1.0] I/O error, dev vda, sector 0"; }).state == State::valid);
  CHECK(judged([](Evidence& e) { e.kernel_messages = {"perf: interrupt took too long"}; }).state == State::valid);
  const auto verdict = judged([](Evidence& e) {
    for (int i = 0; i < 5; ++i)
      e.kernel_messages.push_back("I/O error, dev vda, sector " + std::to_string(i) + "\x1b[2J");
  });
  CHECK(verdict.state == State::invalid);
  CHECK(holds(first_text(verdict), "5 message(s)"));
  CHECK(holds(first_text(verdict), "sector 2\\x1B[2J; ..."));
  CHECK_FALSE(holds(first_text(verdict), "sector 3"));
}

TEST_CASE("exit 3 and 4 mean something of the memory workload alone") {
  for (const int status : {3, 4}) {
    const auto verdict = judged([&](Evidence& e) {
      e.workload_kind = "command";
      e.workload.exit_status = status;
    });
    CHECK(shown_code(verdict) == "exit status");
    CHECK(holds(first_text(verdict), "exit status " + std::to_string(status)));
  }
}

TEST_CASE("a file's traffic may be hidden in that of its file system, but not be missing") {
  CHECK(judged([](Evidence& e) {
          as_file(e);
          e.guest_after.disks[0].read_bytes += 400 * k_mib;
        }).state == State::valid);
}

TEST_CASE("two areas share the traffic") {
  const auto two = [](Evidence& e) {
    for (auto* swaps :
         {&e.swaps_expected, &e.swaps_placed, &e.swaps_settled, &e.guest_before.swaps, &e.guest_after.swaps}) {
      swaps->push_back({"/dev/vdb1", "partition", 1000, 0, 10});
    }
    e.areas.push_back({"partition", "/dev/vdb1", {}, "vdb1", true});
    e.guest_before.disks.push_back({"vdb1", 0, 0, 0, 0, 0, 0, 0});
    e.guest_after.disks.push_back({"vdb1", 0, 30 * k_mib, 0, 0, 40 * k_mib, 0, 0});
    e.guest_after.disks[0].read_bytes -= 30 * k_mib;
    e.guest_after.disks[0].written_bytes -= 40 * k_mib;
  };
  CHECK(judged(two).state == State::valid);
  CHECK(shown_code(judged([&](Evidence& e) {
          two(e);
          e.guest_after.disks[1].written_bytes = 0;
        })) == "swap went elsewhere");
}

TEST_CASE("limits themselves are still fine") {
  const auto valid = [](const std::function<void(Evidence&)>& change) { return judged(change).state == State::valid; };
  CHECK(valid([](Evidence& e) { e.min_swap_bytes = 64 * k_mib; }));
  CHECK(valid([](Evidence& e) { e.host_after.drives[0].cached_bytes = k_mib; }));
  CHECK(valid([](Evidence& e) { *e.host_after.drives[0].allocated_bytes += k_mib; }));
  CHECK(valid([](Evidence& e) { e.host_window_ns = 10'199'000'000; }));
  CHECK(valid([](Evidence& e) { e.guest_before.meminfo_kib["MemTotal"] = 262144; }));
  CHECK(valid([](Evidence& e) { e.guest_after.disks[0].written_bytes = 84 * k_mib; }));
  CHECK(valid([](Evidence& e) { simulate(e); }));
  CHECK(valid([](Evidence& e) { simulate(e).late_ns = 499'000'000; }));
  CHECK(valid([](Evidence& e) { simulate(e).lateness = {{0, 99}, {6'000'000, 1}}; }));
  CHECK(valid([](Evidence& e) {  // 1 % of a long run is more than 0.2 s
    e.workload.wall_ns = 1'000'000'000'000;
    e.host_window_ns = 1'009'000'000'000;
  }));
}

TEST_CASE("the judge never looks at how long it took") {
  for (const std::int64_t ns : {std::int64_t{1}, std::int64_t{3'600'000'000'000}}) {
    CHECK(judged([&](Evidence& e) {
            e.workload.wall_ns = ns;
            e.host_window_ns = ns;
          }).state == State::valid);
  }
}

TEST_CASE("a fault that the runner stopped on is not told twice") {
  const auto verdict = judged([](Evidence& e) {
    stop_early(e);
    e.swaps_settled.clear();
    e.read_backs[0].holds = false;
    for (const auto& reason : set_up_faults(e)) e.failures.push_back({reason.code, reason.text});
  });
  CHECK(verdict.reasons.size() == 1);
}

TEST_CASE("a priority that is the kernel's own may be any below zero") {
  CHECK(swap_difference({{"/a", "file", 4, 0, -1}}, {{"/a", "file", 4, 3, -7}}).empty());
  CHECK(holds(swap_difference({{"/a", "file", 4, 0, 5}}, {{"/a", "file", 4, 3, -7}}), "instead of"));
  CHECK(holds(swap_difference({{"/a", "file", 4, 0, 5}}, {}), "/a (file, 4 KiB, priority 5) is not on"));
}

TEST_CASE("states have names, and back") {
  for (const auto state : {State::planned, State::running, State::valid, State::invalid, State::failed,
                           State::unsupported, State::aborted}) {
    CHECK(state_from(to_string(state)) == state);
  }
  CHECK(to_string(State::unsupported) == "unsupported");
}

TEST_CASE("a failure with a code that is not in the table is a bug, not a verdict") {
  const auto child = ::fork();
  if (child == 0) {
    ::signal(SIGABRT, SIG_DFL);
    ::close(STDERR_FILENO);
    judged([](Evidence& e) { e.failures = {{"bad luck", "x"}}; });
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
}
