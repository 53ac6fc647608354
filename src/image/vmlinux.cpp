#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "base/files.hpp"
#include "image/image_store.hpp"

namespace swaprig::image {
namespace {

using namespace std::string_view_literals;

// Fields of the setup header: linux, Documentation/arch/x86/boot.rst.
constexpr std::size_t k_setup_sectors = 0x1f1;
constexpr std::size_t k_header_magic = 0x202;
constexpr std::size_t k_protocol_version = 0x206;
constexpr std::size_t k_payload_offset = 0x248;
constexpr std::size_t k_payload_length = 0x24c;
constexpr std::size_t k_header_end = 0x250;
constexpr unsigned k_first_protocol_with_payload = 0x208;
constexpr auto k_elf_magic = "\x7f\x45LF"sv;

/// The kernel's build puts the uncompressed length, four bytes, behind every format that does not hold it itself.
struct Compression {
  std::string_view magic;
  const char* program;
  const char* ending;
  std::size_t appended;
};

constexpr Compression k_compressions[] = {
    {"\xfd\x37zXZ\0"sv, "xz", ".xz", 4},
    {"\x28\xb5\x2f\xfd"sv, "zstd", ".zst", 4},
    {"\x1f\x8b\x08"sv, "gzip", ".gz", 0},
    {"\x02\x21\x4c\x18"sv, "lz4", ".lz4", 4},
};

std::uint32_t little_endian(std::string_view text, std::size_t offset, std::size_t bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes; i-- > 0;) value = value << 8U | static_cast<unsigned char>(text[offset + i]);
  return value;
}

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    text += fmt::format("{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned char>(byte));
  }
  return text;
}

std::string_view payload_of(std::string_view bzimage) {
  if (bzimage.size() < k_header_end || bzimage.substr(k_header_magic, 4) != "HdrS") {
    throw Error(
        fmt::format("cannot extract the kernel: this is no x86 kernel image (no boot header; it begins with {})",
                    hexadecimal(bzimage.substr(0, 8))));
  }
  const auto protocol = little_endian(bzimage, k_protocol_version, 2);
  if (protocol < k_first_protocol_with_payload) {
    throw Error(fmt::format("cannot extract the kernel: its boot protocol is {}.{:02}, at least 2.08 is needed",
                            protocol >> 8U, protocol & 0xffU));
  }
  const auto setup = little_endian(bzimage, k_setup_sectors, 1);
  const std::uint64_t start =
      (std::uint64_t{setup == 0 ? 4 : setup} + 1) * 512 + little_endian(bzimage, k_payload_offset, 4);
  const std::uint64_t length = little_endian(bzimage, k_payload_length, 4);
  if (start > bzimage.size() || length > bzimage.size() - start) {
    throw Error(
        fmt::format("cannot extract the kernel: its payload of {} bytes at {} goes past the end of the file "
                    "({} bytes); is it cut off?",
                    length, start, bzimage.size()));
  }
  return bzimage.substr(start, length);
}

std::string decompress(std::string_view payload, const Compression& compression, CommandRunner& commands) {
  if (!commands.find(compression.program)) {
    throw HostError(
        fmt::format("cannot extract the kernel: it is compressed with {0}, which is not installed; "
                    "try: apt-get install {1}",
                    compression.program, compression.program == "xz"sv ? "xz-utils" : compression.program));
  }
  const TemporaryFolder folder("swaprig-kernel");
  const auto result = folder.path() / "vmlinux";
  const auto packed = result.string() + compression.ending;
  if (payload.size() > compression.appended) payload.remove_suffix(compression.appended);
  write_file_durably(packed, payload);
  // Through files: a kernel can be larger than what is kept of a program's output.
  Command command{.program = compression.program, .arguments = {"-d", "-q", packed}};
  if (compression.program == "lz4"sv) command.arguments.push_back(result.string());
  run_checked(commands, command);
  return read_file(result, gib(1));
}

}  // namespace

std::string extract_vmlinux(const std::string& bzimage, CommandRunner& commands) {
  const auto payload = payload_of(bzimage);
  for (const auto& compression : k_compressions) {
    if (!payload.starts_with(compression.magic)) continue;
    auto kernel = decompress(payload, compression, commands);
    if (!kernel.starts_with(k_elf_magic)) {
      throw Error(fmt::format("cannot extract the kernel: its {} payload holds no ELF file (it begins with {})",
                              compression.program, hexadecimal(std::string_view(kernel).substr(0, 4))));
    }
    return kernel;
  }
  if (payload.starts_with(k_elf_magic)) return std::string(payload);
  throw Error(
      fmt::format("cannot extract the kernel: its payload is neither xz, zstd, gzip nor lz4 "
                  "(it begins with {})",
                  hexadecimal(payload.substr(0, 8))));
}

}  // namespace swaprig::image
