#include "host/registered_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>

#include "base/error.hpp"
#include "base/text.hpp"
#include "host/processes.hpp"

namespace swaprig::host {
namespace {

namespace fs = std::filesystem;

constexpr const char* k_marker = "swaprig-owner";
constexpr const char* k_prefix = "swaprig-";
constexpr std::size_t k_longest_base = 24;  // keeps the whole path within 40 bytes

std::string random_id() {
  constexpr const char* k_letters = "0123456789abcdefghijkmnpqrstuvwxyz";
  std::random_device source;
  std::uniform_int_distribution<std::size_t> letter(0, 33);
  std::string id;
  for (int i = 0; i < 6; ++i) id += k_letters[letter(source)];
  return id;
}

bool is_own_folder(const fs::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid();
}

void make_folder(const fs::path& path, unsigned mode) {
  if (::mkdir(path.c_str(), mode) != 0) throw FileError("making the folder for sockets", path.string(), errno);
  ::chmod(path.c_str(), mode);  // whatever the umask
}

}  // namespace

std::string to_json(const Registration& registration) {
  const nlohmann::ordered_json json = {{"id", registration.id},
                                       {"folder", registration.folder.string()},
                                       {"pid", registration.pid},
                                       {"started", registration.started},
                                       {"boot_id", registration.boot_id}};
  return json.dump(2) + "\n";
}

std::optional<Registration> parse_registration(const std::string& text) {
  try {
    const auto json = nlohmann::json::parse(text);
    return Registration{json.at("id").get<std::string>(), json.at("folder").get<std::string>(),
                        json.at("pid").get<int>(), json.at("started").get<std::uint64_t>(),
                        json.at("boot_id").get<std::string>()};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

fs::path registrations(const Folders& folders) { return folders.state / "embed"; }

fs::path short_folder_base() {
  if (::geteuid() == 0) return "/run/swaprig";
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && std::string_view(runtime).size() <= k_longest_base && is_own_folder(runtime))
    return runtime;
  return "/tmp";
}

RegisteredFolder::RegisteredFolder(const Folders& folders, const fs::path& base, unsigned mode)
    : m_registrations(registrations(folders)) {
  make_folders(m_registrations);
  std::error_code ignored;  // mkdir below says what is wrong
  if (fs::create_directory(base, ignored)) fs::permissions(base, fs::perms(0711), ignored);

  const Process self = own_process();
  const std::string id = random_id();
  m_registration = Registration{id, base / (k_prefix + id), self.pid, self.started, boot_id()};
  m_lock = FileLock::try_lock(m_registrations / (id + ".lock"), "connection " + id);
  if (!m_lock)
    throw HostError("registering a connection in " + m_registrations.string() + ": its name is taken; try again");
  write_file_durably(m_registrations / (id + ".json"), to_json(m_registration));
  try {
    make_folder(path(), mode);
    write_file_durably(path() / k_marker, id + "\n");
  } catch (...) {
    remove_registration(m_registrations, id);
    throw;
  }
}

RegisteredFolder::~RegisteredFolder() {
  try {
    if (remove_registered_folder(m_registration)) remove_registration(m_registrations, id());
  } catch (...) {  // what stays is registered, and cleaned by the next swaprig
  }
}

bool remove_registered_folder(const Registration& registration) {
  const auto& folder = registration.folder;
  if (!fs::exists(fs::symlink_status(folder))) return true;
  const bool named_by_us = folder.is_absolute() && folder.filename() == k_prefix + registration.id;
  if (!named_by_us || !is_own_folder(folder)) return false;
  // A swaprig killed between mkdir and the marker leaves an empty folder.
  if (::rmdir(folder.c_str()) == 0) return true;
  if (trim(try_read_file(folder / k_marker).value_or("")) != registration.id) return false;
  std::error_code fault;
  fs::remove_all(folder, fault);
  return !fault;
}

void remove_registration(const fs::path& registrations, const std::string& id) {
  std::error_code ignored;
  fs::remove(registrations / (id + ".json"), ignored);
}

}  // namespace swaprig::host
