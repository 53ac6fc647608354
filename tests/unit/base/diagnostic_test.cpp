#include "base/diagnostic.hpp"

#include "support/catch.hpp"

using namespace swaprig;

TEST_CASE("a diagnostic shows the line, a caret and the hint") {
  const std::string source = "schema = 1\nsize = \"2 Gib\"\n";
  CHECK(render({"a.toml", 2, 8, "expected a size", "try: GiB"}, source) ==
        "a.toml:2:8: error: expected a size\n"
        "  2 | size = \"2 Gib\"\n"
        "    |        ^\n"
        "  hint: try: GiB\n");
  CHECK(render({"a.toml", 0, 0, "the file is empty", ""}, "") == "a.toml: error: the file is empty\n");
}

TEST_CASE("the caret stands right behind tabs, umlauts and control characters") {
  CHECK(render({"f", 1, 2, "m", ""}, "\tkey") == "f:1:2: error: m\n  1 |     key\n    |     ^\n");
  CHECK(render({"f", 1, 4, "m", ""}, "äöü = 1") == "f:1:4: error: m\n  1 | äöü = 1\n    |    ^\n");
  CHECK(render({"f", 1, 2, "m", ""}, "\x1Bx") == "f:1:2: error: m\n  1 | \\x1Bx\n    |     ^\n");
  CHECK(render({"f", 1, 3, "m", ""}, "\xFF\xFFx") == "f:1:3: error: m\n  1 | \xEF\xBF\xBD\xEF\xBF\xBDx\n    |   ^\n");
}

TEST_CASE("a position at or behind the end, and lines that end with CRLF") {
  CHECK(render({"f", 1, 4, "m", ""}, "abc\r\nx") == "f:1:4: error: m\n  1 | abc\n    |    ^\n");
  CHECK(render({"f", 9, 1, "m", ""}, "abc") == "f:9:1: error: m\n  9 | \n    | ^\n");
}

TEST_CASE("of a long line only the part around the caret is shown") {
  const auto text = render({"f", 1, 5000, "m", ""}, std::string(10000, 'x'));
  CHECK(text.size() < 600);
  CHECK(text.find("...") != std::string::npos);
  CHECK(text.find('^') != std::string::npos);
}

TEST_CASE("control characters never reach the terminal") {
  const auto text = render({"a\x1B.toml", 1, 1, "unknown key \"\x1B[2J\"", "\x07"}, "\x1B[2J = 1");
  CHECK(text.find('\x1B') == std::string::npos);
  CHECK(text.find('\x07') == std::string::npos);
}

TEST_CASE("diagnostics are sorted and doubles dropped") {
  std::vector<Diagnostic> all{{"f", 3, 1, "c", ""}, {"f", 1, 9, "b", ""}, {"f", 1, 2, "a", ""}, {"f", 3, 1, "c", ""}};
  sort_diagnostics(all);
  REQUIRE(all.size() == 3);
  CHECK(all[0].message == "a");
  CHECK(all[1].message == "b");
  CHECK(all[2].message == "c");
}

TEST_CASE("bad input says all of its faults") {
  const BadInput input({{"f", 1, 1, "first", ""}, {"f", 2, 1, "second", ""}}, "a\nb\n");
  const std::string what = input.what();
  CHECK(what.find("first") != std::string::npos);
  CHECK(what.find("second") != std::string::npos);
  CHECK(input.diagnostics().size() == 2);
}

TEST_CASE("the nearest name") {
  const std::vector<std::string> names{"memory", "vcpus", "accel", "kernel_arguments"};
  CHECK(nearest("memroy", names) == "memory");
  CHECK(nearest("vcpu", names) == "vcpus");
  CHECK(nearest("kernel-arguments", names) == "kernel_arguments");
  CHECK(nearest("colour", names).empty());
  CHECK(nearest("", names).empty());
  CHECK(nearest("memory", names) == "memory");
  CHECK(nearest("x", {}).empty());
  CHECK(nearest(std::string(100000, 'm'), names).empty());
}
