#include "spec/document.hpp"

#include "base/diagnostic.hpp"
#include "spec/nesting.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::spec;

namespace {

std::string canonical(const std::string& text) { return canonical_text(parse_document(text, "f.toml")); }

}  // namespace

TEST_CASE("keys and values know where they stand") {
  const auto root = parse_document("a = 1\n[b]\nc = \"x\"\n", "f.toml");
  const auto& table = std::get<Node::Table>(root.value);
  REQUIRE(table.size() == 2);
  CHECK(table[0].key == "a");
  CHECK(table[0].where.line == 1);
  CHECK(table[0].where.column == 1);
  CHECK(table[0].node.where.column == 5);
  const auto& inner = std::get<Node::Table>(table[1].node.value);
  CHECK(inner[0].node.where.line == 3);
  CHECK(inner[0].node.where.column == 5);
}

TEST_CASE("the canonical text forgets comments, order of keys and formatting") {
  CHECK(canonical("b = 2 # two\na = 'x'\n[t]\nk = [1, 2]\n") == canonical("t = { k = [\n1,2 ] }\na = \"x\"\nb = 2"));
  CHECK(canonical("b = 2\na.c = 'x'\n") == "a.c = \"x\"\nb = 2\n");
  CHECK(canonical("x = []\ny = {}\n") == "x = []\ny = {}\n");
  CHECK(canonical("x = 1.0\ny = true\nz = 2021-09-07\n") == "x = 1\ny = true\nz = 2021-09-07\n");
  CHECK(canonical("\"a b\" = \"q\\\"\\n\\t\\u0007\\\\\"") == "\"a b\" = \"q\\\"\\n\\t\\u0007\\\\\"\n");
}

TEST_CASE("the canonical text keeps what matters") {
  CHECK(canonical("a = 1") != canonical("a = 2"));
  CHECK(canonical("a = 1") != canonical("a = \"1\""));
  CHECK(canonical("a = [1, 2]") != canonical("a = [2, 1]"));
  CHECK(canonical("a = []") != canonical(""));
}

TEST_CASE("differences name the lines that changed") {
  const auto before = canonical("a = 1\nb = 9\nc = [1]\n");
  const auto now = canonical("a = 1\nb = 10\nc = [1, 2]\n");
  CHECK(differences(before, now) == std::vector<std::string>{"- b = 9", "+ b = 10", "+ c[2] = 2"});
  CHECK(differences(before, before).empty());
  CHECK(differences("", now).size() == 4);
}

TEST_CASE("a difference under a key that holds an equal sign stays together") {
  const auto before = canonical("\"x = y\" = 9\n\"x = z\" = 1\n");
  const auto now = canonical("\"x = y\" = 10\n\"x = z\" = 1\n");
  CHECK(differences(before, now) == std::vector<std::string>{"- \"x = y\" = 9", "+ \"x = y\" = 10"});
}

TEST_CASE("nesting is bounded before the parser sees it, strings and comments do not count") {
  CHECK_FALSE(first_too_deep("a = [[[1]]]", 3));
  CHECK(first_too_deep("a = [[[1]]]", 2));
  CHECK(first_too_deep("a.b.c = 1", 2));
  CHECK_FALSE(first_too_deep("a.b = 1\nc.d = 2", 2));
  CHECK_FALSE(first_too_deep("a = \"[[[[\" # [[[[\nb = '''[[[\n[[['''\nc = \"\\\"[[[[\"", 2));
  const auto where = first_too_deep("x = 1\ny = [[[", 2);
  REQUIRE(where);
  CHECK(where->line == 2);
  CHECK(where->column == 7);
}

TEST_CASE("a hundred thousand brackets or dots do not crash") {
  for (const char* piece : {"[", "{a=", "a.", "\"a\".", "[[", "'a'.[", "\"", "'", "\"\"\"", "\\", "=", "\n[a."}) {
    std::string text = "x = ";
    for (int i = 0; i < 100'000; ++i) text += piece;
    CHECK_THROWS_AS(parse_document(text, "f.toml"), BadInput);
  }
}

TEST_CASE("cut at any byte a good file is refused or read, and never crashes") {
  const std::string text =
      "schema = 1\n[a.\"b c\"]\nx = [{ y = \"\\u00e4\", z = 1.5e3 }, '''\nq''']\nd = 2021-09-07T01:02:03Z\n[[s]]\n";
  for (std::size_t i = 0; i <= text.size(); ++i) {
    try {
      parse_document(text.substr(0, i), "f.toml");
    } catch (const BadInput& input) {
      CHECK(input.diagnostics().size() == 1);
    }
  }
}
