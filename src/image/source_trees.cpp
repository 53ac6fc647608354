#include "image/source_trees.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "image/source_package.hpp"
#include "image/tar_members.hpp"
#include "image/user_mode.hpp"

namespace swaprig::image {
namespace {

namespace fs = std::filesystem;
using Kind = spec::ImageSource::Kind;

constexpr std::chrono::hours k_patience{1};
constexpr std::size_t k_longest_list = std::size_t{1} << 30U;
constexpr const char* k_date = "2000-01-01T00:00:00+0000";

constexpr const char* k_other_ways =
    "give the source another way: tarball = \"FILE\" with sha256 = \"...\", or git = \"/FOLDER\" with commit = \"...\"";

/// git with nothing of the host's or the caller's own settings.
Command git(const fs::path& repository, const fs::path& tree, const fs::path& index,
            std::vector<std::string> arguments) {
  return {.program = "git",
          .arguments = std::move(arguments),
          .environment = {{"GIT_CONFIG_NOSYSTEM", "1"},
                          {"GIT_CONFIG_GLOBAL", "/dev/null"},
                          {"GIT_CONFIG_COUNT", "1"},
                          // Else a commit of many files starts a clean-up that outlives it.
                          {"GIT_CONFIG_KEY_0", "gc.auto"},
                          {"GIT_CONFIG_VALUE_0", "0"},
                          {"GIT_DIR", repository.string()},
                          {"GIT_WORK_TREE", tree.string()},
                          {"GIT_INDEX_FILE", index.string()},
                          {"GIT_AUTHOR_NAME", "swaprig"},
                          {"GIT_AUTHOR_EMAIL", "swaprig@localhost"},
                          {"GIT_AUTHOR_DATE", k_date},
                          {"GIT_COMMITTER_NAME", "swaprig"},
                          {"GIT_COMMITTER_EMAIL", "swaprig@localhost"},
                          {"GIT_COMMITTER_DATE", k_date},
                          {"LC_ALL", "C"}},
          .directory = tree,
          .timeout = k_patience};
}

class SourceMaker {
 public:
  SourceMaker(const spec::Image& image, const HostApt& apt, const fs::path& work, CommandRunner& commands)
      : m_image(image), m_commands(commands), m_archive(work / "apt", apt, commands) {}

  SourceTree make(const spec::ImageSource& source, const fs::path& tree) {
    SourceTree made{tree, source.to, ""};
    switch (source.kind) {
      case Kind::package:
        made.origin = take_package(source, tree);
        break;
      case Kind::tarball:
        made.origin = take_tarball(source, tree);
        break;
      case Kind::git:
        made.origin = take_commit(source, tree);
        break;
    }
    put_under_git(source, made);
    return made;
  }

 private:
  [[noreturn]] void fault(const spec::ImageSource& source, std::string message, std::string hint) const {
    throw BadInput({{m_image.path, source.where.line, source.where.column, std::move(message), std::move(hint)}},
                   try_read_file(m_image.path).value_or(""));
  }

  std::string take_package(const spec::ImageSource& source, const fs::path& tree) {
    try {
      return fmt::format("package {} {}", source.from, m_archive.unpack(source.from, tree));
    } catch (const NoSuchSource& none) {
      fault(source, fmt::format("the archive does not have the source package {}: {}", source.from, none.what()),
            k_other_ways);
    }
  }

  std::string take_tarball(const spec::ImageSource& source, const fs::path& tree) {
    const auto tarball = fs::absolute(source.from).string();
    const auto digest = digest_of(tarball);
    if (digest != source.proof) {
      fault(source, fmt::format("the tarball {} has the SHA-256 {}, expected is {}", tarball, digest, source.proof),
            "it is another file than the one that was meant; when it is the right one, write its digest");
    }
    const auto members = members_of(source, tarball);
    if (const auto why = archive_fault(members); !why.empty()) {
      fault(source, fmt::format("the tarball {} is refused, and nothing of it was unpacked: {}", tarball, why),
            "pack it anew without that member");
    }
    auto unpacked = tree;
    unpacked += ".unpacked";
    make_folders(unpacked);
    run_checked(m_commands, {.program = "tar",
                             .arguments = {"--extract", "--file", tarball, "--no-same-owner", "--no-same-permissions",
                                           "--delay-directory-restore", "--directory", unpacked.string()},
                             .timeout = k_patience});
    fs::rename(unpacked / top_folder(members), tree);
    return fmt::format("tarball {} {}", fs::path(tarball).filename().string(), digest);
  }

  std::string digest_of(const std::string& file) {
    constexpr std::size_t k_digits = 64;
    return run_checked(m_commands, {.program = "sha256sum", .arguments = {"--zero", "--", file}, .timeout = k_patience})
        .substr(0, k_digits);
  }

  std::vector<TarMember> members_of(const spec::ImageSource& source, const std::string& tarball) {
    const Command list{.program = "tar",
                       .arguments = {"--list", "--verbose", "--numeric-owner", "--absolute-names", "--quoting-style=c",
                                     "--file", tarball},
                       .environment = {{"LC_ALL", "C"}},
                       .timeout = k_patience,
                       .output_limit = k_longest_list};
    const auto result = m_commands.run(list);
    if (result.status != 0 || result.timed_out || result.out.size() >= k_longest_list) {
      fault(source, fmt::format("the tarball {} cannot be read: {}", tarball, printable_line(trim(result.err))),
            "a tar is expected, as it is or compressed by gzip, bzip2, xz or zstd");
    }
    return parse_tar_members(result.out);
  }

  std::string take_commit(const spec::ImageSource& source, const fs::path& tree) {
    const auto folder = fs::absolute(source.from);
    const auto repository = fs::exists(folder / ".git") ? folder / ".git" : folder;
    auto index = tree;
    index += ".index";
    make_folders(tree);
    const auto ask = [&](std::vector<std::string> words) { return git(repository, tree, index, std::move(words)); };
    const auto known = m_commands.run(ask({"cat-file", "-e", source.proof + "^{commit}"}));
    if (known.status != 0) {
      fault(source,
            fmt::format("there is no commit {} in {}: {}", source.proof, folder.string(),
                        printable_line(trim(known.err))),
            "git -C " + folder.string() + " log shows the commits that are there");
    }
    for (const auto& line : split(run_checked(m_commands, ask({"ls-tree", "-r", "--full-tree", source.proof})), '\n')) {
      if (line.starts_with("160000 ")) {
        fault(source,
              fmt::format("the commit {} has a submodule, {}, whose files are not in this repository", source.proof,
                          printable_line(line.substr(line.find('\t') + 1))),
              "make a tarball of all of it");
      }
    }
    run_checked(m_commands, ask({"read-tree", source.proof}));
    run_checked(m_commands, ask({"checkout-index", "--all", "--force", "--quiet"}));
    return "git " + source.proof;
  }

  void put_under_git(const spec::ImageSource& source, const SourceTree& made) {
    const auto& tree = made.folder;
    run_checked(m_commands, {.program = "chmod", .arguments = {"-R", "u=rwX,go=rX", "--", tree.string()}});
    for (const auto& entry : fs::recursive_directory_iterator(tree)) {
      if (entry.path().filename() != ".git") continue;
      fault(source,
            fmt::format("the source holds {}, and gets a repository of its own",
                        printable_line(entry.path().lexically_relative(tree).string())),
            "take it out, or name the repository: git = \"/FOLDER\" with commit = \"...\"");
    }
    const auto repository = tree / ".git";
    for (std::vector<std::string> words :
         {std::vector<std::string>{"init", "--quiet", "--initial-branch=main", "--template="},
          {"add", "--all", "--force"},
          {"commit", "--quiet", "--no-gpg-sign", "--message", made.origin},
          // One file in place of one for every file.
          {"repack", "-a", "-d", "--quiet"}}) {
      run_checked(m_commands, git(repository, tree, repository / "index", std::move(words)));
    }
  }

  const spec::Image& m_image;
  CommandRunner& m_commands;
  SourceArchive m_archive;
};

bool has(const spec::Image& image, Kind kind) {
  return std::any_of(image.sources.begin(), image.sources.end(), [&](const auto& s) { return s.kind == kind; });
}

}  // namespace

std::vector<SourceTree> make_source_trees(const spec::Image& image, const HostApt& apt, const fs::path& work,
                                          CommandRunner& commands,
                                          const std::function<void(const std::string&)>& tell) {
  std::vector<SourceTree> trees;
  if (image.sources.empty()) return trees;
  make_folders(work);
  SourceMaker maker(image, apt, work, commands);
  for (const auto& source : image.sources) {
    tell("getting the source for " + printable_line(source.to));
    trees.push_back(maker.make(source, work / std::to_string(trees.size() + 1)));
  }
  return trees;
}

void require_source_programs(const spec::Image& image, CommandRunner& commands) {
  if (image.sources.empty()) return;
  require_program(commands, "git", "git");
  if (!has(image, Kind::package)) return;
  require_program(commands, "apt-get", "apt");
  require_program(commands, "dpkg-source", "dpkg-dev");
}

}  // namespace swaprig::image
