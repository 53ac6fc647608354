#include "spec/creation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/wire.hpp"

namespace swaprig::spec {

std::string in_words(const CreationCell& cell) {
  auto words = cell.method;
  if (cell.size.count > 0) words += " of " + exact(cell.size);
  if (cell.block.count > 0) words += " in blocks of " + exact(cell.block);
  return cell.durable ? words + ", fsync" : words;
}

bool is_control(const std::string& method) { return method == wire::k_bare_call || method == wire::k_control; }

Bytes CreationPlan::largest() const {
  Bytes most;
  for (const auto& cell : cells) most = std::max(most, cell.size);
  return most;
}

Bytes CreationPlan::written() const {
  Bytes sum;
  for (const auto& cell : cells) {
    if (cell.method == wire::k_by_dd) sum = sum + cell.size;
  }
  return sum * static_cast<std::uint64_t>(repeat);
}

}  // namespace swaprig::spec
