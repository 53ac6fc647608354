#include "image/source_package.hpp"

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/text.hpp"

namespace swaprig::image {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_words_shown = 1500;

fs::path only_dsc(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".dsc") return entry.path();
  }
  throw HostError(
      fmt::format("cannot find the .dsc of a source package in {} after apt-get downloaded it", folder.string()));
}

}  // namespace

std::vector<std::string> source_archives(const std::vector<std::string>& package_archives) {
  constexpr std::string_view k_deb = "deb ";
  std::vector<std::string> lines;
  for (const auto& line : package_archives) {
    if (line.starts_with(k_deb)) lines.push_back("deb-src " + line.substr(k_deb.size()));
  }
  return lines;
}

std::string source_version(std::string_view dsc) {
  constexpr std::string_view k_field = "Version:";
  for (const auto& line : split(dsc, '\n')) {
    if (line.starts_with(k_field)) return std::string(trim(std::string_view(line).substr(k_field.size())));
  }
  return "";
}

SourceArchive::SourceArchive(fs::path folder, const HostApt& apt, CommandRunner& commands)
    : m_folder(std::move(folder)), m_apt(apt), m_commands(commands) {}

Command SourceArchive::apt_get(std::vector<std::string> words, const fs::path& directory) const {
  Command command{.program = "apt-get",
                  .environment = m_apt.settings.environment,
                  .directory = directory,
                  .timeout = std::chrono::hours(1)};
  command.environment["LC_ALL"] = "C";
  const auto set = [&](const std::string& option) {
    command.arguments.emplace_back("-o");
    command.arguments.push_back(option);
  };
  set("Dir::Etc::SourceList=" + (m_folder / "sources.list").string());
  set("Dir::Etc::SourceParts=-");
  set("Dir::State::Lists=" + (m_folder / "lists").string());
  set("Dir::State::Status=" + (m_folder / "status").string());
  set("Dir::Cache=" + (m_folder / "cache").string());
  set("Acquire::Languages=none");
  set("APT::Sandbox::User=root");  // another user could not write into a folder of ours
  command.arguments.insert(command.arguments.end(), words.begin(), words.end());
  return command;
}

void SourceArchive::update() {
  if (m_updated) return;
  const auto archives = source_archives(m_apt.sources);
  if (archives.empty()) throw NoSuchSource("this host's apt knows no archive with the image's suite");
  make_folders(m_folder / "lists" / "partial");
  make_folders(m_folder / "cache");
  write_file_durably(m_folder / "sources.list", join(archives, "\n") + '\n');
  write_file_durably(m_folder / "status", "");
  run_checked(m_commands, apt_get({"-qq", "update"}, m_folder));
  m_updated = true;
}

std::string SourceArchive::unpack(const std::string& package, const fs::path& tree) {
  update();
  auto download = tree;
  download += ".download";
  make_folders(download);
  const auto command = apt_get({"-qq", "--only-source", "--download-only", "source", package}, download);
  const auto result = m_commands.run(command);
  if (result.status != 0 || result.timed_out) {
    for (const char* sign : {"Unable to find a source package", "404  Not Found", "File not found"}) {
      if (result.err.find(sign) != std::string::npos) {
        throw NoSuchSource(printable_line(join(split(trim(result.err), '\n'), "; "), k_words_shown));
      }
    }
    throw CommandError(command, result);
  }
  const auto dsc = only_dsc(download);
  run_checked(m_commands, {.program = "dpkg-source",
                           .arguments = {"--extract", dsc.string(), tree.string()},
                           .directory = download,
                           .timeout = std::chrono::hours(1)});
  return source_version(read_file(dsc));
}

}  // namespace swaprig::image
