#include "spec/profile.hpp"

#include <algorithm>

#include "base/diagnostic.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"

using namespace swaprig;
using namespace swaprig::spec;

namespace {

constexpr const char* k_good = R"(schema = 1
title = "a small SSD"
kind = "ssd"

[figures]
size            = { value = "1 GiB", source = "assumed" }
logical_sector  = { value = "512 B", source = "its maker" }
physical_sector = { value = "4 KiB", source = "its maker" }
queue_depth     = { value = 32, source = "its maker" }
read_latency    = { value = "51.5 us", source = "measured" }
write_latency   = { value = "15 us", source = "assumed" }
flush_latency   = { value = "2 ms", source = "assumed" }
trim_latency    = { value = "1 ms", source = "assumed" }
read_rate       = { value = "550 MB/s", source = "its maker" }
write_rate      = { value = "380 MB/s", source = "its maker" }
channels        = { value = 16, source = "assumed" }
)";

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = k_good;
  text.replace(text.find(from), from.size(), to);
  return text;
}

/// The messages of a text that is wrong, one a line, with their lines.
std::string faults(const std::string& text) {
  try {
    parse_profile(text, "drives/small.toml");
  } catch (const BadInput& bad) {
    std::string all;
    for (const auto& fault : bad.diagnostics()) all += std::to_string(fault.line) + ": " + fault.message + "\n";
    return all;
  }
  return "none";
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a profile is read into figures") {
  const Profile profile = parse_profile(k_good, "drives/small.toml");
  CHECK(profile.name == "small");
  CHECK(profile.title == "a small SSD");
  CHECK(profile.parameters.kind == simdrive::DriveKind::ssd);
  CHECK(profile.parameters.size == 1U << 30U);
  CHECK(profile.parameters.ssd.read_latency == std::chrono::nanoseconds(51500));
  CHECK(profile.parameters.ssd.write_rate == 380'000'000);
  CHECK(profile.rotation_rate() == 1);
  REQUIRE(profile.figures.size() == 11);
  CHECK(profile.figures[0] == ProfileFigure{"size", "1 GiB", "assumed"});
  CHECK(profile.figures[0].is_assumed());
  CHECK_FALSE(profile.figures[1].is_assumed());
}

TEST_CASE("a profile becomes the server's parameters") {
  const auto parameters = plugin_parameters(parse_profile(k_good, "small.toml"));
  CHECK(parameters.front() == "kind=ssd");
  CHECK(std::count(parameters.begin(), parameters.end(), "read_latency=51500") == 1);
  CHECK(std::count(parameters.begin(), parameters.end(), "read_rate=550000000") == 1);
}

TEST_CASE("the profiles that come with swaprig are sound, and every figure of them has a source") {
  const auto folder = testing::source_folder() / "experiments" / "drives";
  const auto names = profile_names(folder.string());
  CHECK(names == std::vector<std::string>{"970-evo-plus", "enterprise-7200", "hp97560", "null", "sd-card", "vertex4",
                                          "wd20earx"});
  for (const auto& name : names) {
    INFO(name);
    const Profile profile = load_profile((folder / (name + ".toml")).string());
    CHECK_FALSE(profile.title.empty());
    for (const auto& figure : profile.figures) CHECK_FALSE(figure.source.empty());
  }
  CHECK(load_profile((folder / "wd20earx.toml").string()).parameters.size == 2000398934016);
  CHECK(load_profile((folder / "wd20earx.toml").string()).rotation_rate() == 5400);
}

TEST_CASE("every fault of a profile is told at once, at its line") {
  std::string text = replaced("\"51.5 us\"", "\"-1 us\"");
  text.replace(text.find("380 MB/s"), 8, "380 MB");
  text += "speed = { value = 1, source = \"assumed\" }\n";
  const auto told = faults(text);
  CHECK(mentions(told, "10: read_latency: expected a value such as \"9.5 ms\", but it is negative"));
  CHECK(mentions(told, "15: write_rate: expected a value such as \"115 MB/s\", but it does not end with \"/s\""));
  CHECK(mentions(told, "17: "));
  CHECK(mentions(told, "speed"));
}

TEST_CASE("what makes no drive is refused") {
  CHECK(mentions(faults(replaced("\"1 GiB\"", "\"1000 B\"")), "6: the size is not a multiple of the logical sector"));
  CHECK(mentions(faults(replaced("value = 16", "value = 0")), "channels"));
  CHECK(mentions(faults(replaced("value = 16", "value = -1")), "channels"));
  CHECK(mentions(faults(replaced("value = 16", "value = \"16\"")), "integer"));
  CHECK(mentions(faults(replaced(", source = \"measured\"", "")), "source"));
  CHECK(mentions(faults(replaced("\"measured\"", "\" \"")), "source"));
  CHECK(mentions(faults(replaced("kind = \"ssd\"", "kind = \"tape\"")), "kind"));
  CHECK(mentions(faults(replaced("kind = \"ssd\"", "kind = \"hdd\"")), "geometry"));
  CHECK(mentions(faults(replaced("flush_latency   = { value = \"2 ms\", source = \"assumed\" }\n", "")),
                 "flush_latency"));
  CHECK(mentions(faults(replaced("[figures]", "[figure]")), "figures"));
  CHECK_THROWS_AS(load_profile("/no/such/profile.toml"), BadInput);
}

TEST_CASE("an inner rate above the outer one, and seeks out of order") {
  const auto path = testing::source_folder() / "experiments" / "drives" / "wd20earx.toml";
  std::string text = load_profile(path.string()).text;
  text.replace(text.find("55 MB/s"), 7, "155 MB/s");
  text.replace(text.find("\"2 ms\""), 6, "\"12 ms\"");
  const auto told = faults(text);
  CHECK(mentions(told, "the inner rate is above the outer rate"));
  CHECK(mentions(told, "the track-to-track seek is above the average seek"));
}
