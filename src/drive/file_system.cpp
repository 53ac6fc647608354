#include "drive/file_system.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "drive/partition_table.hpp"

namespace swaprig::drive {

namespace {

constexpr std::size_t k_serial_limit = 20;  // VIRTIO_BLK_ID_BYTES

}  // namespace

bool is_guest_serial(const std::string& text) {
  return !text.empty() && text.size() <= k_serial_limit && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  });
}

Command make_ext4(const std::filesystem::path& path, const PlacedPartition& partition, const std::string& serial) {
  auto uuid = guid_from(serial, fmt::format("file system {}", partition.number));
  std::transform(uuid.begin(), uuid.end(), uuid.begin(),
                 [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c; });
  Command command;
  command.program = "mke2fs";
  command.arguments = {
      "-t",
      "ext4",
      "-F",
      "-q",
      "-b",
      "4096",
      "-m",
      "0",
      "-U",
      uuid,
      "-E",
      fmt::format("offset={},hash_seed={},root_owner=0:0,lazy_itable_init=0,lazy_journal_init=0,nodiscard",
                  partition.offset.count, uuid),
      path.string(),
      fmt::format("{}k", partition.size.count / 1024)};
  command.timeout = std::chrono::hours(1);
  return command;
}

}  // namespace swaprig::drive
