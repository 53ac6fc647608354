#include <set>

#include "base/files.hpp"
#include "base/wire.hpp"
#include "probe/devices.hpp"
#include "probe/file_reads.hpp"
#include "probe/init.hpp"
#include "probe/job.hpp"
#include "probe/kernel_log.hpp"
#include "probe/page_pattern.hpp"
#include "probe/procfs.hpp"
#include "probe/system.hpp"
#include "probe/tail_buffer.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::probe;

TEST_CASE("kernel arguments") {
  CHECK(kernel_argument("quiet swaprig.root=sr-1:2 x=y\n", "swaprig.root") == "sr-1:2");
  CHECK(kernel_argument("swaprig.root=a swaprig.root=b", "swaprig.root") == "b");
  CHECK(kernel_argument("swaprig.rootfs=a", "swaprig.root") == std::nullopt);
  CHECK(kernel_argument("", "swaprig.root") == std::nullopt);
  CHECK(kernel_argument("x=", "x") == "");
}

TEST_CASE("the root argument") {
  const auto root = parse_root_argument("sr-1:a:12");
  REQUIRE(root.has_value());
  CHECK(root->serial == "sr-1:a");
  CHECK(root->partition == 12);
  for (const char* broken : {"", "sr", "sr:", ":1", "sr:0", "sr:-1", "sr:1x", "sr:129", "sr:99999999999999999999"}) {
    INFO(broken);
    CHECK_FALSE(parse_root_argument(broken).has_value());
  }
}

TEST_CASE("a serial number in a SCSI page") {
  CHECK(serial_in_page_80(std::string("\0\x80\0\x07 sr-1 \0", 11)) == "sr-1");
  CHECK(serial_in_page_80(std::string("\0\x80\0\xff"
                                      "sr",
                                      6)) == "sr");
  CHECK(serial_in_page_80(std::string("\0\x83\0\x02sr", 6)).empty());
  CHECK(serial_in_page_80("\x80").empty());
}

TEST_CASE("mount options are left out one by one, then all") {
  CHECK(option_attempts("a,b,c") == std::vector<std::string>{"a,b,c", "b,c", "a,c", "a,b", ""});
  CHECK(option_attempts("a") == std::vector<std::string>{"a", ""});
  CHECK(option_attempts("") == std::vector<std::string>{""});
}

TEST_CASE("numbers out of /proc") {
  constexpr std::string_view k_meminfo = "MemTotal:  210740 kB\nMemAvailable:   179316 kB\nSwapFree:0 kB\n";
  CHECK(value_of(k_meminfo, "MemAvailable:") == 179316);
  CHECK(value_of(k_meminfo, "MemTotal:") == 210740);
  CHECK(value_of(k_meminfo, "Mem") == std::nullopt);
  CHECK(value_of("pswpin 5\npswpout 99999999999999999999\n", "pswpin") == 5);
  CHECK(value_of("VmSwap:\t", "VmSwap:") == std::nullopt);
  CHECK(value_of("", "x") == std::nullopt);
  constexpr std::string_view k_pressure =
      "some avg10=0.00 avg60=0.00 avg300=0.00 total=277048558\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=12\n";
  CHECK(pressure_total(k_pressure, "some") == 277048558);
  CHECK(pressure_total(k_pressure, "full") == 12);
  CHECK(pressure_total("some", "some") == std::nullopt);
  std::string_view list = "12 345\n7 ";
  CHECK(take_pid(list) == 12);
  CHECK(take_pid(list) == 345);
  CHECK(take_pid(list) == 7);
  CHECK(take_pid(list) == 0);
}

TEST_CASE("statistics of the drives that matter, and their partitions") {
  const std::string text =
      "253 0 vda 1\n253 1 vda1 2\n253 16 vdaa 3\n259 0 nvme0n1 4\n259 1 nvme0n1p1 5\n7 0 loop0 6\n";
  CHECK(lines_of_devices(text, {}) == text);
  CHECK(lines_of_devices(text, {"vda"}) == "253 0 vda 1\n253 1 vda1 2\n");
  CHECK(lines_of_devices(text, {"nvme0n1"}) == "259 0 nvme0n1 4\n259 1 nvme0n1p1 5\n");
  CHECK(lines_of_devices(text, {"vda1"}) == "253 1 vda1 2\n");
}

TEST_CASE("a job is read, and every fault in it is named") {
  const auto job = parse_job(
      "version=1\ndirectory=/src\nuser=builder\ntimeout_ms=5000\nsample_ms=0\noutput_limit=10\nargument=sh\n"
      "argument=a\\nb\nenvironment=A=b=c\ndevice=vda\n");
  CHECK(job.directory == "/src");
  CHECK(job.user == "builder");
  CHECK(job.timeout_ms == 5000);
  CHECK(job.sample_ms == 0);
  CHECK(job.output_limit == 10);
  CHECK(job.arguments == std::vector<std::string>{"sh", "a\nb"});
  CHECK(job.environment == std::vector<std::string>{"A=b=c"});
  CHECK(job.devices == std::vector<std::string>{"vda"});
  CHECK(job.cores == 0);
  CHECK(job.nice == 0);
  const auto share = parse_job("version=1\nargument=x\ncores=2\nnice=-20\n");
  CHECK(share.cores == 2);
  CHECK(share.nice == -20);
  CHECK(parse_job("version=1\nargument=x\nnice=19\n").nice == 19);
  for (const char* broken :
       {"version=1\nargument=x\ncores=0\n", "version=1\nargument=x\nnice=20\n", "version=1\nargument=x\nnice=-21\n",
        "version=1\nargument=x\nnice=--1\n", "", "argument=x\n", "version=2\nargument=x\n", "version=1\n", "version=1\nargument=x\ntimeout_ms=0\n",
        "version=1\nargument=x\nsample_ms=5\n", "version=1\nargument=x\nsample_ms=-1\n", "version=1\nnonsense\n",
        "version=1\nargument=x\noutput_limit=99999999999\n", "version=1\nargument=x\nenvironment=A\n",
        "version=1\nargument=x\ncolour=red\n"}) {
    INFO(broken);
    CHECK_THROWS_AS(parse_job(broken), Failure);
  }
}

TEST_CASE("accounts are found in passwd and group") {
  constexpr std::string_view k_passwd = "root:x:0:0:root:/root:/bin/bash\nbob:x:1000:1001:,,,:/home/bob:\nbad:x:y:z\n";
  constexpr std::string_view k_group = "root:x:0:\nbob:x:1001:\ndisk:x:6:bob,eve\naudio:x:29:eve\nkvm:x:30:eve,bob\n";
  const auto bob = find_account(k_passwd, k_group, "bob");
  REQUIRE(bob.has_value());
  CHECK(bob->user == 1000);
  CHECK(bob->group == 1001);
  CHECK(bob->home == "/home/bob");
  CHECK(bob->groups == std::vector<gid_t>{1001, 6, 30});
  CHECK_FALSE(find_account(k_passwd, k_group, "bo").has_value());
  CHECK_FALSE(find_account(k_passwd, k_group, "bad").has_value());
  Job job;
  job.environment = {"PATH=/opt/bin", "X=1"};
  const auto environment = environment_of(job, *bob);
  CHECK(environment == std::vector<std::string>{"HOME=/home/bob", "USER=bob", "LOGNAME=bob", "SHELL=/bin/sh",
                                                "LANG=C.UTF-8", "PATH=/opt/bin", "X=1"});
}

TEST_CASE("the end of a stream is kept") {
  TailBuffer tail(4);
  CHECK(tail.text().empty());
  tail.append("ab");
  CHECK(tail.text() == "ab");
  tail.append("cd");
  CHECK(tail.text() == "abcd");
  tail.append("e");
  CHECK(tail.text() == "bcde");
  tail.append("0123456789");
  CHECK(tail.text() == "6789");
  tail.append("x");
  CHECK(tail.text() == "789x");
  CHECK(tail.total() == 16);
}

TEST_CASE("records of the kernel log") {
  CHECK(format_record("3,1234,12345678,-;I/O error, dev vda, sector 5\n SUBSYSTEM=block\n") ==
        "[   12.345678] I/O error, dev vda, sector 5");
  CHECK(format_record("6,1,7,-,caller=T1;x") == "[    0.000007] x");
  CHECK_FALSE(format_record("12,1,7,-;from user space").has_value());
  CHECK_FALSE(format_record("nonsense").has_value());
  CHECK_FALSE(format_record("a,b,c,d;x").has_value());
}

TEST_CASE("options") {
  CHECK(option_value("--size=5", "size") == "5");
  CHECK(option_value("--size=", "size") == "");
  CHECK_FALSE(option_value("--sizes=5", "size").has_value());
  CHECK_FALSE(option_value("size=5", "size").has_value());
  CHECK(to_number("18446744073709551615") == 18446744073709551615U);
  CHECK_FALSE(to_number("18446744073709551616").has_value());
  CHECK_FALSE(to_number("").has_value());
  CHECK_FALSE(to_number("1 ").has_value());
}

TEST_CASE("SplitMix64, against its published reference values") {
  // The first outputs of the generator seeded with 1234567.
  CHECK(mix(1234567) == 6457827717110365317U);
  CHECK(mix(1234567 + 0x9e3779b97f4a7c15U) == 3203168211198807973U);
}

TEST_CASE("pages are unique and recomputable") {
  const PagePattern pattern(7, 0);
  std::set<std::uint64_t> words;
  std::array<std::uint64_t, k_page_words> page;
  for (std::uint64_t number = 0; number < 20; ++number) {
    for (std::uint64_t version = 0; version < 3; ++version) {
      pattern.write(page, number, version);
      words.insert(page.begin(), page.end());
      CHECK(pattern.matches(page, number, version, number * 31));
      CHECK(pattern.matches_wholly(page, number, version));
      CHECK_FALSE(pattern.matches(page, number, version + 1, 0));
      CHECK_FALSE(pattern.matches(page, number + 1, version, 0));
    }
  }
  CHECK(words.size() == 60 * k_page_words);
  page[300] ^= 1U;
  CHECK_FALSE(pattern.matches_wholly(page, 19, 2));
  CHECK_FALSE(pattern.matches(page, 19, 2, 300));
  CHECK(pattern.matches(page, 19, 2, 301));
}

TEST_CASE("the compressible share of a page is zeros") {
  std::array<std::uint64_t, k_page_words> page;
  for (const auto& [share, zeros] : {std::pair{0.0, 0}, {0.25, 128}, {1.0, 511}}) {
    const PagePattern pattern(7, share);
    pattern.write(page, 3, 1);
    CHECK(std::count(page.begin(), page.end(), 0U) == zeros);
    CHECK(pattern.matches_wholly(page, 3, 1));
    page[511] ^= 1U;
    CHECK_FALSE(pattern.matches_wholly(page, 3, 1));
  }
}

TEST_CASE("a permutation has every number once, in an order that is not the sweep's") {
  for (const std::uint64_t count : {1U, 2U, 3U, 5U, 64U, 65U, 1000U, 4097U}) {
    Permutation order(count, 9);
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t i = 0; i < count; ++i) numbers.push_back(order.next());
    CHECK(std::set<std::uint64_t>(numbers.begin(), numbers.end()).size() == count);
    CHECK(*std::max_element(numbers.begin(), numbers.end()) == count - 1);
    if (count < 1000) continue;
    std::size_t neighbours = 0;
    for (std::size_t i = 1; i < numbers.size(); ++i) neighbours += numbers[i] == numbers[i - 1] + 1 ? 1 : 0;
    CHECK(neighbours < count / 50);
  }
  CHECK(Permutation(1000, 1).next() != Permutation(1000, 2).next());
}

TEST_CASE("rewrites happen for their share, and versions follow from them") {
  std::uint64_t count = 0;
  for (std::uint64_t page = 0; page < 10000; ++page) count += rewrites(5, page, 1, 0.3) ? 1 : 0;
  CHECK(count > 2800);
  CHECK(count < 3200);
  for (std::uint64_t page = 0; page < 200; ++page) {
    std::uint64_t version = 0;
    for (std::uint64_t pass = 1; pass <= 6; ++pass) {
      if (rewrites(5, page, pass, 0.3)) version = pass;
      CHECK(version_after(5, page, pass, 0.3) == version);
    }
    CHECK(version_after(5, page, 6, 0) == 0);
    CHECK(version_after(5, page, 6, 1) == 6);
  }
}

TEST_CASE("events are spread evenly, and all of them happen") {
  for (const auto total : {0U, 1U, 7U, 128U, 300U}) {
    std::uint64_t sum = 0;
    std::uint64_t most = 0;
    for (std::uint64_t access = 0; access < 129; ++access) {
      const auto events = events_of(access, 129, total);
      sum += events;
      most = std::max(most, events);
    }
    CHECK(sum == total);
    CHECK(most <= (total + 128) / 129);
  }
}

TEST_CASE("each piece of the files is read once before any comes again, in the order of the seed") {
  TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "b");
  write_file_durably(folder.path() / "b" / "large", std::string(100'000, 'l'));
  write_file_durably(folder.path() / "a", std::string(5000, 's'));
  write_file_durably(folder.path() / "empty", "");
  std::filesystem::create_symlink("a", folder.path() / "link");
  const auto sizes = [&](std::uint64_t seed) {
    FileReads reads(folder.path(), seed);
    std::vector<std::uint64_t> found;
    for (int i = 0; i < 6; ++i) {
      const auto before = reads.bytes();
      reads.next();
      found.push_back(reads.bytes() - before);
    }
    return found;
  };
  std::set<std::vector<std::uint64_t>> orders;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto found = sizes(seed);
    CHECK(found == sizes(seed));
    CHECK(std::vector(found.begin(), found.begin() + 3) == std::vector(found.begin() + 3, found.end()));
    CHECK(std::set(found.begin(), found.end()) == std::set<std::uint64_t>{5000, 65536, 34464});
    orders.insert(found);
  }
  CHECK(orders.size() > 1);
}

TEST_CASE("files that are not there to read are a failure") {
  TemporaryFolder folder;
  CHECK_THROWS_AS(FileReads(folder.path(), 1), Failure);
  CHECK_THROWS_AS(FileReads(folder.path() / "nosuch", 1), Failure);
  write_file_durably(folder.path() / "a", "text");
  FileReads reads(folder.path(), 1);
  std::filesystem::remove(folder.path() / "a");
  CHECK_THROWS_AS(reads.next(), Failure);
}
