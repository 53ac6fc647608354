#include "guest/probe_result.hpp"

#include "base/files.hpp"
#include "base/wire.hpp"
#include "guest/guest_agent.hpp"
#include "guest/moment_parser.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"

using namespace swaprig;
using namespace swaprig::guest;

namespace {

/// What the probe wrote in a real guest: 300 MiB swept twice in 256 MiB.
std::string real_result() { return read_file(testing::source_folder() / "tests/golden/guest/probe_result.txt"); }

std::string with_summary(const std::string& summary, const std::string& output = "") {
  std::string text;
  wire::append_section(text, "summary", "version=1\n" + summary);
  wire::append_section(text, "output", output);
  return text;
}

/// The same result with one section's body changed.
std::string with_body(const std::string& text, std::size_t index, const std::string& body) {
  wire::Sections sections;
  REQUIRE(wire::decode_sections(text, sections));
  std::string changed;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    wire::append_section(changed, sections[i].first, i == index ? std::string_view(body) : sections[i].second);
  }
  return changed;
}

}  // namespace

TEST_CASE("a real result is read") {
  const auto result = parse_probe_result(real_result());
  const auto& end = result.workload;
  CHECK(end.started);
  CHECK(end.finished);
  CHECK_FALSE(end.timed_out);
  CHECK(end.error.empty());
  CHECK(end.exit_status == 0);
  CHECK(end.signal == 0);
  CHECK(end.wall_ns == 75702799724);
  CHECK(end.user_us == 2004681);
  CHECK(end.system_us == 33009375);
  CHECK(end.major_faults == 29340);
  CHECK(end.peak_resident_kib == 170804);
  CHECK(end.peak_memory_kib == 308040);
  CHECK(end.output_tail == "memory: pages=76800 passes=2 accesses=153600 rewritten=76975 verified=76800\n");
  CHECK_FALSE(end.output_cut);
  CHECK_FALSE(end.out_of_memory);
  CHECK(result.sampler_us == 464647);

  CHECK(result.after.vmstat.at("pswpin") > 225865);
  CHECK(result.before.vmstat.at("pswpin") == 0);
  CHECK(result.before.meminfo_kib.at("MemTotal") == 210740);
  REQUIRE(result.before.disks.size() == 3);
  CHECK(result.before.disks[2].device == "vda2");
  CHECK(result.after.disks[2].read_bytes - result.before.disks[2].read_bytes ==
        4096 * result.after.vmstat.at("pswpin"));
  REQUIRE(result.after.swaps.size() == 1);
  CHECK(result.after.swaps[0].priority == 5);
  CHECK(result.before.clocksource == "tsc");
  CHECK(result.after.pressure_us.at("memory.full") > result.before.pressure_us.at("memory.full"));
  CHECK(result.after.pressure_us.count("cpu.some") == 1);

  REQUIRE(result.samples.size() == 76);
  CHECK(result.samples[0].at_ms == 0);
  CHECK(result.samples[3].at_ms == 3000);
  CHECK(result.samples[3].memory_available_kib == 9680);
  CHECK(result.samples[3].swap_used_kib == 57680);
  CHECK(result.samples[3].swap_out_pages == 14409);
  CHECK(result.samples[3].tree_resident_kib == 164128);
  CHECK(result.samples[3].tree_swapped_kib == 57544);
  CHECK(result.samples[3].memory_some_us == 1674880);
  CHECK(result.samples[3].memory_full_us == 1304131);
  CHECK(result.kernel_messages == std::vector<std::string>{"[   61.236847] random: crng init done"});
}

TEST_CASE("endings") {
  SECTION("the command is not there") {
    const auto result = parse_probe_result(with_summary("started=0\nexec_error=nosuch: No such file or directory\n"));
    CHECK_FALSE(result.workload.started);
    CHECK(result.command_not_executable);
    CHECK(result.workload.error == "nosuch: No such file or directory");
  }
  SECTION("the probe could not even try") {
    const auto result = parse_probe_result(with_summary("started=0\nerror=the guest has no user x\n"));
    CHECK_FALSE(result.command_not_executable);
    CHECK(result.workload.error == "the guest has no user x");
  }
  SECTION("out of memory, as GHC tells it") {
    const auto result = parse_probe_result(
        with_summary("started=1\nfinished=1\nexit_status=1\noutput_bytes=500\n", "ExitFailure (-9)\n"));
    CHECK(result.workload.out_of_memory);
    CHECK(result.workload.output_cut);
  }
  SECTION("out of memory, as the kernel counts it") {
    std::string before;
    std::string after;
    wire::append_section(before, "vmstat", "oom_kill 3\n");
    wire::append_section(after, "vmstat", "oom_kill 4\n");
    auto text = with_summary("started=1\nfinished=1\nsignal=9\n");
    wire::append_section(text, "before", before);
    wire::append_section(text, "after", after);
    CHECK(parse_probe_result(text).workload.out_of_memory);
    text = with_summary("started=1\nfinished=1\nsignal=9\n");
    wire::append_section(text, "before", after);
    wire::append_section(text, "after", after);
    CHECK_FALSE(parse_probe_result(text).workload.out_of_memory);
  }
}

TEST_CASE("readings that are missing stay missing") {
  const auto result = parse_probe_result(with_summary("started=1\nfinished=1\n"));
  CHECK(result.before.vmstat.empty());
  CHECK(result.before.clocksource.empty());
  CHECK(result.samples.empty());
}

TEST_CASE("a result cut after any byte is an agent error") {
  const auto whole = real_result();
  int refused = 0;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    try {
      parse_probe_result(std::string_view(whole).substr(0, length));
    } catch (const AgentError&) {
      ++refused;
    }
  }
  // What is whole up to the end of a section could be a result; five sections end before the last.
  CHECK(refused >= static_cast<int>(whole.size()) - 5);
}

TEST_CASE("sections cut or changed inside are a result or an agent error") {
  const auto whole = real_result();
  wire::Sections sections;
  REQUIRE(wire::decode_sections(whole, sections));
  const std::string changes = std::string("\0\n -=@9\xff", 8);
  for (std::size_t index = 0; index < sections.size(); ++index) {
    const std::string body(sections[index].second);
    for (std::size_t at = 0; at < body.size(); at += 211) {
      auto changed = body;
      changed[at] = changes[at % changes.size()];
      for (const auto& text : {with_body(whole, index, body.substr(0, at)), with_body(whole, index, changed)}) {
        try {
          parse_probe_result(text);
        } catch (const AgentError&) {
          continue;
        }
      }
    }
  }
}

TEST_CASE("hostile results are refused") {
  const std::vector<std::string> summaries = {"wall_ns=-1\n",
                                              "wall_ns=1e9\n",
                                              "wall_ns=99999999999999999999\n",
                                              "exit_status=256\n",
                                              "started=2\n",
                                              "signal=128\n",
                                              "no equals sign\n",
                                              "version=2\n",
                                              "user_us=0x10\n",
                                              "samples_lost=1 2\n",
                                              "output_bytes=9223372036854775807\n"};
  for (const auto& summary : summaries) {
    INFO(summary);
    CHECK_THROWS_AS(parse_probe_result(with_summary(summary)), AgentError);
  }
  CHECK_THROWS_AS(parse_probe_result(""), AgentError);
  CHECK_THROWS_AS(parse_probe_result("@summary 99999999999999999999\n"), AgentError);
  CHECK_THROWS_AS(parse_probe_result(std::string(k_result_limit + 1, ' ')), AgentError);

  const auto samples = [](const std::string& body) {
    auto text = with_summary("");
    wire::append_section(text, "samples", body);
    return text;
  };
  const std::string header = std::string(wire::k_samples_header) + "\n";
  CHECK(parse_probe_result(samples(header + "1 2 3 4 5 6 7 8 9\n")).samples.size() == 1);
  CHECK_THROWS_AS(parse_probe_result(samples("")), AgentError);
  CHECK_THROWS_AS(parse_probe_result(samples(header + "1 2 3\n")), AgentError);
  CHECK_THROWS_AS(parse_probe_result(samples(header + "1 2 3 4 5 6 7 8 -9\n")), AgentError);
}

TEST_CASE("texts of /proc") {
  CHECK(parse_vmstat("a 1\nb x\nc\n\nd 4\n") == Counters{{"a", 1}, {"d", 4}});
  CHECK(parse_meminfo("MemTotal:       210740 kB\nHugePages_Total:       0\nodd\n") ==
        Counters{{"MemTotal", 210740}, {"HugePages_Total", 0}});
  const auto disks = parse_diskstats("   8  0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n");
  REQUIRE(disks.size() == 1);
  CHECK(disks[0].reads == 1);
  CHECK(disks[0].read_bytes == 3 * 512);
  CHECK(disks[0].read_ms == 4);
  CHECK(disks[0].writes == 5);
  CHECK(disks[0].written_bytes == 7 * 512);
  CHECK(disks[0].write_ms == 8);
  CHECK(disks[0].busy_ms == 10);
  CHECK_THROWS_AS(parse_diskstats("8 0 sda 1 2 3\n"), AgentError);
  CHECK_THROWS_AS(parse_diskstats("8 0 sda 1 2 -3 4 5 6 7 8 9 10 11\n"), AgentError);
  Counters pressure;
  parse_pressure("some avg10=0.00 avg60=0.00 avg300=0.00 total=77\n", "cpu", pressure);
  CHECK(pressure == Counters{{"cpu.some", 77}});
  CHECK_THROWS_AS(parse_pressure("some total=-1\n", "cpu", pressure), AgentError);
  CHECK_THROWS_AS(parse_pressure("none of it\n", "cpu", pressure), AgentError);
}
