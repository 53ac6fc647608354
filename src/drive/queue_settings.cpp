#include "drive/queue_settings.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"

namespace swaprig::drive {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view k_prefix = "queue-";
constexpr std::string_view k_suffix = ".json";

fs::path attribute_of(const std::string& drive, const std::string& attribute) {
  return fs::path("/sys/class/block") / drive / "queue" / attribute;
}

std::string read_attribute(const std::string& drive, const std::string& attribute) {
  return std::string(trim(read_file(attribute_of(drive, attribute), kib(64))));
}

/// sysfs takes a value in one write, and says what it thinks of it by the error.
void write_attribute(const std::string& drive, const std::string& attribute, const std::string& value) {
  const auto path = attribute_of(drive, attribute);
  const auto fd = open_file(path, O_WRONLY, "cannot set");
  if (::write(fd.get(), value.data(), value.size()) != static_cast<ssize_t>(value.size())) {
    throw FileError("cannot set to " + value, path.string(), errno);
  }
}

std::string boot_id() { return std::string(trim(read_file("/proc/sys/kernel/random/boot_id", kib(4)))); }

std::string sequence_of(const std::string& drive) {
  return std::string(trim(try_read_file(fs::path("/sys/class/block") / drive / "diskseq", kib(4)).value_or("")));
}

/// What was set, as it was before. Only what differs is written, so that a drive without schedulers is left alone.
void put_back(const nlohmann::json& record) {
  const auto drive = record.at("drive").get<std::string>();
  const auto scheduler = record.at("scheduler").get<std::string>();
  const auto read_ahead = record.at("read_ahead_kb").get<std::string>();
  if (chosen_scheduler(read_attribute(drive, "scheduler")) != scheduler) write_attribute(drive, "scheduler", scheduler);
  // After the scheduler: some of them have their own idea of it.
  if (read_attribute(drive, "read_ahead_kb") != read_ahead) write_attribute(drive, "read_ahead_kb", read_ahead);
}

void set_scheduler(const std::string& drive, const std::string& wanted) {
  const auto text = read_attribute(drive, "scheduler");
  auto names = split_words(text);
  for (auto& name : names) std::erase_if(name, [](char c) { return c == '[' || c == ']'; });
  if (std::find(names.begin(), names.end(), wanted) == names.end()) {
    throw UsageError(
        fmt::format("the drive {} has no scheduler {}; it has: {}", drive, printable_line(wanted), join(names, ", ")));
  }
  if (chosen_scheduler(text) != wanted) write_attribute(drive, "scheduler", wanted);
}

}  // namespace

std::string chosen_scheduler(const std::string& text) {
  const auto open = text.find('[');
  const auto close = text.find(']', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return text;
  return text.substr(open + 1, close - open - 1);
}

QueueSettings::QueueSettings(const BlockDevice& drive, const std::string& scheduler, std::optional<Bytes> read_ahead,
                             const fs::path& folder) {
  if (scheduler.empty() && !read_ahead) return;
  const nlohmann::json record = {{"drive", drive.name},
                                 {"boot", boot_id()},
                                 {"sequence", sequence_of(drive.name)},
                                 {"scheduler", chosen_scheduler(read_attribute(drive.name, "scheduler"))},
                                 {"read_ahead_kb", read_attribute(drive.name, "read_ahead_kb")}};
  const auto file = folder / fmt::format("{}{}-{}{}", k_prefix, drive.number.major, drive.number.minor, k_suffix);
  write_file_durably(file, record.dump() + "\n");
  m_record = file;
  try {
    if (!scheduler.empty()) set_scheduler(drive.name, scheduler);
    if (read_ahead) write_attribute(drive.name, "read_ahead_kb", std::to_string(read_ahead->count / 1024));
  } catch (...) {
    put_back(record);
    remove_quietly(file);
    throw;
  }
}

QueueSettings::~QueueSettings() {
  if (m_record.empty()) return;
  try {
    put_back(nlohmann::json::parse(read_file(m_record)));
    remove_quietly(m_record);
  } catch (const std::exception&) {
    // The record stays: the next command tries again.
  }
}

std::vector<std::string> put_back_queue_settings(const fs::path& folder) {
  std::vector<std::string> lines;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with(k_prefix) || !name.ends_with(k_suffix)) continue;
    const auto number = name.substr(k_prefix.size(), name.size() - k_prefix.size() - k_suffix.size());
    const auto lock = FileLock::try_lock(folder / fmt::format("drive-{}.lock", number), "putting queue settings back");
    if (!lock) continue;  // its swaprig is alive
    const auto record = nlohmann::json::parse(try_read_file(entry.path()).value_or(""), nullptr, false);
    try {
      const auto drive = record.at("drive").get<std::string>();
      if (record.at("boot") == boot_id() && record.at("sequence") == sequence_of(drive)) {
        put_back(record);
        lines.push_back(
            fmt::format("put the host's scheduler and read-ahead of {} back, which a swaprig had set", drive));
      }
      remove_quietly(entry.path());
    } catch (const std::exception& problem) {
      lines.push_back(fmt::format("cannot put the host's queue settings back from {}: {}", entry.path().string(),
                                  printable_line(problem.what())));
    }
  }
  return lines;
}

}  // namespace swaprig::drive
