#pragma once

#include <cstdint>
#include <string>

namespace swaprig::testing {

enum class TinyEnd { halt, reboot };

/// A "kernel" of a few bytes that QEMU boots by PVH: an ELF whose code writes `message` to the first serial port and
/// then halts for ever or reboots. Enough to try machines for real, without an image.
inline std::string tiny_kernel(const std::string& message, TinyEnd end) {
  constexpr std::uint32_t k_base = 0x100000;
  constexpr std::uint32_t k_headers = 64 + 2 * 56;
  constexpr std::uint32_t k_note = 24;
  constexpr std::uint32_t k_entry = k_base + k_headers + k_note;
  const auto number = [](std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xffU);
    return text;
  };

  using namespace std::string_literals;
  const std::string ending = end == TinyEnd::reboot ? "\xb0\xfe\xe6\x64\xf4\xeb\xfd"s  // mov al,0xfe; out 0x64,al; hlt
                                                    : "\xfa\xf4\xeb\xfd"s;             // cli; hlt; jmp
  const std::string printing =
      "\x66\xba\xf8\x03"s      // mov dx,0x3f8
      "\xac\x84\xc0\x74\x03"s  // next: lodsb; test al,al; jz done
      "\xee\xeb\xf8"s;         // out dx,al; jmp next
  const auto code_size = static_cast<std::uint32_t>(1 + 5 + printing.size() + ending.size());
  std::string code = "\xfc\xbe"s + number(k_entry + code_size, 4) + printing + ending;  // cld; mov esi,message
  code += message + '\0';

  const std::uint64_t size = k_headers + k_note + code.size();
  std::string elf =
      "\x7f"
      "ELF\x02\x01\x01"s +
      std::string(9, '\0');
  elf += number(2, 2) + number(62, 2) + number(1, 4);                       // executable, x86-64
  elf += number(k_entry, 8) + number(64, 8) + number(0, 8) + number(0, 4);  // entry, program headers
  elf += number(64, 2) + number(56, 2) + number(2, 2) + number(64, 2) + number(0, 2) + number(0, 2);
  elf += number(1, 4) + number(7, 4) + number(0, 8) + number(k_base, 8) + number(k_base, 8);  // PT_LOAD, all of it
  elf += number(size, 8) + number(size, 8) + number(0x1000, 8);
  elf += number(4, 4) + number(4, 4) + number(k_headers, 8) + number(k_base + k_headers, 8);  // PT_NOTE
  elf += number(k_base + k_headers, 8) + number(k_note, 8) + number(k_note, 8) + number(4, 8);
  elf += number(4, 4) + number(8, 4) + number(18, 4) + "Xen\0"s + number(k_entry, 8);  // PHYS32_ENTRY
  return elf + code;
}

}  // namespace swaprig::testing
