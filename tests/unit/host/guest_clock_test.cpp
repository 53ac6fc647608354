#include "host/guest_clock.hpp"

#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::host;

TEST_CASE("a guest under TCG is told the rate of the host's counter") {
  CHECK(with_stable_clock("quiet", Virtualisation::tcg, 2096008) == "quiet tsc_early_khz=2096008");
  CHECK(with_stable_clock("", Virtualisation::tcg, 2096008) == "tsc_early_khz=2096008");
}

TEST_CASE("nothing is added where it is not needed, not known, or the user's own business") {
  CHECK(with_stable_clock("quiet", Virtualisation::kvm, 2096008) == "quiet");
  CHECK(with_stable_clock("quiet", Virtualisation::tcg, std::nullopt) == "quiet");
  CHECK(with_stable_clock("clocksource=hpet", Virtualisation::tcg, 2096008) == "clocksource=hpet");
  CHECK(with_stable_clock("quiet tsc=unstable", Virtualisation::tcg, 2096008) == "quiet tsc=unstable");
}

TEST_CASE("the rate of this host's counter, where it has a steady one, is measured the same twice") {
  const auto first = host_tsc_khz();
  const auto second = host_tsc_khz();
  REQUIRE(first.has_value() == second.has_value());
  if (first) {
    CHECK(*first > 100000);
    CHECK(static_cast<double>(*first) == Approx(static_cast<double>(*second)).epsilon(0.005));
  }
}
