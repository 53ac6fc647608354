#include "guest/agent_reply.hpp"

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "guest/base64.hpp"
#include "guest/guest_agent.hpp"

namespace swaprig::guest {

namespace {

constexpr std::size_t k_answer_limit = std::size_t{8} << 20U;
constexpr int k_depth_limit = 32;

[[noreturn]] void nonsense(const std::string& command, const std::string& what) {
  throw AgentError("the guest agent answered nonsense to " + command + ": " + what);
}

/// A hostile answer could nest until the parser's stack is gone.
bool nests_too_deep(const std::string& text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '[' || c == '{')) {
      if (++depth > k_depth_limit) return true;
    } else if (!quoted && (c == ']' || c == '}')) {
      --depth;
    }
  }
  return false;
}

const nlohmann::json* find_member(const std::string& command, const nlohmann::json& object, const char* name) {
  if (!object.is_object()) nonsense(command, "not an object");
  const auto member = object.find(name);
  return member == object.end() ? nullptr : &*member;
}

const nlohmann::json& member_of(const std::string& command, const nlohmann::json& object, const char* name) {
  const auto* const member = find_member(command, object, name);
  if (member == nullptr) nonsense(command, std::string("no ") + name);
  return *member;
}

}  // namespace

nlohmann::json agent_return(const std::string& command, const std::string& answer) {
  if (answer.size() > k_answer_limit) nonsense(command, std::to_string(answer.size()) + " bytes");
  if (nests_too_deep(answer)) nonsense(command, "nested too deep");
  auto document = nlohmann::json::parse(answer, nullptr, false);
  if (document.is_discarded()) nonsense(command, "not JSON: " + printable_line(answer.substr(0, 200)));
  if (!document.is_object()) nonsense(command, "not an object");
  if (const auto* const error = find_member(command, document, "error"); error != nullptr) {
    throw AgentError("the guest agent refused " + command + ": " +
                     printable_line(error->dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)));
  }
  return member_of(command, document, "return");
}

std::int64_t integer_member(const std::string& command, const nlohmann::json& object, const char* name,
                            std::int64_t low, std::int64_t high) {
  const auto& member = member_of(command, object, name);
  if (!member.is_number_integer()) nonsense(command, std::string(name) + " is not a whole number");
  if (member.is_number_unsigned() &&
      member.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    nonsense(command, std::string(name) + " is out of range");
  }
  const auto value = member.get<std::int64_t>();
  if (value < low || value > high) nonsense(command, std::string(name) + " is out of range");
  return value;
}

bool boolean_member(const std::string& command, const nlohmann::json& object, const char* name) {
  const auto& member = member_of(command, object, name);
  if (!member.is_boolean()) nonsense(command, std::string(name) + " is neither true nor false");
  return member.get<bool>();
}

std::string bytes_member(const std::string& command, const nlohmann::json& object, const char* name,
                         std::size_t limit) {
  const auto* const member = find_member(command, object, name);
  if (member == nullptr) return {};
  if (!member->is_string()) nonsense(command, std::string(name) + " is not a text");
  auto bytes = from_base64(member->get_ref<const std::string&>());
  if (!bytes) nonsense(command, std::string(name) + " is not base64");
  if (bytes->size() > limit) nonsense(command, std::string(name) + " has " + std::to_string(bytes->size()) + " bytes");
  return std::move(*bytes);
}

}  // namespace swaprig::guest
