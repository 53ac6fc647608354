#pragma once

#include "spec/kind_table.hpp"

namespace swaprig::spec {

template <typename Interface, typename Kind>
const Interface& the() {
  static const Kind kind{};
  return kind;
}

}  // namespace swaprig::spec
