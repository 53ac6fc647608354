#include "base/text.hpp"
#include "spec/kind.hpp"
#include "spec/names.hpp"
#include "spec/table_reader.hpp"
#include "spec/workload.hpp"

namespace swaprig::spec {
namespace {

void read_environment(TableReader& table, Workload& workload) {
  const auto values = table.values("environment");
  if (!values) return;
  for (const auto& [name, value] : *values) {
    if (!is_variable_name(name)) {
      table.fault_at_entry("environment", name, in_quotes(name) + " is no name of an environment variable",
                           "letters, digits and underscores, no digit first");
    }
  }
  workload.environment = *values;
}

}  // namespace

/// A shell line in the guest.
class CommandWorkload final : public WorkloadKind {
 public:
  std::string name() const override { return "command"; }

  Workload read(TableReader& table) const override {
    Workload workload;
    table.require("command", "command = \"make -j2\"");
    const auto command = table.text("command");
    if (command && trim(*command).empty()) table.fault("command", "command is empty");
    workload.command = {"/bin/sh", "-c", command.value_or("")};
    workload.prepare = table.text("prepare").value_or("");
    if (const auto directory = table.text("directory")) {
      workload.directory = *directory;
      if (const auto wrong = folder_fault(*directory); !wrong.empty()) table.fault("directory", "directory: " + wrong);
    }
    if (const auto user = table.text("user")) {
      workload.user = *user;
      if (!is_user_name(*user)) table.fault("user", "user: " + in_quotes(*user) + " is no name of a user");
    }
    read_environment(table, workload);
    workload.summary = "command: " + printable_line(command.value_or(""), 120);
    return workload;
  }
};

template <>
const WorkloadKind& the<WorkloadKind, CommandWorkload>() {
  static const CommandWorkload kind;
  return kind;
}

}  // namespace swaprig::spec
