#pragma once

// What swaprig and the server of its simulated drives (an nbdkit plugin) say to each other; no dependency.
//
// The server is started as `nbdkit ... PLUGIN NAME=VALUE...`: the figures of the drive (simdrive/model/parameters.hpp
// writes and reads them) and the names below. Its control socket takes one command a line and answers each with one
// line of JSON, {"ok": true, ...} or {"ok": false, "error": "..."}.

#include <cstddef>

namespace swaprig::simdrive_wire {

inline constexpr int k_version = 1;

inline constexpr const char* k_plugin_file = "swaprig-simdrive.so";

/// Parameters of the server beside the drive's figures.
inline constexpr const char* k_file = "file";               ///< the backing, made when it is missing; none: in memory
inline constexpr const char* k_room = "room";               ///< bytes that the backing may take; none: as many as there are
inline constexpr const char* k_control = "control";         ///< path of the control socket
inline constexpr const char* k_time_scale = "time_scale";   ///< all delays times this, above 0, at most 1000
inline constexpr const char* k_region = "region";           ///< NAME:OFFSET:SIZE in bytes, repeated; of size 0: see k_extend
inline constexpr const char* k_bad = "bad";                 ///< OFFSET:SIZE:read|write|both[:AFTER_MS], repeated
inline constexpr const char* k_vanish = "vanish";           ///< milliseconds after the start
inline constexpr const char* k_transport = "transport";     ///< ns that the way to the server and back takes
inline constexpr const char* k_trace = "trace";             ///< path of a CSV file with one line for each command

/// Commands.
inline constexpr const char* k_hello = "hello";
inline constexpr const char* k_counters = "counters";
inline constexpr const char* k_vanish_now = "vanish";     ///< "vanish [AFTER_MS]"
inline constexpr const char* k_bad_now = "bad";             ///< "bad OFFSET:SIZE:read|write|both[:AFTER_MS]"
inline constexpr const char* k_extend = "extend";           ///< "extend NAME:OFFSET:SIZE": more bytes for a region
inline constexpr const char* k_quit = "quit";

/// The longest path of a UNIX socket.
inline constexpr std::size_t k_longest_socket_path = 107;

}  // namespace swaprig::simdrive_wire
