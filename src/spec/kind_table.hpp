#pragma once

#include <array>
#include <cstddef>

namespace swaprig::spec {

/// The one object of a kind. It is defined in kind.hpp and instantiated in the file of the kind, so that a table of
/// kinds needs only the name of the class: a new kind is a file and a line.
template <typename Interface, typename Kind>
const Interface& the();

/// The objects behind a table of kinds.
template <typename Interface, std::size_t N>
std::array<const Interface*, N> all_of(const std::array<const Interface& (*)(), N>& table) {
  std::array<const Interface*, N> kinds{};
  for (std::size_t i = 0; i < N; ++i) kinds[i] = &table[i]();
  return kinds;
}

}  // namespace swaprig::spec
