#include "base/error.hpp"

#include <system_error>

namespace swaprig {

FileError::FileError(const std::string& doing, const std::string& path, int error_number)
    : HostError(doing + " " + path + ": " + std::generic_category().message(error_number)) {}

}  // namespace swaprig
