#include "report/columns.hpp"

#include "support/catch.hpp"

using namespace swaprig::report;

TEST_CASE("columns of a text on a terminal") {
  CHECK(columns_of("abc") == 3);
  CHECK(columns_of("größer") == 6);
  CHECK(columns_of("e\u0301") == 1);
  CHECK(columns_of("交换区") == 6);
  CHECK(columns_of("") == 0);
  CHECK(columns_of("\xff\xfe") == 2);
}

TEST_CASE("a text is cut between characters, with a mark") {
  CHECK(shortened("abc", 3) == "abc");
  CHECK(shortened("abcd", 3) == "ab…");
  CHECK(shortened("äöüß", 3) == "äö…");
  CHECK(shortened("交换区", 4) == "交…");
}

TEST_CASE("cells are filled up by columns, not by bytes") {
  CHECK(left_aligned("ä", 3) == "ä  ");
  CHECK(right_aligned("ä", 3) == "  ä");
  CHECK(right_aligned("longer", 3) == "longer");
}
