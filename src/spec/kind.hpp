#pragma once

#include <array>
#include <cstddef>

namespace swaprig::spec {

/// The one object of a kind. Each kind's own file specialises it for its class, and the table of kinds names that
/// class: a new kind is a file and a line.
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
