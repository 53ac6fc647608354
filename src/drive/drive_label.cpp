#include "drive/drive_label.hpp"

#include <strings.h>

#include <algorithm>

#include "drive/partition_table.hpp"

namespace swaprig::drive {

std::string claim_word(const BlockDevice& device) { return device.partition > 0 ? device.partuuid : device.serial; }

std::string label_guid(const BlockDevice& device) {
  return guid_from(claim_word(device), "claimed, " + exact(device.size));
}

bool is_claimed(const BlockDevice& device) {
  if (claim_word(device).empty()) return false;
  const auto guid = label_guid(device);
  return std::any_of(device.signatures.begin(), device.signatures.end(), [&](const Signature& signature) {
    return signature.type == "gpt" && ::strcasecmp(signature.uuid.c_str(), guid.c_str()) == 0;
  });
}

}  // namespace swaprig::drive
