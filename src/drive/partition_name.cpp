#include "drive/partition_name.hpp"

#include "base/assert.hpp"

namespace swaprig::drive {

std::string partition_name(std::string_view device, int number) {
  SWAPRIG_ASSERT(!device.empty() && number > 0);
  const bool ends_in_digit = device.back() >= '0' && device.back() <= '9';
  return std::string(device) + (ends_in_digit ? "p" : "") + std::to_string(number);
}

}  // namespace swaprig::drive
