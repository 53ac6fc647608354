#include "image/root_tar.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/files.hpp"
#include "base/text.hpp"
#include "image/build_hook.hpp"
#include "image/file_system.hpp"
#include "image/user_mode.hpp"

namespace swaprig::image {
namespace {

namespace fs = std::filesystem;

constexpr const char* k_left_out[] = {"/usr/share/man/*",    "/usr/share/doc/*",     "/usr/share/info/*",
                                      "/usr/share/locale/*", "/usr/share/lintian/*", "/usr/share/linda/*"};

/// Quoted for the words of mmdebstrap's special hooks (Perl's shellwords).
std::string hook_word(const fs::path& path) {
  std::string word = "\"";
  for (const char c : path.string()) {
    if (c == '"' || c == '\\') word += '\\';
    word += c;
  }
  return word + '"';
}

void write_file(const fs::path& path, std::string_view text, unsigned mode) {
  make_folders(path.parent_path());
  write_file_durably(path, text);
  if (::chmod(path.c_str(), mode) != 0) throw FileError("cannot set the mode of", path.string(), errno);
}

std::string inside_root(const std::string& to) {
  const auto path = fs::path(to).lexically_normal();
  const auto relative = path.relative_path();
  if (!path.is_absolute() || relative.empty() || !relative.has_filename()) {
    throw UsageError(fmt::format("cannot put a file at '{}' in the image: an absolute path of a file is expected",
                                 printable_line(to)));
  }
  return relative.string();
}

/// The tree that is copied into the image before its setup lines run. Only files and the sources' own folders are
/// listed in the tar: folders that the image has already keep their owners and modes.
void write_input_tar(const spec::Image& image, const std::vector<SourceTree>& sources, const BuildPaths& paths,
                     CommandRunner& commands) {
  std::string list;
  const auto add = [&](const std::string& name, std::string_view text, unsigned mode) {
    write_file(paths.input() / name, text, mode);
    list += name + '\0';
  };
  add(".swaprig/hook", build_hook(), 0644);
  add(".swaprig/kernel", image.kernel_package, 0644);
  for (std::size_t i = 0; i < image.setup.size(); ++i) {
    add(fmt::format(".swaprig/setup/{:03}", i + 1), image.setup[i] + '\n', 0644);
  }
  for (const auto& file : image.files) add(inside_root(file.to), file.text, file.mode);
  for (const auto& source : sources) {
    const auto name = inside_root(source.to);
    make_folders((paths.input() / name).parent_path());
    fs::rename(source.folder, paths.input() / name);
    list += name + '\0';
  }
  run_checked(commands, {.program = "tar",
                         .arguments = {"--create", "--file", paths.input_tar().string(), "--owner=0", "--group=0",
                                       "--numeric-owner", "--directory", paths.input().string(), "--null",
                                       "--verbatim-files-from", "--files-from=-"},
                         .input = list,
                         .timeout = std::chrono::hours(1)});
}

std::string hint_for(std::string_view words) {
  if (words.find("swaprig: ") != std::string_view::npos) return "look at the definition of the image";
  for (const char* sign : {"Could not resolve", "Failed to fetch", "Temporary failure resolving", "Could not connect",
                           "Cannot initiate the connection", "Connection timed out"}) {
    if (words.find(sign) != std::string_view::npos) {
      return "the first build of an image fetches packages: check the network, the proxy and apt's sources "
             "(apt-get update), then try again";
    }
  }
  if (words.find("Unable to locate package") != std::string_view::npos) {
    return "a package of the definition is not in the archive: check its name and the suite";
  }
  if (words.find("newuidmap") != std::string_view::npos || words.find("/etc/subuid") != std::string_view::npos) {
    return "building as an ordinary user needs the package uidmap and a range of ids in /etc/subuid and /etc/subgid "
           "(usermod --add-subuids 100000-165535 --add-subgids 100000-165535 USER)";
  }
  return "check apt's sources on this host (apt-get update) and the definition's packages";
}

void run_mmdebstrap(const spec::Image& image, const HostApt& apt, const BuildPaths& paths, CommandRunner& commands) {
  const auto command = mmdebstrap_command(image, paths, apt, is_root());
  const auto result = commands.run(command);
  if (result.status == 0 && !result.timed_out) return;
  const auto ending = result.timed_out ? std::string("took too long and was stopped")
                                       : fmt::format("failed with status {}", result.status);
  const auto words = printable(trim(result.err), 3000);
  throw CommandError(fmt::format("cannot build the image {}: mmdebstrap {}; its last words were:\n{}\nhint: {}",
                                 image.name, ending, words, hint_for(words)));
}

}  // namespace

const std::vector<std::string>& base_packages() {
  static const std::vector<std::string> packages{"qemu-guest-agent", "kmod", "e2fsprogs", "util-linux", "mount"};
  return packages;
}

Command mmdebstrap_command(const spec::Image& image, const BuildPaths& paths, const HostApt& apt, bool as_root) {
  auto packages = base_packages();
  const auto add = [&](const std::string& package) {
    if (std::find(packages.begin(), packages.end(), package) == packages.end()) packages.push_back(package);
  };
  std::for_each(image.packages.begin(), image.packages.end(), add);
  if (!image.sources.empty()) add("git");
  Command command{.program = "mmdebstrap",
                  .arguments = {"--mode=" + std::string(as_root ? "root" : "unshare"), "--variant=essential",
                                "--format=tar", "--include=" + join(packages, ",")},
                  .environment = apt.settings.environment,
                  .directory = "/",
                  .timeout = std::chrono::hours(2)};
  auto& arguments = command.arguments;
  // Otherwise Debian 12 merges /usr by a package that needs all of Perl: 45 MB more to pour before every run.
  arguments.emplace_back("--hook-dir=/usr/share/mmdebstrap/hooks/maybe-merged-usr");
  for (const char* path : k_left_out) arguments.push_back(fmt::format("--dpkgopt=path-exclude={}", path));
  arguments.emplace_back("--dpkgopt=force-unsafe-io");  // the tar is synced, once
  arguments.emplace_back("--aptopt=Acquire::Languages \"none\"");
  for (const auto& option : apt.settings.options) arguments.push_back("--aptopt=" + option);
  arguments.push_back("--customize-hook=tar-in " + hook_word(paths.input_tar()) + " /");
  arguments.emplace_back("--customize-hook=sh \"$1/.swaprig/hook\" \"$1\"");
  arguments.push_back(image.suite);
  arguments.push_back(paths.tar().string());
  for (const auto& source : apt.sources) arguments.push_back(source);
  return command;
}

void build_root_tar(const spec::Image& image, const std::vector<SourceTree>& sources, const HostApt& apt,
                    const BuildPaths& paths, CommandRunner& commands) {
  write_input_tar(image, sources, paths, commands);
  run_mmdebstrap(image, apt, paths, commands);
  make_folders(paths.output());
  // mmdebstrap's own way out, its hook tar-out, takes a minute for a kernel: 4 KiB at a time, each acknowledged.
  const auto tar = paths.tar().string();
  run_checked(commands, {.program = "tar",
                         .arguments = {"--extract", "--file", tar, "--no-same-owner", "--strip-components=3",
                                       "--directory", paths.output().string(), "./.swaprig/out"}});
}

void append_to_tar(const fs::path& tar, const fs::path& folder, CommandRunner& commands) {
  run_checked(commands, {.program = "tar",
                         .arguments = {"--append", "--file", tar.string(), "--owner=0", "--group=0", "--numeric-owner",
                                       "--sort=name", "--mode=u=rwX,go=rX", "--directory", folder.string(), "."}});
}

TarContent parse_tar_list(std::string_view list) {
  TarContent content;
  while (!list.empty()) {
    const auto line = list.substr(0, list.find('\n'));
    list.remove_prefix(std::min(list.size(), line.size() + 1));
    const auto words = split_words(line.substr(0, 200));
    if (words.size() < 3) continue;
    const char kind = line.front();
    if (kind == 'h') continue;
    ++content.inodes;
    std::uint64_t size = 0;
    if (kind == '-') std::from_chars(words[2].data(), words[2].data() + words[2].size(), size);
    if (kind == 'd') size = k_block.count;
    content.data = content.data + k_block * ((size + k_block.count - 1) / k_block.count);
  }
  return content;
}

TarContent tar_content(const fs::path& tar, CommandRunner& commands) {
  return parse_tar_list(run_checked(
      commands, {.program = "tar",
                 .arguments = {"--list", "--verbose", "--numeric-owner", "--anchored", k_without_build_files, "--file",
                               tar.string()},
                 .timeout = std::chrono::hours(1)}));
}

}  // namespace swaprig::image
