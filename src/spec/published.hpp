#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"

namespace swaprig::spec {

/// Somebody's time of one scenario.
struct PublishedTime {
  std::string scenario;
  double seconds = 0;

  friend bool operator==(const PublishedTime&, const PublishedTime&) = default;
};

/// Somebody's times of making one swap file.
struct PublishedFile {
  std::string method;          ///< "fallocate", "dd"
  std::optional<Bytes> block;  ///< dd's
  Bytes size;
  double real_s = 0;
  std::optional<double> user_s;
  std::optional<double> sys_s;
  std::optional<Bytes> rate;  ///< a second, as published

  friend bool operator==(const PublishedFile&, const PublishedFile&) = default;
};

enum class PublishedKind { scenarios, swapfile_creation };

/// What a study may say of its set-up, so that ours can stand beside it.
inline constexpr std::array k_setup_keys{"workload", "guest", "memory", "vcpus", "acceleration",
                                         "drive",    "bus",   "swap",   "runs"};

/// Results that somebody else published: experiments/published/README.md is the reference of their file.
struct Published {
  std::string name;  ///< the file's stem
  std::string path;
  std::string text;  ///< the file, byte for byte
  std::string title;
  std::string author;
  std::string date;  ///< "2021-09-07", "2021-09" or "2021"
  std::optional<std::string> address;
  PublishedKind kind = PublishedKind::scenarios;
  std::string figure;  ///< what each number is: "the lower of two times"
  std::vector<std::string> conditions;
  std::vector<std::string> notes;
  std::map<std::string, std::string> setup;  ///< by k_setup_keys

  std::vector<PublishedTime> scenarios;  ///< of kind scenarios, in the file's order
  std::string baseline;                  ///< slower than the floor
  std::string floor;

  std::vector<PublishedFile> files;  ///< of kind swapfile_creation, in the file's order

  /// Seconds of a scenario; asserts that it is there.
  double seconds(const std::string& scenario) const;
  /// Seconds over the floor, relative to the baseline's: 0 for the floor, 1 for the baseline.
  double excess(const std::string& scenario) const;

  friend bool operator==(const Published&, const Published&) = default;
};

/// Parses and checks everything; throws BadInput with every fault at once.
Published load_published(const std::string& path);

/// The same from a text; `path` is for messages and the name.
Published parse_published(const std::string& text, const std::string& path);

/// Names of the studies in a folder, sorted; empty when there is no such folder.
std::vector<std::string> published_names(const std::string& folder);

}  // namespace swaprig::spec
