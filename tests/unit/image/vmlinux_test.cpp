#include "base/files.hpp"
#include "image/image_store.hpp"
#include "support/catch.hpp"
#include "support/delegating_runner.hpp"

using namespace swaprig;
using namespace swaprig::image;

namespace {

const std::string k_elf = std::string("\x7f", 1) + "ELF" + std::string(5000, 'k');

void put(std::string& text, std::size_t offset, std::size_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) text[offset + i] = static_cast<char>(value >> (8 * i) & 0xffU);
}

/// A kernel image with one setup sector and 100 bytes between it and the payload.
std::string bzimage(const std::string& payload) {
  std::string image(1024, '\0');
  put(image, 0x1f1, 1, 1);
  image.replace(0x202, 4, "HdrS");
  put(image, 0x206, 0x20f, 2);
  put(image, 0x248, 100, 4);
  put(image, 0x24c, payload.size(), 4);
  return image + std::string(100, 'e') + payload + std::string(50, 't');
}

std::string compressed(CommandRunner& commands, const std::string& program, std::vector<std::string> arguments,
                       const std::string& text) {
  const TemporaryFolder folder;
  write_file_durably(folder.path() / "in", text);
  arguments.push_back((folder.path() / "in").string());
  return run_checked(commands, {.program = program, .arguments = std::move(arguments)});
}

std::string words_of(const std::string& image, CommandRunner& commands) {
  try {
    extract_vmlinux(image, commands);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("the kernel comes out of every compression, without the length behind it") {
  SystemCommandRunner commands;
  const std::string length(4, '\x09');
  CHECK(extract_vmlinux(bzimage(compressed(commands, "gzip", {"-c"}, k_elf)), commands) == k_elf);
  CHECK(extract_vmlinux(bzimage(compressed(commands, "xz", {"-c", "--check=crc32"}, k_elf) + length), commands) ==
        k_elf);
  CHECK(extract_vmlinux(bzimage(k_elf), commands) == k_elf);
  for (const std::string program : {"zstd", "lz4"}) {
    INFO(program << " has to be installed for this test");
    REQUIRE(commands.find(program));
    std::vector<std::string> arguments{"-c", "-q"};
    if (program == "lz4") arguments.emplace_back("-l");
    CHECK(extract_vmlinux(bzimage(compressed(commands, program, arguments, k_elf) + length), commands) == k_elf);
  }
}

TEST_CASE("what is no kernel is said to be none, with what was found") {
  SystemCommandRunner commands;
  CHECK(words_of("", commands).find("no boot header") != std::string::npos);
  CHECK(words_of(std::string(4096, 'x'), commands).find("78 78 78") != std::string::npos);
  CHECK(words_of(bzimage("BZh91AY&SY"), commands).find("42 5a 68") != std::string::npos);
  CHECK(words_of(bzimage(compressed(commands, "gzip", {"-c"}, "hello")), commands).find("no ELF") != std::string::npos);

  auto old = bzimage(k_elf);
  put(old, 0x206, 0x207, 2);
  CHECK(words_of(old, commands).find("2.07") != std::string::npos);

  auto cut = bzimage(k_elf);
  cut.resize(2000);
  CHECK(words_of(cut, commands).find("past the end") != std::string::npos);
  put(cut, 0x248, 0xffffffffU, 4);
  put(cut, 0x24c, 0xffffffffU, 4);
  CHECK(words_of(cut, commands).find("past the end") != std::string::npos);
}

TEST_CASE("a missing program is named with its package") {
  testing::DelegatingRunner commands;
  commands.missing = {"xz"};
  CHECK(words_of(bzimage(std::string("\xfd\x37zXZ\0", 6) + "..."), commands).find("apt-get install xz-utils") !=
        std::string::npos);
}
