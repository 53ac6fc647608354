#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "spec/named_file.hpp"
#include "spec/sections.hpp"

namespace swaprig::spec {
namespace {

constexpr const char* k_creation_workload = "swapfile-creation";

using Names = std::vector<std::string>;

bool is_among(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Reads which published scenario is which of the experiment's.
class NameMatcher {
 public:
  NameMatcher(TableReader& root, const Published& study, Names scenarios)
      : m_root(root), m_study(study), m_scenarios(std::move(scenarios)) {
    for (const auto& time : study.scenarios) m_published.push_back(time.scenario);
  }

  /// The experiment's names by the published ones; those left out are not among them.
  std::map<std::string, std::string> read() {
    read_names();
    read_left_out();
    std::map<std::string, std::string> matched;
    std::map<std::string, std::string> published_of;
    for (const auto& published : m_published) {
      if (is_among(m_left_out, published)) continue;
      const auto given = m_given.find(published);
      const auto& own = given == m_given.end() ? published : given->second;
      if (given == m_given.end() && !is_among(m_scenarios, own)) {
        report_missing(published);
      } else if (const auto [other, is_new] = published_of.emplace(own, published); !is_new) {
        m_root.fault("reference", fmt::format("{} and {} of the study are both set beside the scenario {}",
                                              in_quotes(other->second), in_quotes(published), in_quotes(own)));
      }
      matched[published] = own;
    }
    return matched;
  }

 private:
  void read_names() {
    auto table = m_root.table("reference_names", "reference_names");
    if (!table) return;
    for (const auto& published : table->keys()) {
      if (!is_among(m_published, published)) {
        table->fault_at_key(published, "the study has no scenario " + in_quotes(published),
                            suggest(published, m_published));
      }
      const auto own = table->text(published);
      if (own && !is_among(m_scenarios, *own)) {
        table->fault(published, "there is no scenario " + in_quotes(*own), suggest(*own, m_scenarios));
      }
      m_given[published] = own.value_or("");
    }
  }

  void read_left_out() {
    const auto check = [this](const std::string& published) -> std::string {
      if (!is_among(m_published, published)) {
        return fmt::format("the study has no scenario {}; {}", in_quotes(published), suggest(published, m_published));
      }
      if (m_given.count(published) != 0) return in_quotes(published) + " has a name in reference_names already";
      if (published != m_study.floor && published != m_study.baseline) return "";
      return fmt::format(
          "{} cannot be left out: it is the study's {}, and the excess over the floor relative to the "
          "baseline is what is compared",
          in_quotes(published), published == m_study.floor ? "floor" : "baseline");
    };
    m_left_out = m_root.texts("reference_without", check).value_or(Names{});
  }

  void report_missing(const std::string& published) {
    const auto close = nearest(published, m_scenarios);
    m_root.fault("reference",
                 fmt::format("the study has the scenario {}, this experiment does not", in_quotes(published)),
                 fmt::format("{} Write reference_names = {{ {} = {} }} when it has another name here, or leave it out: "
                             "reference_without = [{}]",
                             suggest(published, m_scenarios), in_quotes(published),
                             in_quotes(close.empty() ? "..." : close), in_quotes(published)));
  }

  TableReader& m_root;
  const Published& m_study;
  Names m_scenarios;
  Names m_published;
  Names m_left_out;
  std::map<std::string, std::string> m_given;
};

/// What only a study of scenarios can have.
constexpr std::array k_name_keys{"reference_names", "reference_without"};

void ignore_names(TableReader& root) {
  for (const auto* key : k_name_keys) root.ignore(key);
}

void refuse_names(TableReader& root, const std::string& why) {
  for (const auto* key : k_name_keys) {
    if (root.has(key)) root.fault_at_key(key, fmt::format("{} says nothing: {}", key, why));
  }
  ignore_names(root);
}

bool fits_workload(TableReader& root, const Published& study, const std::string& workload) {
  const bool makes_files = study.kind == PublishedKind::swapfile_creation;
  if (workload.empty() || makes_files == (workload == k_creation_workload)) return true;
  root.fault("reference", fmt::format("the study {} {}, this experiment {}", in_quotes(study.name),
                                      makes_files ? "times the making of swap files" : "times a workload in scenarios",
                                      makes_files ? "does not" : "the making of swap files"));
  return false;
}

}  // namespace

std::string reference_key(const std::string& wanted) { return wanted + "/published"; }

std::optional<Reference> read_reference(TableReader& root, const std::string& path, const Experiment& experiment,
                                        const Library& library) {
  const auto wanted = root.text("reference");
  if (!wanted) {
    if (root.has("reference")) {
      ignore_names(root);
    } else {
      refuse_names(root, "there is no reference");
    }
    return std::nullopt;
  }
  const NamedSort sort{"reference", "published study", "published study", library.published_folder};
  const auto stored = library.files.find(reference_key(*wanted));
  const auto file = stored != library.files.end() ? std::optional(NamedFile{stored->second, *wanted})
                                                  : find_named(root, sort, *wanted, path);
  Reference reference{.wanted = *wanted, .study = {}, .scenarios = {}};
  const bool read =
      file && parse_named(root, sort, *file, [&] { reference.study = parse_published(file->text, file->path); });
  if (!read || !fits_workload(root, reference.study, experiment.workload.kind)) {
    ignore_names(root);
    return std::nullopt;
  }
  if (reference.study.kind != PublishedKind::scenarios) {
    refuse_names(root, "the study has no scenarios");
    return reference;
  }
  if (experiment.scenarios.empty()) return reference;  // a fault of its own
  Names scenarios;
  for (const auto& scenario : experiment.scenarios) scenarios.push_back(scenario.name);
  reference.scenarios = NameMatcher(root, reference.study, std::move(scenarios)).read();
  return reference;
}

}  // namespace swaprig::spec
