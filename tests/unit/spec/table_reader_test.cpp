#include "spec/table_reader.hpp"

#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::spec;
using namespace std::chrono_literals;

namespace {

/// A table from a text, its reader and the faults that come out.
struct Fixture {
  explicit Fixture(const std::string& toml)
      : text(toml),
        document(parse_document(text, "f.toml")),
        reader(std::get<Node::Table>(document.value), document.where, faults, "the file") {}

  std::vector<Diagnostic> diagnostics() {
    try {
      faults.throw_if_any(text);
    } catch (const BadInput& input) {
      return input.diagnostics();
    }
    return {};
  }

  std::string text;
  Node document;
  Faults faults{"f.toml"};
  TableReader reader;
};

std::string fine(const std::string&) { return ""; }
std::string no_x(const std::string& text) { return text == "x" ? "x is no good" : ""; }

}  // namespace

TEST_CASE("values of the right type and range are read") {
  Fixture f(
      "t = 'x'\ni = 3\nn = 0.5\nw = 1\nb = true\ns = '2 GiB'\nd = '1.5 min'\np = '12.5 %'\nl = ['a', 'b']\n"
      "v = { a = 1, b = 'x', c = false }\n[sub]\nk = 1\n");
  CHECK(f.reader.text("t") == "x");
  CHECK(f.reader.integer("i", {1, 3}) == 3);
  CHECK(f.reader.number("n", {0, 1}) == 0.5);
  CHECK(f.reader.number("w", {0, 1}) == 1.0);
  CHECK(f.reader.boolean("b") == true);
  CHECK(f.reader.size("s", {Bytes{0}, gib(2)}) == gib(2));
  CHECK(f.reader.duration("d", {0s, 1h}) == 90s);
  CHECK(f.reader.percentage("p", {0, 1}) == 0.125);
  CHECK(f.reader.texts("l", fine) == std::vector<std::string>{"a", "b"});
  CHECK(f.reader.values("v", fine, fine) == std::map<std::string, std::string>{{"a", "1"}, {"b", "x"}, {"c", "0"}});
  auto sub = f.reader.table("sub", "[sub]");
  REQUIRE(sub);
  CHECK(sub->integer("k", {0, 9}) == 1);
  sub->finish();
  CHECK_FALSE(f.reader.text("absent"));
  f.reader.finish();
  CHECK(f.diagnostics().empty());
}

TEST_CASE("unknown keys are found with the nearest valid one, at their place") {
  Fixture f("memroy = 1\n");
  f.reader.text("memory");
  f.reader.text("vcpus");
  f.reader.finish();
  const auto found = f.diagnostics();
  REQUIRE(found.size() == 1);
  CHECK(found[0].message == "the file has no key \"memroy\"");
  CHECK(found[0].hint == "did you mean \"memory\"?");
  CHECK(found[0].line == 1);
  CHECK(found[0].column == 1);
}

TEST_CASE("faults of different kinds are all kept, sorted by line") {
  Fixture f("a = 3\nb = 'x'\nc = 99\n");
  f.reader.integer("c", {0, 9});
  f.reader.integer("b", {0, 9});
  f.reader.text("a");
  f.reader.require("d", "d = 1");
  const auto found = f.diagnostics();
  REQUIRE(found.size() == 4);
  CHECK(found[0].message == "the file has no d");
  CHECK(found[1].message == "a: expected a string, found an integer");
  CHECK(found[2].message == "b: expected an integer, found a string");
  CHECK(found[3].message == "c has to be from 0 to 9");
}

TEST_CASE("a bare number where a unit belongs") {
  Fixture f("s = 512\nd = 90\n");
  CHECK_FALSE(f.reader.size("s", {Bytes{0}, gib(1)}));
  CHECK_FALSE(f.reader.duration("d", {0s, 1h}));
  const auto found = f.diagnostics();
  REQUIRE(found.size() == 2);
  CHECK(found[0].message == "s: expected a size such as \"2 GiB\", found an integer");
  CHECK(found[0].hint == "write the unit: \"512 MiB\"");
  CHECK(found[1].hint == "write the unit: \"90 s\"");
}

TEST_CASE("not a number is no number in a range") {
  Fixture f("a = nan\nb = inf\n");
  CHECK_FALSE(f.reader.number("a", {0, 1}));
  CHECK_FALSE(f.reader.number("b", {0, 1}));
  CHECK(f.diagnostics().size() == 2);
}

TEST_CASE("peeking leaves no trace") {
  Fixture f("a = 3\nb = 'x'\n");
  CHECK(f.reader.peek("b") == "x");
  CHECK_FALSE(f.reader.peek("a"));
  CHECK_FALSE(f.reader.peek("c"));
  f.reader.finish();
  CHECK(f.diagnostics().size() == 2);
}

TEST_CASE("elements of arrays and tables are checked at their place, all of them") {
  Fixture f("l = ['a', 'x', 3]\nv = { a = 'x', x = 1, c = 1.5, d = { e = 1 } }\n");
  CHECK(f.reader.texts("l", no_x) == std::vector<std::string>{"a", "x"});
  f.reader.values("v", no_x, no_x);
  const auto found = f.diagnostics();
  REQUIRE(found.size() == 6);
  CHECK(found[0].message == "x is no good");
  CHECK(found[0].column == 11);
  CHECK(found[1].message == "l: expected a string, found an integer");
  CHECK(found[2].column == 11);
  CHECK(found[3].column == 16);
  CHECK(found[4].message.find("c: expected") == 0);
  CHECK(found[5].hint.find("needs quotes") != std::string::npos);
}
