#include "host/findings.hpp"

#include "support/catch.hpp"
#include "support/words.hpp"

using namespace swaprig;
using namespace swaprig::host;
using testing::mentions;

namespace {

FolderState good_folder() { return {"/state", "", gib(100), ""}; }

}  // namespace

TEST_CASE("KVM: proven, disproven, not proven yet") {
  CHECK(judge_kvm(std::nullopt).fitness == Fitness::note);
  CHECK(mentions(judge_kvm(std::nullopt).text, "not proven yet"));
  CHECK(judge_kvm(Acceleration{Virtualisation::kvm, "KVM: a guest booted in 1.2 s"}).fitness == Fitness::ok);
  const auto without = judge_kvm(Acceleration{Virtualisation::tcg, "no /dev/kvm on this host"});
  CHECK(without.fitness == Fitness::warning);
  CHECK(mentions(without.text, "no /dev/kvm"));
}

TEST_CASE("missing programs name their package; gnuplot can be done without") {
  CHECK(judge_qemu(false, "").fitness == Fitness::unfit);
  CHECK(mentions(judge_qemu(false, "").advice, "qemu-system-x86"));
  CHECK(judge_qemu(true, "").fitness == Fitness::unfit);
  CHECK(judge_qemu(true, "7.2.22").fitness == Fitness::ok);
  CHECK(judge_libvirt("9.0.0", false).fitness == Fitness::unfit);
  CHECK(mentions(judge_libvirt("9.0.0", false).advice, "libvirt-daemon-driver-qemu"));
  CHECK(judge_libvirt("9.0.0", true).fitness == Fitness::ok);
  for (const auto& program : needed_programs()) {
    INFO(program.name);
    CHECK(judge_program(program, true).fitness == Fitness::ok);
    CHECK(judge_program(program, false).fitness == (program.name == "gnuplot" || program.name == "nbdkit" ? Fitness::warning : Fitness::unfit));
    CHECK(mentions(judge_program(program, false).advice, program.package));
  }
}

TEST_CASE("memory and the host's own swap") {
  CHECK(judge_memory({gib(24), gib(20), {}, {}}).fitness == Fitness::ok);
  CHECK(judge_memory({gib(24), gib(1), {}, {}}).fitness == Fitness::warning);
  CHECK(judge_memory({gib(24), mib(100), {}, {}}).fitness == Fitness::unfit);
  CHECK(judge_host_swap({gib(24), gib(20), {}, {}}).fitness == Fitness::ok);
  CHECK(judge_host_swap({gib(24), gib(20), gib(2), gib(2)}).fitness == Fitness::ok);
  const auto swapping = judge_host_swap({gib(24), gib(20), gib(2), gib(1)});
  CHECK(swapping.fitness == Fitness::warning);
  CHECK(mentions(swapping.text, rounded(gib(1)) + " in use"));
}

TEST_CASE("folders: not writable, no O_DIRECT where drives are kept, little space") {
  CHECK(judge_folder("state folder", good_folder(), true).fitness == Fitness::ok);
  auto folder = good_folder();
  folder.direct_fault = "Invalid argument";
  CHECK(judge_folder("state folder", folder, true).fitness == Fitness::unfit);
  CHECK(mentions(judge_folder("state folder", folder, true).text, "no O_DIRECT"));
  CHECK(judge_folder("cache folder", folder, false).fitness == Fitness::ok);
  folder = good_folder();
  folder.free = gib(2);
  CHECK(judge_folder("state folder", folder, true).fitness == Fitness::warning);
  folder.fault = "Permission denied";
  CHECK(judge_folder("cache folder", folder, false).fitness == Fitness::unfit);
}

TEST_CASE("governor, load, KSM, huge pages") {
  CHECK(judge_governor("performance").fitness == Fitness::ok);
  CHECK(judge_governor("powersave").fitness == Fitness::warning);
  CHECK(judge_governor("performance, powersave").fitness == Fitness::warning);
  CHECK(judge_governor("").fitness == Fitness::note);
  CHECK(judge_load(0.2, 2).fitness == Fitness::ok);
  CHECK(judge_load(1.5, 2).fitness == Fitness::warning);
  CHECK(judge_load(1.5, 16).fitness == Fitness::ok);
  CHECK(judge_load(std::nullopt, 2).fitness == Fitness::note);
  CHECK(judge_ksm("1\n").fitness == Fitness::note);
  CHECK(judge_ksm("0\n").text == "off");
  CHECK(judge_ksm("").text == "off");
  CHECK(judge_huge_pages("madvise").text == "madvise");
}

TEST_CASE("a guest fits only with what QEMU takes beside it") {
  CHECK(memory_shortage(gib(2), gib(1), Virtualisation::tcg).empty());
  CHECK(memory_shortage(mib(1224), mib(1024), Virtualisation::kvm).empty());
  CHECK_FALSE(memory_shortage(mib(1224), mib(1024), Virtualisation::tcg).empty());
  CHECK(memory_shortage(mib(1724), mib(1024), Virtualisation::tcg).empty());
  CHECK_FALSE(memory_shortage(mib(1723), mib(1024), Virtualisation::tcg).empty());
  const auto absurd = memory_shortage(gib(24), Bytes{~std::uint64_t{0}}, Virtualisation::kvm);
  CHECK(mentions(absurd, "does not fit"));
  CHECK_FALSE(memory_shortage(mib(10), mib(1), Virtualisation::tcg).empty());
}

TEST_CASE("the message about space says what is needed and what is free") {
  auto folder = good_folder();
  folder.free = gib(4);
  CHECK(space_shortage(folder, gib(4)).empty());
  const auto text = space_shortage(folder, gib(8));
  CHECK(mentions(text, rounded(gib(8)) + " are needed"));
  CHECK(mentions(text, rounded(gib(4)) + " are free"));
  CHECK(mentions(text, "/state"));
  folder.fault = "Read-only file system";
  CHECK(mentions(space_shortage(folder, gib(1)), "Read-only file system"));
}
