#include "cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "base/duration.hpp"
#include "base/text.hpp"

namespace swaprig::cli {

namespace {

/// Redrawn at most this often.
constexpr std::chrono::milliseconds k_redraw{200};

std::string verdict_words(const run::RunRecord& run) {
  if (run.state == run::State::valid) return clock_time(Seconds(run.wall_seconds()));
  std::string words = to_string(run.state);
  if (!run.reasons.empty()) words += ": " + run.reasons.front().code + " (" + run.reasons.front().text + ")";
  return printable_line(words);
}

class Quiet final : public batch::Announcer {
 public:
  void step(const std::string& line) override {
    if (line.rfind("warning", 0) == 0) fmt::print(stderr, "{}\n", printable_line(line, 2000));
  }
  void planned(int, int, Seconds) override {}
  void run_started(const run::RunRecord&) override {}
  void phase(const std::string&) override {}
  void tick() override {}
  void run_ended(const run::RunRecord& run) override {
    if (run.state == run::State::valid || run.state == run::State::aborted) return;
    fmt::print(stderr, "block {} run {} {}: {}\n", run.block, run.position, printable_line(run.arm), verdict_words(run));
  }
};

/// Plain lines, and on a terminal one more line below them that is drawn again and again.
class Lines final : public batch::Announcer {
 public:
  Lines(Clock& clock, bool living) : m_clock(clock), m_living(living) {}
  ~Lines() override { erase(); }

  void step(const std::string& line) override { say(printable_line(line, 2000)); }

  void planned(int total, int to_do, Seconds estimate) override {
    m_to_do = to_do;
    m_expected = to_do > 0 ? estimate / to_do : Seconds{0};
    if (to_do > 0) say(fmt::format("{} of {} runs to do, about {}", to_do, total, clock_time(estimate)));
  }

  void run_started(const run::RunRecord& run) override {
    m_run = fmt::format("block {} run {}  {}", run.block, run.position, printable_line(run.arm, 60));
    m_started = m_clock.monotonic();
    draw();
  }

  void phase(const std::string& name) override {
    m_phase = name;
    draw();
  }

  void tick() override {
    if (m_clock.monotonic() - m_drawn >= k_redraw) draw();
  }

  void run_ended(const run::RunRecord& run) override {
    ++m_done;
    say(fmt::format("{:3}/{}  {}: {}{}", m_done, std::max(m_done, m_to_do), m_run, verdict_words(run),
                    run.attempt > 1 ? fmt::format("  [attempt {}]", run.attempt) : ""));
    const Seconds took = m_clock.monotonic() - m_started;
    m_expected = m_measured ? (m_expected * (m_done - 1) + took) / m_done : took;
    m_measured = true;
  }

 private:
  void say(const std::string& line) {
    erase();
    fmt::print(stderr, "{}\n", line);
    std::fflush(stderr);
  }

  void erase() {
    if (m_shown) fmt::print(stderr, "\r\033[K");
    m_shown = false;
  }

  void draw() {
    m_drawn = m_clock.monotonic();
    if (!m_living || m_run.empty()) return;
    const Seconds elapsed = m_drawn - m_started;
    const Seconds left = m_expected * std::max(0, m_to_do - m_done) - elapsed;
    auto line = fmt::format("{}  {}  {} of {}, {} left", m_run, m_phase, clock_time(elapsed), clock_time(m_expected),
                            clock_time(std::max(left, Seconds{0})));
    winsize size{};
    const std::size_t width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1U : 79U;
    if (line.size() > width) line = printable_line(line.substr(0, width));
    erase();
    fmt::print(stderr, "{}", line);
    std::fflush(stderr);
    m_shown = true;
  }

  Clock& m_clock;
  bool m_living;
  bool m_shown = false;
  bool m_measured = false;
  int m_done = 0;
  int m_to_do = 0;
  Seconds m_expected{0};
  std::string m_run;
  std::string m_phase;
  std::chrono::nanoseconds m_started{0};
  std::chrono::nanoseconds m_drawn{0};
};

}  // namespace

std::unique_ptr<batch::Announcer> make_progress(bool quiet, Clock& clock) {
  if (quiet) return std::make_unique<Quiet>();
  return std::make_unique<Lines>(clock, isatty(STDERR_FILENO) == 1);
}

bool colour_wanted(int fd) {
  const char* no_colour = std::getenv("NO_COLOR");
  return isatty(fd) == 1 && (no_colour == nullptr || *no_colour == '\0');
}

}  // namespace swaprig::cli
