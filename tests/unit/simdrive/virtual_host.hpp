#pragma once

#include <cstdint>
#include <map>
#include <random>

#include "simdrive/model/drive_model.hpp"
#include "support/catch.hpp"

namespace swaprig::simdrive {

/// A host in virtual time: sends commands, lets time pass to their end.
class VirtualHost {
 public:
  explicit VirtualHost(DriveModel& drive) : m_drive(drive) {}

  Time now() const { return m_now; }
  void wait(Time span) { m_now += span; }

  /// Sends one command now and returns its number; several may be under way.
  std::uint64_t send(Operation operation, std::uint64_t offset, std::uint64_t length, bool fua = false) {
    const std::uint64_t id = ++m_last;
    m_drive.submit({id, operation, offset, length, fua}, m_now);
    collect();
    return id;
  }

  /// When a command that was sent is done; lets the drive go on until it has decided.
  Time due(std::uint64_t id) {
    while (!m_done.contains(id)) {
      const auto event = m_drive.next_event();
      REQUIRE(event.has_value());
      m_drive.advance(*event);
      collect();
    }
    return m_done.at(id);
  }

  /// Sends a command, waits for its end, and returns how long it took.
  Time run(Operation operation, std::uint64_t offset, std::uint64_t length, bool fua = false) {
    const Time sent = m_now;
    const Time end = due(send(operation, offset, length, fua));
    m_now = std::max(m_now, end);
    return end - sent;
  }

  Time read(std::uint64_t offset, std::uint64_t length) { return run(Operation::read, offset, length); }
  Time write(std::uint64_t offset, std::uint64_t length) { return run(Operation::write, offset, length); }
  Time flush() { return run(Operation::flush, 0, 0); }

 private:
  void collect() {
    for (const Completion& completion : m_drive.take_completions()) m_done[completion.id] = completion.due;
  }

  DriveModel& m_drive;
  Time m_now{0};
  std::uint64_t m_last = 0;
  std::map<std::uint64_t, Time> m_done;
};

/// Random multiples of `block` from a range, the same ones in every run.
class RandomOffsets {
 public:
  RandomOffsets(std::uint64_t begin, std::uint64_t size, std::uint64_t block)
      : m_begin(begin), m_block(block), m_pick(0, size / block - 1) {}
  std::uint64_t operator()() { return m_begin + m_pick(m_source) * m_block; }

 private:
  std::mt19937_64 m_source{7};
  std::uint64_t m_begin;
  std::uint64_t m_block;
  std::uniform_int_distribution<std::uint64_t> m_pick;
};

inline double ms(Time time) { return in_seconds(time) * 1e3; }

inline Time milliseconds(double value) { return from_seconds(value / 1e3); }

/// A 2 TB drive of the 5400 rpm class, without the conveniences (no buffer, no write cache, no overhead).
inline DriveParameters bare_hdd() {
  DriveParameters drive;
  drive.kind = DriveKind::hdd;
  drive.geometry = Geometry::spiral;
  drive.size = 3907029168ULL * 512;
  drive.physical_sector = 4096;
  drive.queue_depth = 32;
  drive.hdd.rpm = 5400;
  drive.hdd.interface_rate = 300'000'000;
  drive.hdd.age_limit = milliseconds(500);
  drive.hdd.outer_rate = 115'000'000;
  drive.hdd.inner_rate = 55'000'000;
  drive.hdd.seek_track = milliseconds(2);
  drive.hdd.seek_average = milliseconds(9.5);
  drive.hdd.seek_full = milliseconds(21);
  return drive;
}

/// The same with read-ahead, write cache and command overhead.
inline DriveParameters full_hdd() {
  DriveParameters drive = bare_hdd();
  drive.hdd.command_overhead = milliseconds(0.2);
  drive.hdd.write_settle = milliseconds(0.5);
  drive.hdd.read_ahead = 1U << 20U;
  drive.hdd.segments = 32;
  drive.hdd.write_cache = 48'000'000;
  return drive;
}

inline DriveParameters hp97560() {
  DriveParameters drive;
  drive.kind = DriveKind::hdd;
  drive.geometry = Geometry::cylinders;
  drive.size = 1962ULL * 19 * 72 * 512;
  drive.queue_depth = 1;
  drive.hdd.rpm = 4002;
  drive.hdd.command_overhead = milliseconds(1.1);
  drive.hdd.interface_rate = 10'000'000;
  drive.hdd.read_ahead = 128U << 10U;
  drive.hdd.segments = 1;
  drive.hdd.age_limit = milliseconds(1000);
  drive.hdd.cylinders = 1962;
  drive.hdd.heads = 19;
  drive.hdd.sectors_per_track = 72;
  drive.hdd.track_skew = 8;
  drive.hdd.cylinder_skew = 18;
  drive.hdd.head_switch = milliseconds(1.6);
  drive.hdd.seek_near_base = milliseconds(3.24);
  drive.hdd.seek_near_root = milliseconds(0.4);
  drive.hdd.seek_near_limit = 383;
  drive.hdd.seek_far_base = milliseconds(8);
  drive.hdd.seek_far_slope = milliseconds(0.008);
  return drive;
}

}  // namespace swaprig::simdrive
