#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/files.hpp"

namespace swaprig::host {

/// What the state folder remembers of one connection, so that the next swaprig can clean up behind a killed one.
struct Registration {
  std::string id;
  std::filesystem::path folder;
  int pid = 0;                ///< of the swaprig that owns it
  std::uint64_t started = 0;  ///< that process's start, in clock ticks since boot
  std::string boot_id;

  friend bool operator==(const Registration&, const Registration&) = default;
};

std::string to_json(const Registration& registration);
/// Nothing when the text has another form.
std::optional<Registration> parse_registration(const std::string& text);

/// STATE/embed, where registrations lie: ID.json, and ID.lock that the owner holds while it lives.
std::filesystem::path registrations(const Folders& folders);

/// Where short folders are made: /run/swaprig for root, else XDG_RUNTIME_DIR when it is ours and short, else /tmp.
std::filesystem::path short_folder_base();

/// A folder on a short path (UNIX sockets: 107 bytes), registered before it is made; both go with the object.
class RegisteredFolder {
 public:
  /// `mode` of the folder: 0700, or 0711 where another user's QEMU has to reach a socket in it.
  RegisteredFolder(const Folders& folders, const std::filesystem::path& base, unsigned mode);
  ~RegisteredFolder();
  RegisteredFolder(const RegisteredFolder&) = delete;
  RegisteredFolder& operator=(const RegisteredFolder&) = delete;

  const std::filesystem::path& path() const { return m_registration.folder; }
  const std::string& id() const { return m_registration.id; }

 private:
  std::filesystem::path m_registrations;
  Registration m_registration;
  std::optional<FileLock> m_lock;
};

/// Removes a registered folder: only a real folder of ours with our marker in it. False when it is something else.
bool remove_registered_folder(const Registration& registration);

/// Forgets it: ID.json and ID.lock.
void remove_registration(const std::filesystem::path& registrations, const std::string& id);

}  // namespace swaprig::host
