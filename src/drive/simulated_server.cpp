#include "drive/simulated_server.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/files.hpp"
#include "base/simdrive_wire.hpp"
#include "base/text.hpp"
#include "simdrive/model/counters.hpp"

namespace swaprig::drive {

namespace {

namespace wire = simdrive_wire;

constexpr int k_threads = 32;  // more than QEMU has requests in flight (16)
constexpr std::chrono::seconds k_start_patience{20};
constexpr std::chrono::milliseconds k_start_poll{5};
constexpr std::chrono::seconds k_answer_patience{5};
constexpr std::chrono::milliseconds k_look_interval{500};
constexpr int k_most_silent_looks = 3;  ///< a busy host may well keep a server from one answer
constexpr std::size_t k_longest_answer = std::size_t{4} << 20U;

/// Names of partitions may hold anything; on the wire they are numbers.
std::string region_name(const PlacedPartition& partition) { return fmt::format("p{}", partition.number); }
constexpr const char* k_swap_region = "swapfiles";

const char* word(spec::BadSectors::Operation operation) {
  switch (operation) {
    case spec::BadSectors::Operation::read: return "read";
    case spec::BadSectors::Operation::write: return "write";
    case spec::BadSectors::Operation::both: return "both";
  }
  return "both";
}

Fd connected(const std::filesystem::path& path) {
  Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.string().copy(address.sun_path, sizeof address.sun_path - 1);
  const timeval patience{k_answer_patience.count(), 0};
  if (fd) {
    ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  }
  if (!fd || ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return Fd();
  return fd;
}

/// The line that the server answers; nothing when it does not.
std::optional<std::string> exchange(const std::filesystem::path& path, const std::string& line) {
  const Fd fd = connected(path);
  const auto text = line + "\n";
  if (!fd || ::send(fd.get(), text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size())) {
    return std::nullopt;
  }
  std::string answer;
  char piece[65536];
  while (answer.size() < k_longest_answer) {
    const auto count = ::recv(fd.get(), piece, sizeof piece, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    answer.append(piece, static_cast<std::size_t>(count));
    if (const auto end = answer.find('\n'); end != std::string::npos) return answer.substr(0, end);
  }
  return std::nullopt;
}

nlohmann::json parsed(const std::optional<std::string>& answer) {
  auto json = answer ? nlohmann::json::parse(*answer, nullptr, false) : nlohmann::json();
  return json.is_object() ? json : nlohmann::json::object();
}

/// Whatever the server says: anything but a plain true is no.
bool says(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_boolean() && found->get<bool>();
}

}  // namespace

std::filesystem::path require_nbdkit(CommandRunner& commands) {
  if (const auto nbdkit = commands.find("nbdkit")) return *nbdkit;
  throw HostError("simulated drives need nbdkit, which is not installed; try: apt-get install nbdkit");
}

std::vector<std::string> server_arguments(const ServerSetup& setup) {
  std::vector<std::string> words{"--foreground", "--exit-with-parent", "--threads", std::to_string(k_threads),
                                 "--unix", setup.socket.string(), setup.plugin.string()};
  const auto parameters = spec::plugin_parameters(setup.backing.profile);
  words.insert(words.end(), parameters.begin(), parameters.end());
  const auto add = [&](const char* name, const std::string& value) { words.push_back(fmt::format("{}={}", name, value)); };
  if (!setup.bytes.empty()) add(wire::k_file, setup.bytes.string());
  if (setup.room.count > 0) add(wire::k_room, std::to_string(setup.room.count));
  add(wire::k_control, setup.control.string());
  add(wire::k_time_scale, fmt::format("{}", setup.backing.time_scale));
  for (const auto& partition : setup.layout.partitions) {
    add(wire::k_region, fmt::format("{}:{}:{}", region_name(partition), partition.offset.count, partition.size.count));
  }
  add(wire::k_region, fmt::format("{}:0:0", k_swap_region));
  return words;
}

void SimulatedServer::start(const std::filesystem::path& log) {
  stop();
  m_log = log;
  m_silent_looks = 0;
  m_process = std::make_unique<ServerProcess>(m_setup.nbdkit, server_arguments(m_setup), log);
  const auto end = std::chrono::steady_clock::now() + k_start_patience;
  while (!says(parsed(exchange(m_setup.control, wire::k_hello)), "ok")) {
    const auto ended = m_process->ended();
    if (!ended && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(k_start_poll);
      continue;
    }
    const auto words = printable_line(trim(read_tail(log, kib(2))), 1000);
    stop();
    throw HostError(fmt::format("the server of the simulated drive {} {}: {}", m_setup.backing.wanted,
                                ended ? "ended at once (" + *ended + ")" : "does not answer",
                                words.empty() ? "it said nothing" : words));
  }
}

void SimulatedServer::stop() {
  m_process.reset();
  remove_quietly(m_setup.socket);
  remove_quietly(m_setup.control);
}

std::string SimulatedServer::lost() {
  if (!m_process) return "";
  if (const auto ended = m_process->ended()) {
    return fmt::format("its server ended ({}): {}", *ended, printable_line(trim(read_tail(m_log, kib(1))), 500));
  }
  const auto now = std::chrono::steady_clock::now();
  if (now - m_last_look < k_look_interval) return "";
  m_last_look = now;
  const auto answer = parsed(exchange(m_setup.control, wire::k_hello));
  m_silent_looks = answer.empty() ? m_silent_looks + 1 : 0;
  if (m_silent_looks == k_most_silent_looks) {
    return fmt::format("its server has not answered {} times, {} s each", m_silent_looks, k_answer_patience.count());
  }
  return says(answer, "vanished") ? "it vanished" : "";
}

void SimulatedServer::add_swap_file(Bytes offset, Bytes size) {
  ask(fmt::format("{} {}:{}:{}", wire::k_extend, k_swap_region, offset.count, size.count));
}

void SimulatedServer::arm_faults() {
  for (const auto& bad : m_setup.backing.bad) {
    ask(fmt::format("{} {}:{}:{}:{}", wire::k_bad_now, bad.offset.count, bad.size.count, word(bad.operation),
                    bad.after.count()));
  }
  if (const auto after = m_setup.backing.vanish) ask(fmt::format("{} {}", wire::k_vanish_now, after->count()));
}

SimulatedCounters SimulatedServer::counters() {
  auto counters = parse_counters(ask(wire::k_counters));
  std::map<std::string, std::string> names{{k_swap_region, k_swap_files}, {simdrive::RegionMap().name(0), k_outside}};
  for (const auto& partition : m_setup.layout.partitions) names[region_name(partition)] = partition.name;
  const auto rename = [&](std::string& name) {
    if (const auto found = names.find(name); found != names.end()) name = found->second;
  };
  for (auto& region : counters.regions) rename(region.name);
  for (auto& crossing : counters.crossings) {
    rename(crossing.from);
    rename(crossing.to);
  }
  return counters;
}

std::string SimulatedServer::ask(const std::string& line) const {
  const auto answer = exchange(m_setup.control, line);
  const auto json = parsed(answer);
  if (says(json, "ok")) return *answer;
  throw HostError(fmt::format("the server of the simulated drive {} does not do \"{}\": {}", m_setup.backing.wanted,
                              line, answer ? printable_line(*answer, 300) : "no answer"));
}

}  // namespace swaprig::drive
