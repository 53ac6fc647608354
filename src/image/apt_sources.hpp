#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/command.hpp"

namespace swaprig::image {

/// One package index that the host's apt is set up to fetch.
struct IndexTarget {
  std::string uri;
  std::string codename;  ///< empty until the host has fetched its lists
  std::string release;   ///< as it stands in the source's entry
  std::string component;
  std::string architecture;
  std::string entry;  ///< "/etc/apt/sources.list.d/debian.sources:1"

  friend bool operator==(const IndexTarget&, const IndexTarget&) = default;
};

/// Asks apt for its index targets in the form that `parse_index_targets` reads.
Command index_targets_command();
std::vector<IndexTarget> parse_index_targets(std::string_view text);

/// The Signed-By of an apt source: `text` is the file, `entry` counts its stanzas (.sources, `deb822`) or lines from 1.
/// Empty when there is none or the key stands in the file itself.
std::string signed_by(std::string_view text, bool deb822, int entry);

/// "deb [signed-by=KEY] URI RELEASE COMPONENT..." for Debian's own components of the suite, its updates and its
/// security updates. Empty when the host knows no archive with the suite. `key_of` gives the key of an entry.
std::vector<std::string> source_lines(const std::vector<IndexTarget>& targets, std::string_view suite,
                                      const std::function<std::string(const std::string&)>& key_of);

/// What has to be passed on from `apt-config dump`: proxies as environment variables (nothing of them stays in the
/// image), and the host's word on outdated archives as options.
struct AptSettings {
  std::map<std::string, std::string> environment;
  std::vector<std::string> options;
};
AptSettings parse_apt_config(std::string_view dump);

/// The host's own answers to all of the above; nothing at all when apt does not answer.
struct HostApt {
  std::vector<std::string> sources;
  AptSettings settings;
};
HostApt ask_host_apt(CommandRunner& commands, std::string_view suite);

}  // namespace swaprig::image
