#include "base/clock.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <ctime>
#include <string_view>

#include "base/error.hpp"

namespace swaprig {
namespace {

constexpr std::string_view k_form = "0000-00-00T00:00:00.000Z";

bool has_form(std::string_view text) {
  if (text.size() != k_form.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (k_form[i] == '0' ? !digit : text[i] != k_form[i]) return false;
  }
  return true;
}

int number_at(const std::string& text, std::size_t at, std::size_t length) {
  return std::stoi(text.substr(at, length));
}

}  // namespace

UtcTime SystemClock::utc() const {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::chrono::nanoseconds SystemClock::monotonic() const {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

void SystemClock::sleep(std::chrono::nanoseconds duration) {
  if (duration.count() <= 0) return;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(duration);
  timespec left{seconds.count(), (duration - seconds).count()};
  while (::clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR) {
  }
}

std::string iso8601(UtcTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

UtcTime parse_iso8601(const std::string& text) {
  const Error wrong("not a time such as \"" + iso8601(UtcTime{}) + "\": \"" + text.substr(0, 40) + "\"");
  if (!has_form(text)) throw wrong;
  const std::chrono::year_month_day date{std::chrono::year(number_at(text, 0, 4)),
                                         std::chrono::month(static_cast<unsigned>(number_at(text, 5, 2))),
                                         std::chrono::day(static_cast<unsigned>(number_at(text, 8, 2)))};
  const int hour = number_at(text, 11, 2);
  const int minute = number_at(text, 14, 2);
  const int second = number_at(text, 17, 2);
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) throw wrong;
  return std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second) + std::chrono::milliseconds(number_at(text, 20, 3));
}

}  // namespace swaprig
