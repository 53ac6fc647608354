#include "guest/creation_result.hpp"

#include "base/wire.hpp"
#include "guest/guest_agent.hpp"
#include "support/catch.hpp"

using namespace swaprig;

namespace {

std::string cell(const std::string& fields) {
  std::string text;
  wire::append_section(text, "cell", fields);
  return text;
}

const std::string k_good =
    "method=dd\nsize_bytes=16777216\nblock_bytes=4096\ndurable=1\nfile_system=ext4\ntiming=21000000 1000 19000\n"
    "timing=20000000 0 18500\n";

std::string fault_of(const std::string& text) {
  try {
    guest::parse_creations(text);
    return "no fault";
  } catch (const guest::AgentError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("timings of making swap files are read") {
  const auto cells = guest::parse_creations(
      cell("method=true\nsize_bytes=0\nblock_bytes=0\ndurable=0\nfile_system=ext4\ntiming=900000 0 800\n") +
      cell(k_good) + cell("method=fallocate\nsize_bytes=4096\nfile_system=btrfs\nunsupported=it has\\nholes\n"));
  REQUIRE(cells.size() == 3);
  CHECK(cells[0].method == "true");
  CHECK(cells[1].size_bytes == 16777216);
  CHECK(cells[1].block_bytes == 4096);
  CHECK(cells[1].durable);
  CHECK(cells[1].file_system == "ext4");
  CHECK(cells[1].real_ns == std::vector<std::int64_t>{21000000, 20000000});
  CHECK(cells[1].user_us == std::vector<std::int64_t>{1000, 0});
  CHECK(cells[1].system_us == std::vector<std::int64_t>{19000, 18500});
  CHECK(cells[1].unsupported.empty());
  CHECK(cells[2].real_ns.empty());
  CHECK(cells[2].unsupported == "it has\nholes");
  CHECK_FALSE(cells[2].durable);
}

TEST_CASE("unknown sections and fields are passed over; nothing at all is no cell") {
  std::string text;
  wire::append_section(text, "remark", "anything");
  CHECK(guest::parse_creations(text + cell(k_good + "colour=red\n")).size() == 1);
  CHECK(guest::parse_creations("").empty());
}

TEST_CASE("whatever else a guest sends is refused") {
  CHECK(fault_of("nonsense").find("a section is cut") != std::string::npos);
  CHECK(fault_of("@cell 999\nmethod=dd\n").find("a section is cut") != std::string::npos);
  CHECK(fault_of(cell("method")).find("a line is not KEY=VALUE") != std::string::npos);
  for (const std::string wrong :
       {"method=rm\n", "size_bytes=-1\n", "size_bytes=1e3\n", "block_bytes=99999999999999999999\n", "durable=yes\n",
        "timing=1 2\n", "timing=1 2 3 4\n", "timing=1 -2 3\n", "timing=a b c\n", "timing=\n"}) {
    INFO(wrong);
    CHECK(fault_of(cell(k_good + wrong)).find("are broken: " + wrong.substr(0, wrong.find('='))) != std::string::npos);
  }
  CHECK(fault_of(cell("size_bytes=1\ntiming=1 1 1\n")).find("without a method") != std::string::npos);
  CHECK(fault_of(cell("method=dd\n")).find("neither a time nor a reason") != std::string::npos);
  // Escape sequences of a terminal do not come through.
  CHECK(fault_of(cell("method=\x1b[31mred\n")).find('\x1b') == std::string::npos);
}

TEST_CASE("the size of everything is bounded") {
  CHECK(fault_of(std::string(guest::k_creations_limit + 1, 'x')).find("bytes") != std::string::npos);
  std::string many;
  for (int i = 0; i < 2000; ++i) many += cell(k_good);
  CHECK(guest::parse_creations(many).size() == 2000);
  CHECK(fault_of(many + cell(k_good)).find("too many cells") != std::string::npos);
  std::string timings = k_good;
  for (int i = 0; i < 98; ++i) timings += "timing=1 1 1\n";
  CHECK(guest::parse_creations(cell(timings)).front().real_ns.size() == 100);
  CHECK(fault_of(cell(timings + "timing=1 1 1\n")).find("timing") != std::string::npos);
  const auto long_words = guest::parse_creations(cell(k_good + "file_system=" + std::string(5000, 'f') +
                                                      "\nunsupported=" + std::string(5000, 'u') + "\n"));
  CHECK(long_words.front().file_system.size() == 32);
  CHECK(long_words.front().unsupported.size() == 1000);
}
