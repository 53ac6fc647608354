#include "base/text.hpp"

#include "support/catch.hpp"

using namespace swaprig;

TEST_CASE("splitting, trimming, joining") {
  CHECK(split("a,,b", ',') == std::vector<std::string>{"a", "", "b"});
  CHECK(split("", ',') == std::vector<std::string>{""});
  CHECK(split_words("  a \t b\nc ") == std::vector<std::string>{"a", "b", "c"});
  CHECK(split_words("   ").empty());
  CHECK(trim(" \n a b\t") == "a b");
  CHECK(trim("").empty());
  CHECK(join({"a", "b", "c"}, ", ") == "a, b, c");
  CHECK(join({}, ", ").empty());
}

TEST_CASE("UTF-8 is told from what is not") {
  CHECK(is_utf8(""));
  CHECK(is_utf8("Größe \xF0\x9F\x90\xA2"));
  CHECK_FALSE(is_utf8("\xFF"));
  CHECK_FALSE(is_utf8("\xC3"));              // cut
  CHECK_FALSE(is_utf8("\xC0\xAF"));          // overlong
  CHECK_FALSE(is_utf8("\xE0\x80\xAF"));      // overlong
  CHECK_FALSE(is_utf8("\xED\xA0\x80"));      // surrogate
  CHECK_FALSE(is_utf8("\xF4\x90\x80\x80"));  // beyond U+10FFFF
  CHECK_FALSE(is_utf8("\x80"));              // continuation alone
}

TEST_CASE("what a guest sends is made harmless") {
  CHECK(printable("plain\n\ttext") == "plain\n\ttext");
  CHECK(printable("\x1B[31mred\x1B[0m") == "\\x1B[31mred\\x1B[0m");
  CHECK(printable("over\rwritten\b\x7F") == "over\\x0Dwritten\\x08\\x7F");
  CHECK(printable("a\xE2\x80\xAE"
                  "b") == "a<U+202E>b");  // right-to-left override
  CHECK(printable("a\xE2\x81\xA6"
                  "b") == "a<U+2066>b");  // isolate
  CHECK(printable("a\xC2\x9B"
                  "31m") == "a<U+009B>31m");  // C1 control sequence introducer
  CHECK(printable("a\x9B\xFF"
                  "b") ==
        "a\xEF\xBF\xBD\xEF\xBF\xBD"
        "b");
  CHECK(printable("Größe <ok>") == "Größe <ok>");
  CHECK(printable(std::string("a\0b", 3)) == "a\\x00b");
  CHECK(printable_line("a\nb\tc") == "a\\nb\\tc");
}

TEST_CASE("long texts keep their end, with a mark at the cut") {
  CHECK(printable("0123456789", 4) == "[...] 6789");
  CHECK(printable("0123456789", 10) == "0123456789");
  CHECK(printable("ab\xC3\xBC"
                  "cd",
                  3) == "[...] cd");  // never cut within a character
  CHECK(printable_line(std::string(1000, 'x')).size() == 406);
}

TEST_CASE("slugs are safe and different names stay different") {
  CHECK(slug("hdd-start2") == "hdd-start2");
  const auto spaced = slug("RAM only");
  CHECK(spaced.substr(0, 9) == "ram-only-");
  CHECK(spaced.size() == 17);
  CHECK(slug("ram only") != spaced);
  CHECK(slug("../../etc/passwd").find('/') == std::string::npos);
  CHECK(slug("<script>\"',\n").substr(0, 7) == "script-");
  CHECK(slug("ä") != slug("ö"));
  CHECK(slug("").size() == 8);
  CHECK(slug("-a").front() == 'a');
  CHECK(slug(std::string(200, 'a')).size() == 60);
  CHECK(slug(std::string(200, 'a')) != slug(std::string(201, 'a')));
}

TEST_CASE("SHA-256 of known texts") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
