#include "simdrive/model/parameters.hpp"

#include <algorithm>

#include "virtual_host.hpp"

using namespace swaprig::simdrive;

namespace {

DriveParameters some_ssd() {
  DriveParameters drive;
  drive.kind = DriveKind::ssd;
  drive.size = 1U << 30U;
  drive.ssd = {milliseconds(0.2), milliseconds(0.1), milliseconds(1), milliseconds(0.5), 500'000'000, 400'000'000, 8};
  return drive;
}

DriveParameters decoded(const std::vector<std::string>& pairs) {
  DriveParameters drive;
  for (const std::string& pair : pairs) {
    const auto equals = pair.find('=');
    bool known = false;
    CHECK(decode(drive, pair.substr(0, equals), pair.substr(equals + 1), known) == "");
    CHECK(known);
  }
  return drive;
}

bool has_fault(const DriveParameters& drive, const std::string& field) {
  const auto faults = faults_of(drive);
  return std::any_of(faults.begin(), faults.end(), [&](const Fault& fault) { return fault.field == field; });
}

}  // namespace

TEST_CASE("parameters survive the way through the command line") {
  for (const DriveParameters& drive : {full_hdd(), hp97560(), some_ssd()}) CHECK(decoded(encode(drive)) == drive);
}

TEST_CASE("sound drives have no faults") {
  for (const DriveParameters& drive : {full_hdd(), bare_hdd(), hp97560(), some_ssd()}) CHECK(faults_of(drive).empty());
}

TEST_CASE("a parameter that is no number or no name is refused") {
  DriveParameters drive = full_hdd();
  bool known = false;
  for (const char* value : {"", "-1", "5400.5", "fast", "99999999999999999999", "5400 "}) {
    CHECK(decode(drive, "rpm", value, known) != "");
    CHECK(known);
  }
  CHECK(decode(drive, "kind", "tape", known) != "");
  CHECK(decode(drive, "speed", "1", known) == "");
  CHECK_FALSE(known);
  CHECK(decode(drive, "heads", "4", known) == "");
  CHECK_FALSE(known);  // a spiral has none
}

TEST_CASE("impossible figures are faults") {
  DriveParameters drive = full_hdd();
  SECTION("inner rate above outer") {
    drive.hdd.inner_rate = drive.hdd.outer_rate + 1;
    CHECK(has_fault(drive, "inner_rate"));
  }
  SECTION("seeks out of order") {
    drive.hdd.seek_track = milliseconds(10);
    drive.hdd.seek_full = milliseconds(9);
    CHECK(has_fault(drive, "seek_track"));
    CHECK(has_fault(drive, "seek_average"));
  }
  SECTION("size that is not whole sectors") {
    drive.size += 1;
    CHECK(has_fault(drive, "size"));
  }
  SECTION("no rotation") {
    drive.hdd.rpm = 0;
    CHECK(has_fault(drive, "rpm"));
  }
  SECTION("no queue at all") {
    drive.queue_depth = 0;
    CHECK(has_fault(drive, "queue_depth"));
  }
  SECTION("no geometry") {
    drive.geometry = Geometry::none;
    CHECK(has_fault(drive, "geometry"));
  }
  SECTION("size that its cylinders do not make up") {
    drive = hp97560();
    drive.size -= 512;
    CHECK(has_fault(drive, "size"));
  }
  SECTION("an SSD without channels") {
    drive = some_ssd();
    drive.ssd.channels = 0;
    CHECK(has_fault(drive, "channels"));
  }
  SECTION("several at once") {
    drive.hdd.rpm = 0;
    drive.logical_sector = 100;
    CHECK(faults_of(drive).size() >= 2);
  }
}
