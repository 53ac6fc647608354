#include "cli/session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.hpp"
#include "base/simdrive_wire.hpp"
#include "base/text.hpp"
#include "cli/signals.hpp"
#include "spec/image.hpp"

namespace swaprig::cli {

namespace {

/// A path by its looks, so that a program or folder that happens to have an experiment's name is not taken for it.
bool is_file(const std::string& file_or_name) {
  return file_or_name.ends_with(".toml") || file_or_name.find('/') != std::string::npos;
}

/// A folder of what experiments name: ./experiments/PART, or the one beside or installed with the program; empty when
/// there is none.
std::string experiments_part(const std::string& part) {
  const auto program = program_folder();
  for (const std::filesystem::path& folder :
       {std::filesystem::path("experiments") / part, program / "../experiments" / part,
        program / "../share/swaprig" / part}) {
    std::error_code error;
    if (std::filesystem::is_directory(folder, error)) return folder.string();
  }
  return {};
}

[[noreturn]] void unknown_experiment(store::Store* store, const std::string& name) {
  std::vector<std::string> names;
  if (store != nullptr) {
    for (const auto& experiment : store->experiments()) names.push_back(experiment.name);
  }
  const auto close = nearest(name, names);
  throw UsageError(fmt::format("{}: neither a file nor the name of a stored experiment{}", printable_line(name),
                               close.empty() ? "; swaprig list shows what is stored" : "; did you mean " + close + "?"));
}

}  // namespace

std::filesystem::path program_folder() { return std::filesystem::read_symlink("/proc/self/exe").parent_path(); }

std::filesystem::path part_of_program(const std::string& name) {
  const auto program = program_folder();
  for (const auto& path : {program / name, program / "../libexec/swaprig" / name}) {
    std::error_code error;
    if (std::filesystem::exists(path, error)) return path;
  }
  throw HostError(name + " is missing beside " + program.string() + "; build it or install swaprig again");
}

Session::Session(Options options) : m_options(std::move(options)), m_folders(standard_folders(m_options.state)) {
  stop_on_signals(m_stop);
}

std::filesystem::path Session::images() const {
  if (m_options.images) return *m_options.images;
  const auto program = program_folder();
  for (const std::filesystem::path& folder :
       {std::filesystem::path("images"), program / "../images", program / "../share/swaprig/images"}) {
    std::error_code error;
    if (std::filesystem::is_directory(folder, error)) return std::filesystem::canonical(folder);
  }
  throw UsageError("no folder of image definitions: neither ./images nor one beside the program; name it with --images");
}

spec::Library Session::library() const {
  spec::Library library;
  library.images = spec::image_names(images().string());
  library.profiles_folder = experiments_part("drives");
  library.published_folder = experiments_part("published");
  return library;
}

spec::Published Session::load_published(const std::string& file_or_name) const {
  if (is_file(file_or_name)) return spec::load_published(file_or_name);
  const auto folder = experiments_part("published");
  const auto names = spec::published_names(folder);
  if (std::find(names.begin(), names.end(), file_or_name) == names.end()) {
    const auto close = nearest(file_or_name, names);
    throw UsageError(fmt::format("there is no published study {}; {}there is: {}", printable_line(file_or_name),
                                 close.empty() ? "" : fmt::format("did you mean {}? ", close),
                                 names.empty() ? "none" : join(names, ", ")));
  }
  return spec::load_published((std::filesystem::path(folder) / (file_or_name + ".toml")).string());
}

spec::Profile Session::load_profile(const std::string& file_or_name) const {
  if (file_or_name.ends_with(".toml")) return spec::load_profile(file_or_name);
  const auto folder = library().profiles_folder;
  const auto names = spec::profile_names(folder);
  if (std::find(names.begin(), names.end(), file_or_name) == names.end()) {
    const auto close = nearest(file_or_name, names);
    throw UsageError(fmt::format("there is no drive profile '{}'; {}", printable_line(file_or_name),
                                 close.empty() ? "there are: " + join(names, ", ") : "did you mean '" + close + "'?"));
  }
  return spec::load_profile((std::filesystem::path(folder) / (file_or_name + ".toml")).string());
}

batch::Tools Session::tools() {
  return {m_commands, m_clock,   m_stop, m_folders, images(), part_of_program("swaprig-probe"),
          part_of_program(simdrive_wire::k_plugin_file), m_options.connect};
}

store::Store Session::stored_results() {
  if (!std::filesystem::exists(m_folders.state / "results.db")) {
    throw UsageError("nothing is stored yet in " + m_folders.state.string() + "; start with: swaprig run FILE");
  }
  return store::Store(m_folders.state, true);
}

spec::Experiment Session::load_experiment(const std::string& file_or_name, spec::Extent extent) {
  if (is_file(file_or_name)) return spec::load_experiment(file_or_name, library(), extent);
  if (!std::filesystem::exists(m_folders.state / "results.db")) unknown_experiment(nullptr, file_or_name);
  store::Store store(m_folders.state, true);
  const auto batches = store.batches(file_or_name);
  if (batches.empty()) unknown_experiment(&store, file_or_name);
  if (extent == spec::Extent::quick && !batches.front().quick) {
    throw UsageError("--quick needs the experiment's file; what is stored under " + printable_line(file_or_name) +
                     " are whole runs");
  }
  return batch::experiment_of(batches.front(), library());
}

std::string Session::last_batch(store::Store& store, const std::string& file_or_name) {
  const auto name = is_file(file_or_name) ? std::filesystem::path(file_or_name).stem().string() : file_or_name;
  const auto batches = store.batches(name);
  if (batches.empty()) unknown_experiment(&store, name);
  return batches.front().id;
}

}  // namespace swaprig::cli
