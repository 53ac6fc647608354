#include <algorithm>

#include "base/text.hpp"
#include "host/libvirt_host.hpp"
#include "host/processes.hpp"
#include "host/registered_folder.hpp"

namespace swaprig::host {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds k_kill_wait{10};

/// Kills the guests of a swaprig that is gone; false when one of them stays.
bool end_guests(const Registration& registration, std::vector<std::string>& done) {
  const auto guests = find_processes([&](const Process& process) {
    return process.started >= registration.started && is_guest_under(process, registration.folder);
  });
  bool all = true;
  for (const auto& guest : guests) {
    const bool ended = ProcessHandle(guest).kill_and_wait(k_kill_wait);
    all = all && ended;
    done.push_back(
        (ended ? "ended the guest that a killed swaprig (pid " : "could not end the guest of a killed swaprig (pid ") +
        std::to_string(registration.pid) + (ended ? ") left: QEMU, pid " : "): QEMU, pid ") +
        std::to_string(guest.pid));
  }
  return all;
}

void clean(const fs::path& folder, const fs::path& file, std::vector<std::string>& done) {
  const std::string id = file.stem().string();
  const auto lock = FileLock::try_lock(folder / (id + ".lock"), "cleaning up");
  if (!lock) return;  // its owner lives
  const auto text = try_read_file(file, kib(64));
  if (!text) return;  // its owner has just ended
  const auto registration = parse_registration(*text);
  if (!registration || registration->id != id) {
    done.push_back("left alone: " + file.string() + " is not a registration of ours");
    return;
  }
  // After a reboot no process of it can live, and its pids mean nothing.
  if (registration->boot_id == boot_id() && !end_guests(*registration, done)) return;
  if (!remove_registered_folder(*registration)) {
    done.push_back("left alone: " + registration->folder.string() +
                   " is not a folder of ours, or could not be removed");
    return;
  }
  remove_registration(folder, id);
  done.push_back("removed " + registration->folder.string() + ", left by a killed swaprig (pid " +
                 std::to_string(registration->pid) + ")");
}

}  // namespace

std::vector<std::string> clean_leftovers(const Folders& folders) {
  std::vector<std::string> done;
  std::vector<fs::path> files;
  std::error_code none;  // no such folder: nothing was ever registered
  for (const auto& entry : fs::directory_iterator(registrations(folders), none)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) clean(registrations(folders), file, done);
  return done;
}

}  // namespace swaprig::host
