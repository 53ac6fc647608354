#pragma once

#include <span>
#include <string>

#include "spec/experiment.hpp"

namespace swaprig::spec {

class TableReader;

/// One kind of workload. A new one is one file in src/spec/workloads/ and its line in workload.cpp.
class WorkloadKind {
 public:
  virtual ~WorkloadKind() = default;

  virtual std::string name() const = 0;
  /// Reads the keys of the kind and brings them down to one command; faults go to the reader.
  /// `kind` and `timeout` are read by the caller, who also sets Workload::kind.
  virtual Workload read(TableReader& table) const = 0;
};

std::span<const WorkloadKind* const> workload_kinds();

}  // namespace swaprig::spec
