#include "image/file_system.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::image;

namespace {

const std::string k_digest = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

}  // namespace

TEST_CASE("little besides the files has to be poured, whatever the size of the drive") {
  const auto eight = plan_file_system("x", k_digest, mib(90), 2700, gib(8));
  CHECK(eight.inodes == 131072);
  CHECK(eight.journal == mib(16));
  CHECK(eight.uuid == "00112233-4455-6677-8899-aabbccddeeff");

  const auto large = plan_file_system("x", k_digest, mib(90), 2700, Bytes{2000398934016});
  CHECK(large.inodes == 262144);
  CHECK(large.size.count % 4096 == 0);
}

TEST_CASE("an image with many files gets as many inodes as it needs") {
  CHECK(plan_file_system("x", k_digest, mib(90), 50000, mib(512)).inodes == 54096);
  CHECK(plan_file_system("x", k_digest, gib(9), 400000, gib(64)).inodes == 800000);
}

TEST_CASE("an image that is too large for the partition is refused with both sizes") {
  try {
    plan_file_system("big", k_digest, gib(2), 1000, gib(2));
    FAIL("it was taken");
  } catch (const HostError& error) {
    const std::string words = error.what();
    CHECK(words.find("big") != std::string::npos);
    CHECK(words.find("partition of 2.00 GiB") != std::string::npos);
    CHECK(words.find("need 2.02") != std::string::npos);
  }
  CHECK_THROWS_AS(plan_file_system("x", k_digest, Bytes{0}, 0, Bytes{0}), HostError);
}

TEST_CASE("ext4 has nothing left to do after it was mounted") {
  const auto plan = plan_file_system("x", k_digest, mib(90), 2700, gib(8));
  const auto command = mke2fs_command(plan, "/tree", "/file");
  const auto& words = command.arguments;
  const auto extended = std::find_if(words.begin(), words.end(),
                                     [](const auto& word) { return word.starts_with("lazy_itable_init=0,"); });
  REQUIRE(extended != words.end());
  CHECK(extended->find("lazy_journal_init=0") != std::string::npos);
  CHECK(extended->find("packed_meta_blocks=1") != std::string::npos);
  CHECK(words.back() == "2097152");
  CHECK(std::find(words.begin(), words.end(), "-m") + 1 != words.end());
}
