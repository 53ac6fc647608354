#include "report/report.hpp"

#include "base/files.hpp"
#include "report/chart.hpp"
#include "report/findings.hpp"
#include "report/page.hpp"
#include "report/report_folder.hpp"

namespace swaprig::report {

std::vector<std::string> write_report(const Subject& subject, const std::filesystem::path& folder,
                                      CommandRunner& commands) {
  const auto findings = find(subject);
  claim(folder);
  const auto charts = draw(charts_of(subject, findings), commands);
  write_charts(folder / "charts", charts);
  write_file_durably(folder / "runs.csv", to_csv(subject));
  if (!findings.makings.empty()) write_file_durably(folder / "makings.csv", to_makings_csv(subject));
  write_file_durably(folder / "report.json", to_json(subject));
  write_file_durably(folder / "report.md", markdown_page(subject, findings, charts));
  write_file_durably(folder / "index.html", html_page(subject, findings, charts));
  return faults_of(charts, commands);
}

}  // namespace swaprig::report
