#include "base/text.hpp"
#include "spec/kind.hpp"
#include "spec/names.hpp"
#include "spec/table_reader.hpp"
#include "spec/workload.hpp"

namespace swaprig::spec {
namespace {

std::string variable_fault(const std::string& name) {
  if (is_variable_name(name)) return "";
  return in_quotes(name) + " is no name of an environment variable: letters, digits and underscores, no digit first";
}

std::string any_value(const std::string&) { return ""; }

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
    if (auto environment = table.values("environment", variable_fault, any_value)) {
      workload.environment = std::move(*environment);
    }
    workload.summary = "command: " + printable_line(command.value_or(""), 120);
    return workload;
  }
};

template const WorkloadKind& the<WorkloadKind, CommandWorkload>();

}  // namespace swaprig::spec
