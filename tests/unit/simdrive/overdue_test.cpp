#include "simdrive/model/overdue.hpp"

#include "support/catch.hpp"

using namespace swaprig::simdrive;
using namespace std::chrono_literals;

namespace {
Time total_of(std::initializer_list<std::pair<Time, Time>> intervals) {
  OverdueTime overdue;
  for (const auto& [from, until] : intervals) overdue.add(from, until);
  return overdue.total();
}
}  // namespace

TEST_CASE("each overdue moment counts once, in whatever order the requests leave") {
  CHECK(total_of({{0ms, 13ms}}) == 13ms);
  CHECK(total_of({{10ms, 12ms}, {0ms, 13ms}}) == 13ms);
  CHECK(total_of({{0ms, 13ms}, {10ms, 12ms}}) == 13ms);
  CHECK(total_of({{0ms, 5ms}, {5ms, 8ms}}) == 8ms);
  CHECK(total_of({{0ms, 1ms}, {4ms, 6ms}, {0ms, 10ms}}) == 10ms);
  CHECK(total_of({{3ms, 3ms}, {5ms, 4ms}}) == 0ms);
}

TEST_CASE("old intervals are forgotten") {
  CHECK(total_of({{0ms, 10ms}, {5s, 5001ms}, {0ms, 10ms}}) == 21ms);
}
