#pragma once

#include <array>

namespace swaprig::report {

/// What a colour stands for. Charts are drawn in the light colours; in SVG each becomes a class, so that the page
/// decides.
struct Colour {
  const char* role;
  const char* light;  ///< "#rrggbb", each one once: the way back from gnuplot's output to the role
  const char* dark;
};

inline constexpr std::array k_palette{
    Colour{"ink", "#1d2228", "#e6e8eb"},
    Colour{"muted", "#5b6570", "#a3acb6"},
    Colour{"grid", "#dfe3e8", "#353c45"},
    Colour{"paper", "#ffffff", "#16191d"},
    Colour{"bar", "#8fb4dc", "#3d6a9c"},
    Colour{"baseline", "#3f74b3", "#79a9df"},
    Colour{"reference", "#c6ccd3", "#58616b"},
    Colour{"best", "#b3401f", "#ff9a76"},
    Colour{"band", "#efe7d2", "#38331f"},
    Colour{"faster", "#17754a", "#5fd39b"},
    Colour{"slower", "#b03030", "#ff8f85"},
    Colour{"undecided", "#6a737e", "#b4bcc6"},
    Colour{"part", "#e7ebf0", "#2a3038"},
    Colour{"swap", "#d4731a", "#f0a04b"},
    Colour{"data", "#75889d", "#8ea2b8"},
    // Told apart by hue, also by those who do not see all of them: parts of a bar, lines, scenarios.
    Colour{"hue1", "#4a7ab5", "#7aa8e0"},
    Colour{"hue2", "#e0834f", "#f2a578"},
    Colour{"hue3", "#2e8b57", "#62c48d"},
    Colour{"hue4", "#9a4f96", "#cf8acb"},
    Colour{"hue5", "#b59a1f", "#dcc65a"},
    Colour{"hue6", "#2f9fb8", "#6fd0e4"},
    Colour{"hue7", "#8b5e3c", "#c4966f"},
    Colour{"hue8", "#cc4778", "#f088ad"},
};

/// Constant-evaluated look-up; a role that is not there does not compile.
consteval const char* colour(const char* role) {
  for (const auto& one : k_palette) {
    const char* a = one.role;
    const char* b = role;
    while (*a != '\0' && *a == *b) ++a, ++b;
    if (*a == *b) return one.light;
  }
  throw "no such role";
}

}  // namespace swaprig::report
