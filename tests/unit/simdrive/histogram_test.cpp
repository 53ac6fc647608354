#include "simdrive/model/histogram.hpp"

#include "support/catch.hpp"

using swaprig::simdrive::Histogram;

TEST_CASE("every value lies in its bucket") {
  for (std::uint64_t value : {0ULL, 1ULL, 3ULL, 4ULL, 5ULL, 7ULL, 8ULL, 9ULL, 4096ULL, 5000ULL, 1ULL << 40U, ~0ULL}) {
    const auto bucket = Histogram::bucket_of(value);
    REQUIRE(bucket < Histogram::k_buckets);
    CHECK(Histogram::lower_bound(bucket) <= value);
    if (bucket + 1 < Histogram::k_buckets) CHECK(value < Histogram::lower_bound(bucket + 1));
  }
}

TEST_CASE("powers of two begin a bucket") {
  CHECK(Histogram::lower_bound(Histogram::bucket_of(4096)) == 4096);
  CHECK(Histogram::lower_bound(Histogram::bucket_of(5119)) == 4096);
  CHECK(Histogram::lower_bound(Histogram::bucket_of(5120)) == 5120);
}

TEST_CASE("quantiles are the upper ends of buckets") {
  Histogram histogram;
  CHECK(histogram.quantile(0.99) == 0);
  for (int i = 0; i < 99; ++i) histogram.add(4096);
  histogram.add(100'000);
  CHECK(histogram.total() == 100);
  CHECK(histogram.quantile(0.5) == 5119);
  CHECK(histogram.quantile(0.99) == 5119);
  CHECK(histogram.quantile(1.0) == 114687);
}
