#pragma once

#include <string>

namespace swaprig::spec {

/// What is wrong with a size, duration, percentage or rate, in words; empty for `none`. `Fault` is one of base's fault
/// enumerations, which name the same faults.
template <typename Fault>
std::string fault_words(Fault fault) {
  switch (fault) {
    case Fault::none:
      return "";
    case Fault::no_unit:
      return "it has no unit";
    case Fault::unknown_unit:
      return "its unit is unknown";
    case Fault::not_a_number:
      return "its number cannot be used";
    case Fault::negative:
      return "it is negative";
    case Fault::overflow:
      return "it is too large";
  }
  return "";
}

}  // namespace swaprig::spec
