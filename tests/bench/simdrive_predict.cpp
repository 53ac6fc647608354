// What the model of a profile says, in virtual time; the judge's own figures come from fio.
//   simdrive_predict parameters PROFILE.toml
//   simdrive_predict run PROFILE.toml rand|seq read|write OFFSET SIZE BLOCK DEPTH COUNT

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <queue>
#include <random>
#include <string>
#include <vector>

#include "simdrive/model/drive_model.hpp"
#include "spec/profile.hpp"

namespace {

using namespace swaprig;
using simdrive::Time;

struct Pattern {
  bool random = false;
  simdrive::Operation operation = simdrive::Operation::read;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t block = 0;
  std::size_t depth = 1;
  std::size_t count = 0;
};

/// A host that always keeps `depth` commands under way; the latencies of all of them, in order of completion.
class ClosedLoop {
 public:
  ClosedLoop(simdrive::DriveModel& drive, const Pattern& pattern) : m_drive(drive), m_pattern(pattern) {}

  std::vector<Time> run() {
    while (m_latencies.size() < m_pattern.count) {
      while (m_sent.size() - m_latencies.size() < m_pattern.depth && m_sent.size() < m_pattern.count) send();
      const auto event = m_drive.next_event();
      if (!m_due.empty() && (!event || m_due.top().due <= *event)) {
        finish();
      } else if (event) {
        m_drive.advance(*event);
        collect();
      }
    }
    return m_latencies;
  }

  Time now() const { return m_now; }

 private:
  struct Later {
    bool operator()(const simdrive::Completion& a, const simdrive::Completion& b) const { return a.due > b.due; }
  };

  void send() {
    const std::uint64_t blocks = m_pattern.size / m_pattern.block;
    const std::uint64_t index = m_pattern.random ? m_source() % blocks : m_sent.size() % blocks;
    const std::uint64_t offset = m_pattern.offset + index * m_pattern.block;
    m_drive.submit({m_sent.size(), m_pattern.operation, offset, m_pattern.block, false}, m_now);
    m_sent.push_back(m_now);
    collect();
  }

  void finish() {
    const simdrive::Completion done = m_due.top();
    m_due.pop();
    m_now = std::max(m_now, done.due);
    m_latencies.push_back(done.due - m_sent[done.id]);
  }

  void collect() {
    for (const auto& completion : m_drive.take_completions()) m_due.push(completion);
  }

  simdrive::DriveModel& m_drive;
  Pattern m_pattern;
  std::mt19937_64 m_source{11};
  Time m_now{0};
  std::vector<Time> m_sent;
  std::vector<Time> m_latencies;
  std::priority_queue<simdrive::Completion, std::vector<simdrive::Completion>, Later> m_due;
};

void predict(const spec::Profile& profile, const Pattern& pattern) {
  const auto drive = simdrive::make_drive_model(profile.parameters, simdrive::RegionMap());
  ClosedLoop host(*drive, pattern);
  auto latencies = host.run();
  Time sum{0};
  for (const Time latency : latencies) sum += latency;
  std::sort(latencies.begin(), latencies.end());
  const double seconds = simdrive::in_seconds(host.now());
  const auto count = static_cast<double>(latencies.size());
  std::printf("{\"mean_us\": %.3f, \"median_us\": %.3f, \"iops\": %.2f, \"bytes_per_second\": %.0f}\n",
              simdrive::in_seconds(sum) / count * 1e6, simdrive::in_seconds(latencies[latencies.size() / 2]) * 1e6,
              count / seconds, count * static_cast<double>(pattern.block) / seconds);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 2 && words[0] == "parameters") {
      for (const auto& parameter : spec::plugin_parameters(spec::load_profile(words[1]))) std::puts(parameter.c_str());
      return 0;
    }
    if (words.size() == 9 && words[0] == "run") {
      const auto operation = words[3] == "read" ? simdrive::Operation::read : simdrive::Operation::write;
      predict(spec::load_profile(words[1]),
              {words[2] == "rand", operation, std::stoull(words[4]), std::stoull(words[5]), std::stoull(words[6]),
               std::stoul(words[7]), std::stoul(words[8])});
      return 0;
    }
    std::puts("simdrive_predict parameters PROFILE | run PROFILE rand|seq read|write OFFSET SIZE BLOCK DEPTH COUNT");
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
  }
  return 2;
}
