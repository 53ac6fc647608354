#include "batch/stage.hpp"

#include "support/catch.hpp"

using namespace swaprig;

TEST_CASE("serials fit virtio, differ by experiment and drive, and stay the same") {
  const auto serial = batch::drive_serial("quickstart", "hdd");
  CHECK(serial == batch::drive_serial("quickstart", "hdd"));
  CHECK(serial != batch::drive_serial("quickstart", "second"));
  CHECK(serial != batch::drive_serial("other", "hdd"));
  CHECK(batch::drive_serial("e", "a very long name of a drive \xC3\xBC <\"\n").size() <= 20);
  // A newline between the names keeps "a" + "bc" apart from "ab" + "c".
  CHECK(batch::drive_serial("a", "bc").substr(0, 11) != batch::drive_serial("ab", "c").substr(0, 11));
}

TEST_CASE("memory is that of the largest guest, space that of all drives") {
  spec::Experiment experiment;
  spec::Scenario small;
  small.guest.memory = mib(256);
  spec::Scenario large;
  large.guest.memory = gib(8);
  experiment.scenarios = {small, large, small};
  spec::Drive drive;
  drive.backing = spec::FileBacking{gib(2)};
  experiment.drives = {drive, drive};
  CHECK(batch::largest_memory(experiment) == gib(8));
  CHECK(batch::drive_space(experiment) == gib(4));
}

TEST_CASE("a refused change shows the difference and both ways on") {
  const auto words = batch::describe_change("night", {"- runs.count = 2", "+ runs.count = 3"});
  CHECK(words.find("- runs.count = 2\n+ runs.count = 3") != std::string::npos);
  CHECK(words.find("--again") != std::string::npos);
}

TEST_CASE("a simulated drive is expected to take its largest placement, and the image where the root is") {
  spec::Experiment experiment;
  spec::Drive hdd;
  hdd.name = "hdd";
  hdd.backing = spec::SimulatedBacking{};
  hdd.partitions = {{"root", std::nullopt, spec::PartitionType::ext4, true}};
  spec::Drive ssd;
  ssd.name = "ssd";
  ssd.backing = spec::SimulatedBacking{};
  experiment.drives = {hdd, ssd};
  const auto add = [&](const char* drive, const std::string& file, Bytes size) {
    spec::Scenario scenario;
    scenario.guest.memory = gib(1);
    scenario.swap = {{file.empty() ? "partition" : "dd", {drive, "x"}, file, size, Bytes{}, std::nullopt}};
    experiment.scenarios.push_back(scenario);
  };
  add("hdd", "/a", gib(40));
  add("hdd", "/b", gib(2));
  add("ssd", "", gib(900));
  CHECK(batch::written_in_a_run(experiment, hdd, mib(100)) == gib(40) + mib(356));
  CHECK(batch::written_in_a_run(experiment, ssd, mib(100)) == gib(16));
  CHECK(batch::drive_space(experiment) == Bytes{0});
}

TEST_CASE("a simulated drive is expected to take what dd writes in a run, at most the partition, and the file system's tables") {
  spec::Experiment experiment;
  spec::Drive disk;
  disk.name = "disk";
  spec::SimulatedBacking backing;
  backing.profile.parameters.size = gib(64).count;
  disk.backing = backing;
  disk.partitions = {{"root", gib(1), spec::PartitionType::ext4, true}, {"xfs", gib(32), spec::PartitionType::xfs, false}};
  experiment.drives = {disk};
  experiment.workload.creation = spec::CreationPlan{
      {{"fallocate", gib(8), Bytes{}, false}, {"dd", gib(1), mib(1), false}, {"dd", gib(1), mib(1), true}}, 3};
  spec::Scenario scenario;
  scenario.on = {"disk", "xfs"};
  experiment.scenarios = {scenario};
  CHECK(batch::written_in_a_run(experiment, disk, mib(100)) == gib(6) + gib(1) + mib(356));
  experiment.workload.creation->repeat = 30;
  CHECK(batch::written_in_a_run(experiment, disk, mib(100)) == gib(32) + mib(356));
}
