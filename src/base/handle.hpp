#pragma once

#include <memory>

namespace swaprig {

/// Deleter for handles of C libraries: `std::unique_ptr<virConnect, FreeWith<&close_connection>>`.
template <auto Free>
struct FreeWith {
  template <typename T>
  void operator()(T* handle) const noexcept {
    if (handle != nullptr) static_cast<void>(Free(handle));
  }
};

}  // namespace swaprig
