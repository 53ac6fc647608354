#include "spec/creation.hpp"

#include "support/catch.hpp"

using namespace swaprig;
using spec::CreationCell;

TEST_CASE("a swap file to be made, in words") {
  CHECK(spec::in_words({"true", Bytes{}, Bytes{}, false}) == "true");
  CHECK(spec::in_words({"fallocate", gib(32), Bytes{}, false}) == "fallocate of 32 GiB");
  CHECK(spec::in_words({"fallocate(2)", gib(1), Bytes{}, true}) == "fallocate(2) of 1 GiB, fsync");
  CHECK(spec::in_words({"dd", mib(16), kib(4), true}) == "dd of 16 MiB in blocks of 4 KiB, fsync");
}

TEST_CASE("controls make no swap file that counts") {
  CHECK(spec::is_control("true"));
  CHECK(spec::is_control("fallocate(2)"));
  CHECK_FALSE(spec::is_control("fallocate"));
  CHECK_FALSE(spec::is_control("dd"));
}

TEST_CASE("what a run writes is what dd writes in all passes") {
  const spec::CreationPlan plan{{{"true", Bytes{}, Bytes{}, false},
                                 {"fallocate", mib(64), Bytes{}, false},
                                 {"dd", mib(16), kib(4), false},
                                 {"dd", mib(16), kib(4), true}},
                                3};
  CHECK(plan.largest() == mib(64));
  CHECK(plan.written() == mib(96));
  CHECK(spec::CreationPlan{}.largest() == Bytes{});
  CHECK(spec::CreationPlan{}.written() == Bytes{});
}
