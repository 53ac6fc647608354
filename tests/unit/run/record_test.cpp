#include "run/record.hpp"

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "support/catch.hpp"
#include "support/sample_evidence.hpp"

using namespace swaprig;
using namespace swaprig::run;
using swaprig::testing::valid_evidence;
using Json = nlohmann::json;

namespace {

bool reads(const Json& json) {
  try {
    evidence_from_json(json.dump());
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Every optional and every list filled, so that no field can be forgotten unseen.
Evidence full_evidence() {
  auto e = valid_evidence();
  e.swaps_at_boot = {{"/dev/zram0", "partition", 1, 2, 3}};
  drive::SimulatedCounters simulated;
  simulated.wall_ns = 12;
  simulated.time_scale = 0.5;
  simulated.vanished = simulated.realtime = true;
  simulated.operations["read"] = {1, 4096, 700, {{4096, 1}}, {{640, 1}}};
  simulated.regions = {{"root", 1, 4096, 0, 600}};
  simulated.crossings = {{"other", "root", 1, 2, 3}};
  simulated.lateness = {{0, 1}};
  e.host_after.drives[0].simulated = simulated;
  e.idle_reached = false;
  e.workload.error = "x";
  e.workload.timed_out = e.workload.out_of_memory = e.workload.output_cut = true;
  e.workload.exit_status = -7;
  e.workload.signal = 9;
  e.planned_creations = {"dd of 1 GiB in blocks of 4 KiB, fsync"};
  e.planned_repeats = 2;
  e.creations = {{"dd", "ext4", 1 << 30, 4096, true, {7, 8}, {1, 2}, {5, 6}, "words"}};
  e.kernel_messages = {"one", "two"};
  e.failures = {{"panic", "text"}};
  e.console_tail = "tail";
  return e;
}

}  // namespace

TEST_CASE("evidence comes back from JSON as it went in") {
  const auto evidence = full_evidence();
  const auto text = evidence_to_json(evidence);
  CHECK(evidence_to_json(evidence_from_json(text)) == text);

  const auto back = evidence_from_json(text);
  CHECK(back.host_after.drives[0].simulated == evidence.host_after.drives[0].simulated);
  CHECK(back.memory_bytes == evidence.memory_bytes);
  CHECK(back.swaps_settled == evidence.swaps_settled);
  CHECK(back.guest_after.vmstat == evidence.guest_after.vmstat);
  CHECK(back.areas.at(0).extents.at(0).size_bytes == 512 << 20);
  CHECK(back.direct_io.at(0).result == DirectIo::yes);
  CHECK(back.host_window_ns == evidence.host_window_ns);
  CHECK(back.samples.at(1).tree_swapped_kib == 30000);
  CHECK(back.workload.exit_status == -7);
  CHECK(back.phases.at(0).seconds == 8.25);
  CHECK(back.creations.at(0).real_ns == std::vector<std::int64_t>{7, 8});
  CHECK(back.creations.at(0).unsupported == "words");
  CHECK(back.failures.at(0).code == "panic");
}

TEST_CASE("no field of the full evidence is left at its default in JSON") {
  // Does not compile when the struct has more fields than are counted here.
  const Evidence counted;
  const auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
               f24, f25, f26, f27, f28, f29, f30, f31, f32, f33, f34, f35, f36, f37, f38, f39] = counted;
  CHECK(f1);
  const auto with = Json::parse(evidence_to_json(full_evidence()));
  const auto without = Json::parse(evidence_to_json({}));
  REQUIRE(with.size() == without.size());
  CHECK(with.size() == 39);
  for (const auto& [name, value] : with.items()) {
    INFO(name);
    CHECK((value != without.at(name) || name == "expect_swap"));
  }
}

TEST_CASE("a missing reading is null, never 0") {
  auto evidence = valid_evidence();
  evidence.host_window_ns.reset();
  const auto json = Json::parse(evidence_to_json(evidence));
  CHECK(json.at("host_window_ns").is_null());
  CHECK_FALSE(evidence_from_json(json.dump()).host_window_ns.has_value());
}

TEST_CASE("bytes that are no UTF-8 survive, and so do NULs, quotes and newlines") {
  auto evidence = valid_evidence();
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  evidence.workload.output_tail = all;
  evidence.console_tail = std::string("a\0\"\n\\\x1b[0m", 9) + "\xC3\xA4";
  evidence.kernel_messages = {"\xff", "\xC3", "plain"};
  evidence.guest_settings["odd"] = "\xfe\xfe";
  const auto back = evidence_from_json(evidence_to_json(evidence));
  CHECK(back.workload.output_tail == all);
  CHECK(back.console_tail == evidence.console_tail);
  CHECK(back.kernel_messages == evidence.kernel_messages);
  CHECK(back.guest_settings == evidence.guest_settings);

  SECTION("a broken name of a counter becomes printable") {
    evidence.guest_before.vmstat["nr_\xff"] = 5;
    CHECK(evidence_from_json(evidence_to_json(evidence)).guest_before.vmstat.at("nr_\xEF\xBF\xBD") == 5);
  }
}

TEST_CASE("unknown fields are ignored, missing ones keep their default") {
  auto json = Json::parse(evidence_to_json(valid_evidence()));
  json["from_the_future"] = {{"a", 1}};
  json["workload"]["from_the_future"] = "x";
  json.erase("idle_reached");
  json["swapoff_seconds"] = nullptr;
  const auto back = evidence_from_json(json.dump());
  CHECK(back.idle_reached);
  CHECK(back.swapoff_seconds == -1);
  CHECK(back.workload.finished);
  CHECK(evidence_to_json(evidence_from_json("{}")) == evidence_to_json({}));
}

TEST_CASE("a wrong type is an error that names the field") {
  const auto good = Json::parse(evidence_to_json(valid_evidence()));
  REQUIRE(reads(good));
  const auto broken = [&](const char* pointer, const Json& value) {
    auto json = good;
    json[Json::json_pointer(pointer)] = value;
    INFO(pointer << " " << value);
    CHECK_FALSE(reads(json));
  };
  broken("/memory_bytes", "many");
  broken("/memory_bytes", 1.5);
  broken("/memory_bytes", UINT64_MAX);
  broken("/workload/exit_status", std::int64_t{1} << 40U);
  broken("/workload/finished", 1);
  broken("/workload", Json::array());
  broken("/samples", Json::object());
  broken("/samples/0", 5);
  broken("/guest_before/vmstat", Json::array());
  broken("/guest_before/vmstat/pswpin", "1");
  broken("/direct_io/0/result", "perhaps");
  broken("/console_tail", 5);
  broken("/console_tail", Json{{"base64", "not base64"}});
  broken("/host_window_ns", "soon");
  CHECK_THROWS_AS(evidence_from_json("{"), Error);
  CHECK_THROWS_AS(evidence_from_json("[]"), Error);

  auto json = good;
  json["samples"][1]["at_ms"] = "x";
  try {
    evidence_from_json(json.dump());
    FAIL("read");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("samples[1].at_ms is string instead of a whole number") != std::string::npos);
  }
}

TEST_CASE("traffic and clocks are nothing when a reading is missing") {
  auto evidence = valid_evidence();
  CHECK(swap_in_pages(evidence) == 16384);
  CHECK(swap_out_pages(evidence) == 20480);
  CHECK(host_wall_seconds(evidence).value() == Approx(10.05));
  evidence.guest_before.vmstat.erase("pswpin");
  evidence.host_window_ns.reset();
  CHECK_FALSE(swap_in_pages(evidence).has_value());
  CHECK(swap_out_pages(evidence) == 20480);
  CHECK_FALSE(host_wall_seconds(evidence).has_value());
}

TEST_CASE("the worst drive decides about O_DIRECT") {
  Evidence evidence;
  CHECK(direct_io_word(evidence) == "unknown");
  evidence.direct_io = {{"a", DirectIo::yes, true, true}};
  CHECK(direct_io_word(evidence) == "yes");
  evidence.direct_io.push_back({"b", DirectIo::simulated, false, false});
  CHECK(direct_io_word(evidence) == "simulated");
  evidence.direct_io.push_back({"c", DirectIo::unknown, false, false});
  CHECK(direct_io_word(evidence) == "unknown");
  evidence.direct_io.push_back({"d", DirectIo::no, false, false});
  CHECK(direct_io_word(evidence) == "no");
}
