#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace swaprig::guest {

/// The "return" of one answer of the agent. Throws AgentError when the text is not such an answer, is larger than
/// 8 MiB, or reports an error.
nlohmann::json agent_return(const std::string& command, const std::string& answer);

/// Members of an answer's object, checked: AgentError names the command and the member.
std::int64_t integer_member(const std::string& command, const nlohmann::json& object, const char* name,
                            std::int64_t low, std::int64_t high = std::numeric_limits<std::int64_t>::max());
bool boolean_member(const std::string& command, const nlohmann::json& object, const char* name);
/// Decoded from base64, at most `limit` bytes; empty when there is no such member.
std::string bytes_member(const std::string& command, const nlohmann::json& object, const char* name, std::size_t limit);

}  // namespace swaprig::guest
