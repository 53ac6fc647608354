#include "drive/measure.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "drive/measured_profile.hpp"
#include "spec/profile.hpp"
#include "support/catch.hpp"
#include "test_folder.hpp"

using namespace swaprig;
using namespace swaprig::drive;
using swaprig::testing::holds;
using swaprig::testing::message_of;

namespace {

constexpr Bytes k_size{2000398934016};

bool has(const Command& command, const std::string& word) {
  return std::find(command.arguments.begin(), command.arguments.end(), word) != command.arguments.end();
}

MeasureStep random_step(const std::string& place, Bytes offset, Bytes span) {
  return {MeasureStep::Kind::random, place, offset, span};
}

/// As fio 3.33 writes it, with what is read of it.
std::string fio_json(int error = 0, int reads = 2) {
  return R"({"fio version" : "fio-3.33", "jobs" : [{"jobname" : "measure", "error" : )" + std::to_string(error) +
         R"(, "read" : {"io_bytes" : 230686720, "bw_bytes" : 114819072, "total_ios" : )" + std::to_string(reads) +
         R"(, "clat_ns" : {"mean" : 1.0}, "lat_ns" : {"min" : 5, "mean" : 36000000.5, "percentile" : {)"
         R"("5.000000" : 1000000, "50.000000" : 2000000, "95.000000" : 3000000}}}}]})";
}

struct Figures {
  EdgeRates rates;
  double rpm = 5400;
  double track = 2e-3;
  double average = 9.5e-3;
};

/// What an ideal measurement of such a drive would give.
DriveCurve ideal_curve(const Figures& figures, Bytes size = k_size) {
  DriveCurve curve{{"Some \"drive\"", size, Bytes{512}, Bytes{4096}, true}, {}, {}};
  const auto whole = static_cast<double>(size.count);
  for (const auto& step : measure_steps(size, 9)) {
    Reading reading;
    reading.step = step;
    reading.reads = 100;
    const auto offset = static_cast<double>(step.offset.count);
    const auto span = static_cast<double>(step.span.count);
    if (step.kind == MeasureStep::Kind::sequential) {
      reading.read = mib(200);
      reading.bytes_per_s = figures.rates.at((offset + static_cast<double>(reading.read.count) / 2) / whole);
      curve.sequential.push_back(reading);
      continue;
    }
    const auto shares = seek_shares(figures.rates, offset / whole, (offset + span) / whole);
    const double turn = 60 / figures.rpm;
    const double seek =
        shares.track * figures.track + shares.average * figures.average + shares.full * 2.2 * figures.average;
    const double rest = 200e-6 + seek + 4096 / figures.rates.at((offset + span / 2) / whole);
    reading.mean = Seconds(rest + turn / 2);
    reading.median = reading.mean;
    reading.low = Seconds(rest + 0.05 * turn);
    reading.high = Seconds(rest + 0.95 * turn);
    curve.random.push_back(reading);
  }
  return curve;
}

const FittedFigure& figure(const FittedProfile& profile, const std::string& name) {
  const auto found = std::find_if(profile.figures.begin(), profile.figures.end(),
                                  [&](const FittedFigure& one) { return one.name == name; });
  REQUIRE(found != profile.figures.end());
  return *found;
}

}  // namespace

TEST_CASE("a drive is read from its first to its last place, and at random near three of them and all over") {
  const auto steps = measure_steps(k_size, 9);
  REQUIRE(steps.size() == 13);
  CHECK(steps[0] == MeasureStep{MeasureStep::Kind::sequential, "0 %", Bytes{0}, gib(1)});
  CHECK(steps[4].place == "50 %");
  CHECK(steps[8].place == "100 %");
  for (const auto& step : steps) {
    CHECK(step.offset.count % mib(1).count == 0);
    CHECK(step.span.count % mib(1).count == 0);
    CHECK(step.offset + step.span <= k_size);
  }
  CHECK(k_size - (steps[8].offset + steps[8].span) < mib(2));
  CHECK(steps[10].place == "middle");
  CHECK(steps[12].place == "whole drive");
  CHECK(steps[12].span + mib(1) > k_size);

  const auto small = measure_steps(k_least_to_measure, 9);
  CHECK(small[0].span == mib(7));
  CHECK(small[1].offset < small[2].offset);
  CHECK(small[9].span == mib(16));
}

TEST_CASE("fio only reads, and past the host's cache") {
  const auto steps = measure_steps(k_size, 9);
  const auto sequential = fio_command({"/dev/disk/by-id/usb-a-0:0", ""}, steps[8], Seconds(2.5));
  CHECK(sequential.program == "fio");
  for (const char* word : {"--readonly", "--direct=1", "--allow_file_create=0", "--rw=read", "--bs=1M",
                           "--filename=/dev/disk/by-id/usb-a-0\\:0", "--runtime=2500ms"}) {
    INFO(word);
    CHECK(has(sequential, word));
  }
  CHECK(has(sequential, "--offset=" + std::to_string(steps[8].offset.count)));
  const auto random = fio_command({"", "/tmp/a b/nbd"}, steps[9], Seconds(1));
  for (const char* word : {"--readonly", "--ioengine=nbd", "--uri=nbd+unix:///?socket=/tmp/a%20b/nbd", "--rw=randread",
                           "--bs=4k", "--iodepth=1"}) {
    INFO(word);
    CHECK(has(random, word));
  }
}

TEST_CASE("fio's answer is read, whatever it warned of before") {
  const auto step = random_step("start", Bytes{0}, gib(1));
  for (const auto& output : {fio_json(), "fio: a warning {that} has braces\n" + fio_json()}) {
    const auto reading = parse_fio(step, output);
    CHECK(reading.step == step);
    CHECK(reading.bytes_per_s == 114819072);
    CHECK(reading.read == Bytes{230686720});
    CHECK(reading.mean.count() == Approx(0.0360000005));
    CHECK(reading.low.count() == Approx(0.001));
    CHECK(reading.median.count() == Approx(0.002));
    CHECK(reading.high.count() == Approx(0.003));
  }
}

TEST_CASE("an answer that says nothing is an error that says why") {
  const auto step = random_step("middle", gib(3), gib(1));
  CHECK(holds(message_of([&] { parse_fio(step, "fio: unknown engine\n"); }), "it is no JSON: fio: unknown engine"));
  CHECK(holds(message_of([&] { parse_fio(step, fio_json(5)); }), "failed at middle"));
  CHECK(holds(message_of([&] { parse_fio(step, fio_json(5)); }), "Input/output error"));
  CHECK(holds(message_of([&] { parse_fio(step, fio_json(0, 0)); }), "--seconds"));
  CHECK(holds(message_of([&] { parse_fio(step, R"({"jobs" : []})"); }), "cannot read what fio measured"));
  CHECK_THROWS_AS(parse_fio(step, ""), HostError);
}

TEST_CASE("the rates at the edges follow from places between them") {
  const EdgeRates wanted{115e6, 55e6};
  const auto exact = fitted_rates(ideal_curve({wanted}).points());
  CHECK(exact.outer == Approx(115e6).epsilon(1e-6));
  CHECK(exact.inner == Approx(55e6).epsilon(1e-6));
  CHECK(exact.at(0.5) == Approx(std::sqrt((115e6 * 115e6 + 55e6 * 55e6) / 2)));

  auto points = ideal_curve({wanted}).points();
  for (std::size_t i = 0; i < points.size(); ++i) points[i].bytes_per_s *= i % 2 == 0 ? 1.03 : 0.97;
  const auto noisy = fitted_rates(points);
  CHECK(noisy.outer == Approx(115e6).epsilon(0.03));
  CHECK(noisy.inner == Approx(55e6).epsilon(0.03));
  CHECK(worst_distance(noisy, points) < 0.05);

  const auto rising = fitted_rates({{0.1, 90e6}, {0.9, 110e6}});
  CHECK(rising.outer == rising.inner);
  const auto steep = fitted_rates({{0.0, 100e6}, {0.5, 30e6}});
  CHECK(steep.inner > 0);
}

TEST_CASE("mean seeks: shares of a whole drive and of one place") {
  // One rate everywhere: distances of two random places of [0, 1], density 2 (1 - d).
  const auto whole = seek_shares({1e8, 1e8}, 0, 1);
  CHECK(whole.track + whole.average + whole.full == Approx(1));
  CHECK(whole.full == Approx(4.0 / 27 * 1.0).epsilon(0.01));
  const auto near = seek_shares({1e8, 1e8}, 0.5, 0.5 + 1.0 / 3);
  CHECK(near.full == 0);
  CHECK(near.average == Approx(8.0 / 15).epsilon(0.01));
}

TEST_CASE("a profile gives back the figures of the drive that was measured") {
  const Figures figures{{115e6, 55e6}};
  const auto curve = ideal_curve(figures);
  const auto rotation = estimated_rotation(curve);
  REQUIRE(rotation);
  CHECK(rotation->rpm == 5400);
  const auto fitted = fit_profile(curve, rotation, "2026-01-01");
  CHECK(fitted.kind == simdrive::DriveKind::hdd);
  CHECK(figure(fitted, "outer_rate").value == "115.00 MB/s");
  CHECK(figure(fitted, "outer_rate").source == "measured on 2026-01-01, fitted");
  CHECK(figure(fitted, "write_cache").source == "assumed");

  const auto profile = spec::parse_profile(to_toml(fitted, "made\nby a test"), "folder/some-measured.toml");
  CHECK(profile.title == "Some \"drive\"");
  CHECK(profile.parameters.size == k_size.count);
  CHECK(profile.parameters.physical_sector == 4096);
  CHECK(static_cast<double>(profile.parameters.hdd.inner_rate) == Approx(55e6).epsilon(1e-3));
  CHECK(simdrive::in_seconds(profile.parameters.hdd.seek_track) == Approx(2e-3).epsilon(0.01));
  CHECK(simdrive::in_seconds(profile.parameters.hdd.seek_average) == Approx(9.5e-3).epsilon(0.01));
  CHECK(simdrive::in_seconds(profile.parameters.hdd.seek_full) == Approx(2.2 * 9.5e-3).epsilon(0.01));
}

TEST_CASE("noise in the latencies never gives a drive that cannot be") {
  for (const double near : {0.7, 1.0, 1.3}) {
    auto curve = ideal_curve({{200e6, 90e6}, 7200, 1e-3, 8e-3});
    for (std::size_t i = 0; i < 3; ++i) curve.random[i].median *= near;
    const auto fitted = fit_profile(curve, Rotation{7200, "given by --rpm"}, "2026-01-01");
    CHECK_NOTHROW(spec::parse_profile(to_toml(fitted, "x"), "x.toml"));
  }
}

TEST_CASE("a rotation rate that cannot be is said to be wrong") {
  const auto curve = ideal_curve({{115e6, 55e6}});
  const auto words = message_of([&] { fit_profile(curve, Rotation{1200, "given by --rpm"}, "2026-01-01"); });
  CHECK(holds(words, "less than half a turn at 1200 rpm (given by --rpm)"));
  auto blurred = curve;
  for (auto& reading : blurred.random) reading.high = reading.low + (reading.high - reading.low) * 2.0;
  CHECK_FALSE(estimated_rotation(blurred));
}

TEST_CASE("a drive without an arm is known by its kernel, or by its latencies") {
  auto curve = ideal_curve({{500e6, 500e6}});
  curve.facts.rotational = true;
  CHECK_FALSE(looks_like_ssd(curve));
  for (auto& reading : curve.random) reading.median = Seconds(100e-6);
  CHECK(looks_like_ssd(curve));
  curve.random[2].median = Seconds(300e-6);
  CHECK_FALSE(looks_like_ssd(curve));
  curve.facts.rotational = false;
  CHECK(looks_like_ssd(curve));

  curve.random[3].median = Seconds(108.192e-6);
  const auto fitted = fit_profile(curve, std::nullopt, "2026-01-01");
  CHECK(figure(fitted, "read_latency").value == "100 us");
  CHECK(figure(fitted, "read_rate").value == "500.00 MB/s");
  const auto profile = spec::parse_profile(to_toml(fitted, "x"), "x.toml");
  CHECK(profile.parameters.kind == simdrive::DriveKind::ssd);
}

TEST_CASE("the curve as text") {
  const auto text = curve_text(ideal_curve({{100e6, 50e6}}));
  CHECK(holds(text, "Some \"drive\", 1.82 TiB"));
  CHECK(holds(text, "    0.0 %     100.0 MB/s  ########################################\n"));
  CHECK(holds(text, "whole drive"));
}
