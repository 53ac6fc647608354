#include "base/wire.hpp"

#include "support/catch.hpp"

using namespace swaprig;

TEST_CASE("fields survive newlines, backslashes and equal signs") {
  const wire::Fields fields{{"argument", "a=b\n\\n"}, {"argument", ""}, {"directory", "/"}};
  wire::Fields read;
  CHECK(wire::decode_fields(wire::encode_fields(fields), read));
  CHECK(read == fields);
  wire::Fields broken;
  CHECK_FALSE(wire::decode_fields("a=1\nnonsense\n", broken));
  CHECK(broken.size() == 1);
}

TEST_CASE("sections nest, and broken frames are refused") {
  std::string inner;
  wire::append_section(inner, "vmstat", "pswpin 1\n@x 5\n");
  std::string text;
  wire::append_section(text, "before", inner);
  wire::append_section(text, "output", "");
  wire::Sections sections;
  REQUIRE(wire::decode_sections(text, sections));
  REQUIRE(sections.size() == 2);
  CHECK(sections[0].first == "before");
  CHECK(sections[0].second == inner);
  CHECK(sections[1].second.empty());

  for (const char* bad : {"x", "@a\n", "@a 5\nabc\n", "@a 3\nabc", "@a 3\nabcd", "@a -1\n\n",
                          "@a 99999999999999999999\n", "@a 18446744073709551615\nx\n"}) {
    wire::Sections ignored;
    INFO(bad);
    CHECK_FALSE(wire::decode_sections(bad, ignored));
  }
}
