#include "cli/session.hpp"

#include <fmt/format.h>

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
  const auto program = program_folder();
  for (const std::filesystem::path& folder :
       {std::filesystem::path("experiments/drives"), program / "../experiments/drives",
        program / "../share/swaprig/drives"}) {
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error)) continue;
    library.profiles_folder = folder.string();
    break;
  }
  return library;
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
