#include <fmt/format.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "guest/base64.hpp"
#include "run/evidence_fields.hpp"
#include "run/record.hpp"

namespace swaprig::run {

namespace {

using Json = nlohmann::json;

constexpr std::array<const char*, 4> k_direct_io_words{"unknown", "yes", "no", "simulated"};

/// The key of a text that is no UTF-8: {"base64": "..."} instead of a string, so that a guest's bytes survive as they
/// are.
constexpr const char* k_bytes_key = "base64";

Json text_to_json(const std::string& text) {
  if (is_utf8(text)) return text;
  return Json{{k_bytes_key, guest::to_base64(text)}};
}

class Writer {
 public:
  static constexpr bool k_reads = false;

  template <typename T>
  void operator()(const char* name, const T& value) {
    m_json[name] = write(value);
  }

  Json take() { return std::move(m_json); }

 private:
  static Json write(bool value) { return value; }
  static Json write(int value) { return value; }
  static Json write(std::int64_t value) { return value; }
  static Json write(double value) { return value; }
  static Json write(const std::string& value) { return text_to_json(value); }
  static Json write(DirectIo value) { return k_direct_io_words[static_cast<std::size_t>(value)]; }

  template <typename T>
  static Json write(const std::optional<T>& value) {
    return value ? write(*value) : Json();
  }

  template <typename T>
  static Json write(const std::vector<T>& values) {
    auto list = Json::array();
    for (const auto& value : values) list.push_back(write(value));
    return list;
  }

  /// A key is a name of the kernel's or ours: one that is no UTF-8 becomes printable.
  template <typename T>
  static Json write(const std::map<std::string, T>& values) {
    auto object = Json::object();
    for (const auto& [key, value] : values) object[is_utf8(key) ? key : printable_line(key)] = write(value);
    return object;
  }

  template <typename T>
  static Json write(const T& value) {
    Writer inner;
    json::fields(inner, value);
    return inner.take();
  }

  Json m_json = Json::object();
};

class Reader {
 public:
  static constexpr bool k_reads = true;

  Reader(const Json& json, std::string where) : m_json(json), m_where(std::move(where)) {
    if (!json.is_object()) fail(m_where, "an object", json);
  }

  template <typename T>
  void operator()(const char* name, T& value) {
    const auto found = m_json.find(name);
    if (found != m_json.end() && !found->is_null()) read(*found, m_where.empty() ? name : m_where + "." + name, value);
  }

 private:
  [[noreturn]] static void fail(const std::string& where, const char* wanted, const Json& found) {
    throw Error(fmt::format("stored evidence: {} is {} instead of {}",
                            where.empty() ? "the whole" : printable_line(where), found.type_name(), wanted));
  }

  static void read(const Json& json, const std::string& where, bool& value) {
    if (!json.is_boolean()) fail(where, "a truth value", json);
    value = json.get<bool>();
  }

  static void read(const Json& json, const std::string& where, std::int64_t& value) {
    if (!json.is_number_integer()) fail(where, "a whole number", json);
    if (json.is_number_unsigned() &&
        json.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
      fail(where, "a whole number below 2^63", json);
    }
    value = json.get<std::int64_t>();
  }

  static void read(const Json& json, const std::string& where, int& value) {
    std::int64_t wide = 0;
    read(json, where, wide);
    if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max()) {
      fail(where, "a whole number of 32 bits", json);
    }
    value = static_cast<int>(wide);
  }

  static void read(const Json& json, const std::string& where, double& value) {
    if (!json.is_number()) fail(where, "a number", json);
    value = json.get<double>();
  }

  static void read(const Json& json, const std::string& where, std::string& value) {
    if (json.is_string()) {
      value = json.get<std::string>();
      return;
    }
    const auto bytes = json.is_object() ? json.find(k_bytes_key) : json.end();
    auto decoded =
        bytes != json.end() && bytes->is_string() ? guest::from_base64(bytes->get<std::string>()) : std::nullopt;
    if (!decoded) fail(where, "a text", json);
    value = std::move(*decoded);
  }

  static void read(const Json& json, const std::string& where, DirectIo& value) {
    for (std::size_t i = 0; i < k_direct_io_words.size(); ++i) {
      if (json == k_direct_io_words[i]) {
        value = static_cast<DirectIo>(i);
        return;
      }
    }
    fail(where, "unknown, yes, no or simulated", json);
  }

  template <typename T>
  static void read(const Json& json, const std::string& where, std::optional<T>& value) {
    T inner{};
    read(json, where, inner);
    value = std::move(inner);
  }

  template <typename T>
  static void read(const Json& json, const std::string& where, std::vector<T>& values) {
    if (!json.is_array()) fail(where, "a list", json);
    values.clear();
    for (const auto& element : json) {
      T value{};
      read(element, fmt::format("{}[{}]", where, values.size()), value);
      values.push_back(std::move(value));
    }
  }

  template <typename T>
  static void read(const Json& json, const std::string& where, std::map<std::string, T>& values) {
    if (!json.is_object()) fail(where, "an object", json);
    values.clear();
    for (const auto& [key, element] : json.items()) read(element, where + "." + key, values[key]);
  }

  template <typename T>
  static void read(const Json& json, const std::string& where, T& value) {
    Reader inner(json, where);
    json::fields(inner, value);
  }

  const Json& m_json;
  std::string m_where;
};

}  // namespace

std::string to_string(DirectIo result) { return k_direct_io_words.at(static_cast<std::size_t>(result)); }

std::string evidence_to_json(const Evidence& evidence) {
  Writer writer;
  json::fields(writer, evidence);
  return writer.take().dump();
}

Evidence evidence_from_json(const std::string& text) {
  const auto json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw Error("stored evidence: not JSON");
  Evidence evidence;
  Reader reader(json, "");
  json::fields(reader, evidence);
  return evidence;
}

}  // namespace swaprig::run
