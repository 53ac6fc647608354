#include "report/published_report.hpp"

#include "base/files.hpp"
#include "base/text.hpp"
#include "report/json_parts.hpp"
#include "report/page.hpp"
#include "report/page_parts.hpp"
#include "report/published_chart.hpp"
#include "report/report_folder.hpp"
#include "report/schema.hpp"
#include "report/svg.hpp"
#include "report/templates.hpp"

namespace swaprig::report {

namespace {

Tree study_tree(const spec::Published& study, const std::string& version, const std::vector<DrawnChart>& charts) {
  Tree tree;
  put_study(tree, study, nullptr);
  tree.set("version", printable_line(version));
  tree.set("chart_published", chart_named(charts, "published"));
  tree.set("file", printable_line(study.name + ".toml"));
  const auto toml = printable(study.text);
  tree.set("toml", toml);
  tree.set("toml_fenced", fenced(toml, "toml"));
  return tree;
}

}  // namespace

std::string published_html(const spec::Published& study, const std::string& version,
                           const std::vector<DrawnChart>& charts) {
  auto tree = study_tree(study, version, charts);
  tree.set("style", palette_css() + k_page_css);
  return rendered(k_published_html, k_study_html, tree, nullptr);
}

std::string published_markdown(const spec::Published& study, const std::string& version,
                               const std::vector<DrawnChart>& charts) {
  auto tree = study_tree(study, version, charts);
  return rendered(k_published_markdown, k_study_markdown, tree, markdown_escaped);
}

std::string published_json(const spec::Published& study, const std::string& version) {
  const Json document{{"schema", k_published_schema},
                      {"schema_version", k_published_schema_version},
                      {"swaprig_version", version},
                      {"measured_here", false},
                      {"study", study_json(study)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<std::string> write_published_report(const spec::Published& study, const std::string& version,
                                                const std::filesystem::path& folder, CommandRunner& commands) {
  claim(folder);
  std::vector<Chart> charts;
  if (auto chart = published_chart(study)) charts.push_back(std::move(*chart));
  const auto drawn = draw(charts, commands);
  write_charts(folder / "charts", drawn);
  remove_quietly(folder / "runs.csv");  // of an experiment's report that was here before: a study has no runs
  write_file_durably(folder / "report.json", published_json(study, version));
  write_file_durably(folder / "report.md", published_markdown(study, version, drawn));
  write_file_durably(folder / "index.html", published_html(study, version, drawn));
  return faults_of(drawn, commands);
}

}  // namespace swaprig::report
