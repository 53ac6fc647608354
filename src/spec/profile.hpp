#pragma once

#include <string>
#include <vector>

#include "simdrive/model/parameters.hpp"

namespace swaprig::spec {

/// One figure of a profile as it is written, and where it comes from.
struct ProfileFigure {
  std::string name;
  std::string value;
  std::string source;  ///< "assumed" when nobody published it

  bool is_assumed() const { return source == "assumed"; }
  friend bool operator==(const ProfileFigure&, const ProfileFigure&) = default;
};

/// A simulated drive: experiments/drives/README.md is the reference of its file.
struct Profile {
  std::string name;  ///< the file's stem
  std::string title;
  std::string path;
  std::string text;  ///< the file, byte for byte
  simdrive::DriveParameters parameters;
  std::vector<ProfileFigure> figures;  ///< in the order of the fields

  /// As a guest is told: rpm, 1 for a drive that does not rotate.
  int rotation_rate() const;

  friend bool operator==(const Profile&, const Profile&) = default;
};

/// Parses and checks everything; throws BadInput with every fault at once.
Profile load_profile(const std::string& path);

/// The same from a text; `path` is for messages and the name.
Profile parse_profile(const std::string& text, const std::string& path);

/// Names of the profiles in a folder, sorted; empty when there is no such folder.
std::vector<std::string> profile_names(const std::string& folder);

/// The figures as NAME=VALUE for the server's command line. Pure.
std::vector<std::string> plugin_parameters(const Profile& profile);

}  // namespace swaprig::spec
