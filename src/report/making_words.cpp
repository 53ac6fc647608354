// What making swap files comes down to, in sentences.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/bytes.hpp"
#include "base/wire.hpp"
#include "report/making.hpp"
#include "report/wording.hpp"

namespace swaprig::report {

namespace {

std::string size_words(std::uint64_t bytes) { return exact(Bytes{bytes}); }

/// ", the time growing with size to the power 0.10 (95 % −0.01 to 0.21) and 0.99 (...)"
std::string growths(const MakingLine* reserved, const MakingLine* written) {
  std::string words;
  for (const auto* line : {reserved, written}) {
    if (line == nullptr || !line->growth) continue;
    words += fmt::format("{}{} for {}", words.empty() ? "" : " and ", exponent_in_words(*line->growth), line->method);
  }
  return words.empty() ? "" : fmt::format("; the time grows with the size to the power {}", words);
}

/// Of one method alone, the largest file that has a time.
std::string one_method(const Making& making) {
  for (const bool durable : {false, true}) {
    for (const auto& line : making.lines) {
      if (line.control || line.durable != durable) continue;
      for (auto file = line.files.rbegin(); file != line.files.rend(); ++file) {
        if (!file->seconds) continue;
        auto words = fmt::format("On {}, a swap file of {} took {} by {}", quoted(making.label), size_words(file->size),
                                 short_time(*file->seconds), line.label);
        if (line.growth) words += "; the time grows with the size to the power " + exponent_in_words(*line.growth);
        return words + ".";
      }
    }
  }
  return {};
}

/// With the largest file that both methods made, without fsync where there is that.
std::string sentence(const Making& making) {
  for (const bool durable : {false, true}) {
    const auto ratios = making.ratios(durable);
    if (ratios.empty()) continue;
    const auto& last = ratios.back();
    return fmt::format("On {}, a swap file of {} took {} by fallocate and {} by dd (blocks of {}, its fastest){}, {} times as long{}.",
                       quoted(making.label), size_words(last.size), short_time(last.fallocate_s), short_time(last.dd_s),
                       size_words(last.block), durable ? ", each with fsync" : "",
                       figure_in_words(last.ratio()),
                       growths(making.line(wire::k_by_fallocate, 0, durable),
                               making.line(wire::k_by_dd, last.block, durable)));
  }
  return one_method(making);
}

/// The scenario whose sentence is the answer; null when none has one.
const Making* spokesman(const std::vector<Making>& makings, const std::string& baseline) {
  const Making* first = nullptr;
  for (const auto& making : makings) {
    if (sentence(making).empty()) continue;
    if (making.name == baseline) return &making;
    if (first == nullptr) first = &making;
  }
  return first;
}

/// Each reason once, with what it keeps from being made.
void note_unsupported(const Making& making, std::vector<std::string>& notes) {
  std::set<std::string> told;
  for (const auto& line : making.lines) {
    for (const auto& file : line.files) {
      if (file.unsupported.empty() || !told.insert(line.method + file.unsupported).second) continue;
      notes.push_back(fmt::format("On {}, {} is unsupported: {}.", quoted(making.label), line.label, file.unsupported));
    }
  }
}

}  // namespace

std::string short_time(double seconds) {
  if (seconds >= 1) return figure_in_words(seconds) + " s";
  if (seconds >= 1e-3) return figure_in_words(seconds * 1e3) + " ms";
  return figure_in_words(seconds * 1e6) + " µs";
}

std::string exponent_in_words(const stats::Growth& growth) {
  const auto exponent = [](double value) {
    const auto words = fmt::format("{:.2f}", value < 0 ? -value : value);
    return (value < 0 && words != "0.00" ? "−" : "") + words;
  };
  if (!growth.interval95) return exponent(growth.exponent) + " (no interval)";
  return fmt::format("{} (95 % {} to {})", exponent(growth.exponent), exponent(growth.interval95->first),
                     exponent(growth.interval95->second));
}

std::string making_answer(const std::vector<Making>& makings, const std::string& baseline) {
  const auto* making = spokesman(makings, baseline);
  return making != nullptr ? sentence(*making) : "";
}

std::vector<std::string> making_notes(const std::vector<Making>& makings, const std::string& baseline) {
  std::vector<std::string> notes;
  const auto* told = spokesman(makings, baseline);
  for (const auto& making : makings) {
    if (&making != told) {
      if (const auto words = sentence(making); !words.empty()) notes.push_back(words);
    }
    if (!making.blank_because.empty()) {
      notes.push_back(fmt::format("On {}, nothing was made: {}.", quoted(making.label), making.blank_because));
    }
    note_unsupported(making, notes);
  }
  return notes;
}

}  // namespace swaprig::report
