#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "drive/block_device.hpp"

namespace swaprig::drive {

/// How the host queues requests to a drive, other than it was, until this is destroyed. What was before lies in a file
/// of `folder` before anything is set, so that the next command can put it back after a kill.
class QueueSettings {
 public:
  /// Empty and nothing: as it is. UsageError for a scheduler that the drive does not have, naming those that it has.
  QueueSettings(const BlockDevice& drive, const std::string& scheduler, std::optional<Bytes> read_ahead,
                const std::filesystem::path& folder);
  ~QueueSettings();
  QueueSettings(const QueueSettings&) = delete;
  QueueSettings& operator=(const QueueSettings&) = delete;

 private:
  std::filesystem::path m_record;  ///< empty: nothing was set
};

/// Puts back what killed swaprigs have left: one line for each. A record of another boot, or of a drive that was
/// detached since, is only removed. The drive's lock has to be free.
std::vector<std::string> put_back_queue_settings(const std::filesystem::path& folder);

/// "mq-deadline" of "none [mq-deadline] kyber"; the whole text when nothing is in brackets. Pure.
std::string chosen_scheduler(const std::string& text);

}  // namespace swaprig::drive
