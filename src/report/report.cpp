#include "report/report.hpp"

#include <fmt/format.h>

#include <set>

#include "base/files.hpp"
#include "report/chart.hpp"
#include "report/findings.hpp"
#include "report/page.hpp"
#include "report/schema.hpp"

namespace swaprig::report {

namespace {

namespace fs = std::filesystem;

/// Shows that a folder is ours to write again.
constexpr const char* k_marker = ".swaprig-report";

void make_readable_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw FileError("cannot make the report's folder", folder.string(), error.value());
}

bool holds_nothing(const fs::path& folder) {
  std::error_code error;
  const bool empty = fs::is_empty(folder, error);
  if (error) throw FileError("cannot read the report's folder", folder.string(), error.value());
  return empty;
}

void claim(const fs::path& folder) {
  std::error_code ignored;
  if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored)) {
    throw UsageError(
        fmt::format("cannot write the report to {}: it is not a folder; name another one", folder.string()));
  }
  make_readable_folder(folder);
  if (!holds_nothing(folder) && !fs::exists(folder / k_marker, ignored)) {
    throw UsageError(
        fmt::format("cannot write the report to {}: it holds something that is no report of swaprig; name an empty "
                    "or a new folder",
                    folder.string()));
  }
  write_file_durably(folder / k_marker, fmt::format("{} {}\n", k_schema, k_schema_version));
}

/// Charts of an earlier report that this one does not have: a picture must never show other numbers than the page.
void drop_other_charts(const fs::path& folder, const std::set<std::string>& written) {
  std::error_code error;
  std::vector<fs::path> stale;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const auto kind = entry.path().extension();
    const bool picture = kind == ".svg" || kind == ".png";
    if (picture && written.count(entry.path().filename().string()) == 0) stale.push_back(entry.path());
  }
  for (const auto& path : stale) fs::remove(path, error);
}

void write_charts(const fs::path& folder, const std::vector<DrawnChart>& charts) {
  make_readable_folder(folder);
  std::set<std::string> written;
  const auto write = [&](const std::string& name, const std::string& picture) {
    if (picture.empty()) return;
    write_file_durably(folder / name, picture);
    written.insert(name);
  };
  for (const auto& drawn : charts) {
    write(drawn.chart.name + ".svg", drawn.svg);
    write(drawn.chart.name + ".png", drawn.png);
  }
  drop_other_charts(folder, written);
}

std::vector<std::string> faults_of(const std::vector<DrawnChart>& charts, CommandRunner& commands) {
  if (!commands.find("gnuplot")) {
    return {
        "the report has no charts: gnuplot was not found; install the package gnuplot-nox and write the report again"};
  }
  std::vector<std::string> faults;
  for (const auto& drawn : charts) {
    if (!drawn.fault.empty()) faults.push_back(drawn.fault);
  }
  return faults;
}

}  // namespace

std::vector<std::string> write_report(const Subject& subject, const fs::path& folder, CommandRunner& commands) {
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
