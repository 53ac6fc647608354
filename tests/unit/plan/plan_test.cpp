#include "plan/plan.hpp"

#include <algorithm>
#include <set>

#include "plan/seeded_order.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::plan;

namespace {

spec::Experiment experiment(const std::vector<std::string>& names, spec::Order order, int count) {
  spec::Experiment result;
  for (const auto& name : names) {
    spec::Scenario scenario;
    scenario.name = name;
    result.scenarios.push_back(scenario);
  }
  result.baseline = names.front();
  result.runs.order = order;
  result.runs.count = count;
  result.runs.seed = 20210907;
  return result;
}

std::vector<std::string> block(const std::vector<PlannedRun>& runs, int number) {
  std::vector<std::string> arms;
  for (const auto& run : runs) {
    if (run.block == number) arms.push_back(run.arm);
  }
  return arms;
}

std::vector<std::string> reversed(std::vector<std::string> arms) {
  std::reverse(arms.begin(), arms.end());
  return arms;
}

const std::vector<std::string> k_six{"a", "b", "c", "d", "e", "f"};

}  // namespace

TEST_CASE("the generator gives the published numbers") {
  // First outputs of SplitMix64 for the seed 1234567, as in the reference implementations.
  SplitMix64 random(1234567);
  CHECK(random.next() == 6457827717110365317U);
  CHECK(random.next() == 3203168211198807973U);
  CHECK(random.next() == 9817491932198370423U);
}

TEST_CASE("numbers below a bound are even") {
  SplitMix64 random(1);
  std::vector<int> seen(7);
  for (int i = 0; i < 70'000; ++i) ++seen[random.below(7)];
  for (const int n : seen) {
    CHECK(n > 9'500);
    CHECK(n < 10'500);
  }
  CHECK(random.below(1) == 0);
}

TEST_CASE("two scenarios mirrored: A B, B A") {
  const auto runs = make_plan(experiment({"A", "B"}, spec::Order::mirrored, 2));
  REQUIRE(runs.size() == 4);
  CHECK(runs[0].arm == runs[3].arm);
  CHECK(runs[1].arm == runs[2].arm);
  CHECK(runs[0].arm != runs[1].arm);
  CHECK(runs[2] == PlannedRun{2, 1, runs[1].arm, runs[1].arm});
  CHECK(runs[3].position == 2);
}

TEST_CASE("mirrored: an even block is the mirror of the odd one before it") {
  const auto runs = make_plan(experiment(k_six, spec::Order::mirrored, 5));
  CHECK(block(runs, 2) == reversed(block(runs, 1)));
  CHECK(block(runs, 4) == reversed(block(runs, 3)));
  CHECK(block(runs, 1) != block(runs, 3));
  CHECK(block(runs, 5).size() == 6);
}

TEST_CASE("sequential: the order of the file") {
  const auto runs = make_plan(experiment(k_six, spec::Order::sequential, 3));
  for (int i = 1; i <= 3; ++i) CHECK(block(runs, i) == k_six);
}

TEST_CASE("random: every block holds every scenario once, in orders of its own") {
  const auto runs = make_plan(experiment(k_six, spec::Order::random, 20));
  std::set<std::vector<std::string>> orders;
  for (int i = 1; i <= 20; ++i) {
    auto arms = block(runs, i);
    orders.insert(arms);
    std::sort(arms.begin(), arms.end());
    CHECK(arms == k_six);
  }
  CHECK(orders.size() > 10);
}

TEST_CASE("the same seed gives the same plan, another one another") {
  auto e = experiment(k_six, spec::Order::mirrored, 4);
  const auto runs = make_plan(e);
  CHECK(make_plan(e) == runs);
  e.runs.seed = 7;
  CHECK(make_plan(e) != runs);
  // Fixed for ever: stored batches are continued by it.
  CHECK(block(runs, 1) == std::vector<std::string>{"e", "f", "b", "c", "a", "d"});
}

TEST_CASE("more blocks only add to a plan") {
  for (const auto order : {spec::Order::mirrored, spec::Order::random, spec::Order::sequential}) {
    const auto few = make_plan(experiment(k_six, order, 3));
    const auto many = make_plan(experiment(k_six, order, 4));
    CHECK(std::equal(few.begin(), few.end(), many.begin()));
  }
}

TEST_CASE("case 17: exactly as many runs as asked") {
  for (const int count : {1, 2, 3, 1000}) {
    const auto runs = make_plan(experiment({"A", "B"}, spec::Order::mirrored, count));
    CHECK(runs.size() == static_cast<std::size_t>(2 * count));
    CHECK(std::count_if(runs.begin(), runs.end(), [](const auto& run) { return run.arm == "A"; }) == count);
  }
}

TEST_CASE("the second arm of an A/A comparison runs the baseline under another name") {
  auto e = experiment({"A", "B"}, spec::Order::mirrored, 2);
  e.runs.aa = true;
  e.baseline = "B";
  const auto runs = make_plan(e);
  CHECK(runs.size() == 6);
  const auto second = std::count_if(runs.begin(), runs.end(), [](const PlannedRun& run) {
    return run.arm == std::string("B") + k_aa_suffix && run.scenario == "B";
  });
  CHECK(second == 2);
}

TEST_CASE("an estimate takes earlier times where there are some") {
  auto e = experiment({"A", "B"}, spec::Order::sequential, 3);
  e.runs.aa = true;
  const auto runs = make_plan(e);
  const auto some = estimate(runs, {{"A", Seconds(10)}}, {}, Seconds(60));
  CHECK(some.total.count() == Approx(3 * 10 + 3 * 10 + 3 * 60));
  CHECK(some.from(Source::guess) == std::vector<std::string>{"B"});
  CHECK(some.from(Source::earlier) == std::vector<std::string>{"A", std::string("A") + k_aa_suffix});
  CHECK(some.per_run.at(std::string("A") + k_aa_suffix).count() == Approx(10));
  const auto all = estimate(runs, {{"A", Seconds(10)}, {"B", Seconds(20)}}, {}, Seconds(60));
  CHECK(all.from(Source::guess).empty());
  CHECK(all.total.count() == Approx(120));
  CHECK(estimate({}, {}, {}, Seconds(60)).total.count() == Approx(0));
}

TEST_CASE("an estimate takes a published study's ratios where there are no runs") {
  const auto runs = make_plan(experiment({"A", "B", "C", "D"}, spec::Order::sequential, 1));
  const std::map<std::string, double> published{{"A", 100}, {"B", 300}, {"C", 50}};
  // By hand: A took 20 s where the study took 100, so B is taken to need 300 / 5 = 60 s and C 10 s; D is not in the study.
  const auto one = estimate(runs, {{"A", Seconds(20)}}, published, Seconds(7));
  CHECK(one.per_run.at("B").count() == Approx(60));
  CHECK(one.per_run.at("C").count() == Approx(10));
  CHECK(one.per_run.at("D").count() == Approx(7));
  CHECK(one.from(Source::published) == std::vector<std::string>{"B", "C"});
  CHECK(one.from(Source::guess) == std::vector<std::string>{"D"});
  // The fastest of the study is taken to need the guess.
  const auto none = estimate(runs, {}, published, Seconds(7));
  CHECK(none.per_run.at("C").count() == Approx(7));
  CHECK(none.per_run.at("A").count() == Approx(14));
  CHECK(none.per_run.at("B").count() == Approx(42));
  // Ratios 0.2 and 0.4: of two the upper one, so that a night is rather thought too long.
  const auto two = estimate(runs, {{"A", Seconds(20)}, {"C", Seconds(20)}}, published, Seconds(7));
  CHECK(two.per_run.at("B").count() == Approx(120));
}

