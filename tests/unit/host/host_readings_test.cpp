#include "host/host_readings.hpp"

#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::host;

TEST_CASE("meminfo") {
  const auto memory = parse_meminfo(
      "MemTotal:       24683668 kB\nMemFree:  1 kB\nMemAvailable:   23000000 kB\nSwapCached: 5 kB\n"
      "SwapTotal:       2097148 kB\nSwapFree:        2000000 kB\n");
  CHECK(memory == Memory{kib(24683668), kib(23000000), kib(2097148), kib(2000000)});
  CHECK(parse_meminfo("") == Memory{});
  CHECK(parse_meminfo("MemTotal: many kB\nMemAvailable:") == Memory{});
}

TEST_CASE("cpuinfo") {
  const std::string text =
      "processor\t: 0\nmodel name\t: AMD EPYC\nflags\t\t: fpu hypervisor constant_tsc\n\n"
      "processor\t: 1\nmodel name\t: AMD EPYC\nflags\t\t: fpu\n";
  CHECK(parse_cpu_model(text) == "AMD EPYC");
  CHECK(count_processors(text) == 2);
  CHECK(has_cpu_flag(text, "hypervisor"));
  CHECK_FALSE(has_cpu_flag(text, "constant"));
  CHECK(parse_cpu_model("").empty());
  CHECK(count_processors("") == 0);
  CHECK_FALSE(has_cpu_flag("", "fpu"));
}

TEST_CASE("os-release") {
  CHECK(parse_distribution("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n") ==
        "Debian GNU/Linux 12 (bookworm)");
  CHECK(parse_distribution("PRETTY_NAME=Arch\n") == "Arch");
  CHECK(parse_distribution("ID=debian\n").empty());
  CHECK(parse_distribution("PRETTY_NAME=\"").size() == 1);
}

TEST_CASE("a choice in brackets") {
  CHECK(parse_choice("always [madvise] never\n") == "madvise");
  CHECK(parse_choice("none\n") == "none");
  CHECK(parse_choice("]odd[").size() == 5);
}

TEST_CASE("load") {
  CHECK(parse_load("1.85 0.51 0.23 2/301 17093\n") == Approx(1.85));
  CHECK_FALSE(parse_load("").has_value());
  CHECK_FALSE(parse_load("much").has_value());
}

TEST_CASE("QEMU's version") {
  CHECK(parse_qemu_version("QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18)\nCopyright") == "7.2.22");
  CHECK(parse_qemu_version("qemu-system-x86_64: error while loading shared libraries").empty());
  CHECK(parse_qemu_version("QEMU emulator version ").empty());
}

TEST_CASE("governors") {
  CHECK(describe_governors({"performance\n", "performance\n"}) == "performance");
  CHECK(describe_governors({"schedutil\n", "performance\n"}) == "performance, schedutil");
  CHECK(describe_governors({}).empty());
}
