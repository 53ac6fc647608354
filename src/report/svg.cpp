#include "report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "report/palette.hpp"

namespace swaprig::report {

namespace {

/// "rgb( 143, 180, 220)", "black" or "#8FB4DC" as "#8fb4dc"; anything else unchanged.
std::string as_hex(std::string value) {
  if (value == "black") return "#1d2228";
  if (value == "white") return "#ffffff";
  if (!value.starts_with("rgb(")) {
    std::transform(value.begin(), value.end(), value.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return value;
  }
  std::replace_if(
      value.begin(), value.end(), [](char c) { return c < '0' || c > '9'; }, ' ');
  std::istringstream numbers(value);
  unsigned red = 0;
  unsigned green = 0;
  unsigned blue = 0;
  numbers >> red >> green >> blue;
  return fmt::format("#{:02x}{:02x}{:02x}", red, green, blue);
}

const Colour* role_of(const std::string& value) {
  const auto hex = as_hex(value);
  const auto found =
      std::find_if(k_palette.begin(), k_palette.end(), [&](const Colour& one) { return hex == one.light; });
  return found == k_palette.end() ? nullptr : &*found;
}

/// Colours become classes: an attribute could not follow the page from light to dark.
void turn_colours_into_classes(pugi::xml_node element) {
  std::string classes;
  for (const char* name : {"stroke", "fill", "color"}) {
    const auto attribute = element.attribute(name);
    const Colour* colour = attribute ? role_of(attribute.value()) : nullptr;
    if (colour == nullptr) continue;
    classes += fmt::format("{}{}-{}", classes.empty() ? "" : " ", name[0], colour->role);
    element.remove_attribute(attribute);
  }
  if (!classes.empty()) element.append_attribute("class") = classes.c_str();
}

void drop_attributes(pugi::xml_node element) {
  for (auto attribute = element.first_attribute(); attribute;) {
    const auto next = attribute.next_attribute();
    const std::string name = attribute.name();
    if (name.starts_with("on") || name == "font-family" || name == "class") element.remove_attribute(attribute);
    attribute = next;
  }
}

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void clean(pugi::xml_node parent) {
  for (auto child = parent.first_child(); child;) {
    const auto next = child.next_sibling();
    const bool unwanted = child.type() == pugi::node_comment ||
                          is_one_of(child.name(), {"script", "title", "desc", "filter", "style", "foreignObject"});
    if (unwanted) {
      parent.remove_child(child);
    } else if (child.type() == pugi::node_element) {
      drop_attributes(child);
      turn_colours_into_classes(child);
      clean(child);
    }
    child = next;
  }
}

/// Ids that are pointed to, "#name" without its mark; both ways of writing a reference.
void collect_references(pugi::xml_node node, std::set<std::string>& used) {
  for (const auto attribute : node.attributes()) {
    const std::string value = attribute.value();
    if (value.starts_with("#") && std::string(attribute.name()).ends_with("href")) used.insert(value.substr(1));
    if (value.starts_with("url(#")) used.insert(value.substr(5, value.size() - 6));
  }
  for (const auto child : node.children()) collect_references(child, used);
}

/// gnuplot defines all its point shapes in every picture; a page needs each once at most.
void drop_unused(pugi::xml_node svg) {
  bool dropped = true;
  while (dropped) {
    dropped = false;
    std::set<std::string> used;
    collect_references(svg, used);
    for (const auto& found : svg.select_nodes("descendant::defs")) {
      auto defs = found.node();
      for (auto child = defs.first_child(); child;) {
        const auto next = child.next_sibling();
        if (used.count(child.attribute("id").value()) == 0) dropped = defs.remove_child(child) || dropped;
        child = next;
      }
    }
  }
}

/// Some groups hold nothing but white space.
bool drop_empty_groups(pugi::xml_node parent) {
  bool dropped = false;
  for (auto child = parent.first_child(); child;) {
    const auto next = child.next_sibling();
    if (is_one_of(child.name(), {"g", "defs"})) {
      dropped = drop_empty_groups(child) || dropped;
      if (!child.first_child()) dropped = parent.remove_child(child) || dropped;
    }
    child = next;
  }
  return dropped;
}

void prefix_ids(pugi::xml_node node, const std::string& prefix) {
  for (auto attribute : node.attributes()) {
    const std::string name = attribute.name();
    const std::string value = attribute.value();
    if (name == "id") attribute = (prefix + value).c_str();
    if (value.starts_with("#") && name.ends_with("href")) attribute = ("#" + prefix + value.substr(1)).c_str();
    if (value.starts_with("url(#")) attribute = ("url(#" + prefix + value.substr(5)).c_str();
  }
  for (const auto child : node.children()) prefix_ids(child, prefix);
}

void add_text(pugi::xml_node svg, const char* kind, const std::string& id, const std::string& text) {
  auto node = svg.prepend_child(kind);
  node.append_attribute("id") = id.c_str();
  node.text() = text.c_str();
}

void set(pugi::xml_node node, const char* name, const std::string& value) {
  if (!node.attribute(name)) node.append_attribute(name);
  node.attribute(name) = value.c_str();
}

void describe(pugi::xml_node svg, const Chart& chart) {
  add_text(svg, "desc", chart.name + "-desc", chart.description);
  add_text(svg, "title", chart.name + "-title", chart.title);
  svg.remove_attribute("width");
  svg.remove_attribute("height");
  set(svg, "viewBox", fmt::format("0 0 {} {}", chart.width, chart.height));
  set(svg, "class", "chart");
  set(svg, "role", "img");
  set(svg, "aria-labelledby", fmt::format("{0}-title {0}-desc", chart.name));
}

/// A picture that is opened by itself, or from Markdown, has no page to take its colours from.
void give_own_colours(pugi::xml_node svg, const Chart& chart) {
  auto background = svg.prepend_child("rect");
  background.append_attribute("width") = chart.width;
  background.append_attribute("height") = chart.height;
  background.append_attribute("class") = "f-paper";
  auto style = svg.prepend_child("style");
  style.text() = (palette_css() + ".chart{font-family:sans-serif}\n").c_str();
  set(svg, "width", fmt::format("{}", chart.width));
  set(svg, "height", fmt::format("{}", chart.height));
}

}  // namespace

std::string palette_css() {
  std::string light;
  std::string dark;
  std::string rules;
  for (const auto& one : k_palette) {
    light += fmt::format("--{}:{};", one.role, one.light);
    dark += fmt::format("--{}:{};", one.role, one.dark);
    rules += fmt::format(".s-{0}{{stroke:var(--{0})}}.f-{0}{{fill:var(--{0})}}.c-{0}{{color:var(--{0})}}\n", one.role);
  }
  return fmt::format(":root{{{}}}\n@media (prefers-color-scheme:dark){{:root{{{}}}}}\n@media print{{:root{{{}}}}}\n{}",
                     light, dark, light, rules);
}

std::string adapt_svg(const std::string& drawn, const Chart& chart, SvgUse use) {
  pugi::xml_document document;
  const auto parsed = document.load_buffer(drawn.data(), drawn.size());
  auto svg = document.child("svg");
  if (!parsed || !svg)
    throw Error(fmt::format("gnuplot's output for chart {} is no SVG: {}", chart.name, parsed.description()));
  drop_attributes(svg);
  clean(svg);
  drop_unused(svg);
  while (drop_empty_groups(svg)) {
  }
  prefix_ids(svg, chart.name + "-");
  if (use == SvgUse::own_file) give_own_colours(svg, chart);
  describe(svg, chart);
  std::ostringstream text;
  svg.print(text, "", pugi::format_raw);
  return text.str() + "\n";
}

}  // namespace swaprig::report
