#include "image/initrd.hpp"

#include <charconv>
#include <string>
#include <vector>

#include "image/cpio.hpp"
#include "image/image_store.hpp"
#include "support/catch.hpp"

using namespace swaprig::image;

namespace {

struct Entry {
  std::string name;
  unsigned mode = 0;
  unsigned major = 0;
  unsigned minor = 0;
  std::string content;
};

unsigned field(const std::string& archive, std::size_t start, std::size_t number) {
  unsigned value = 0;
  const char* text = archive.data() + start + 6 + number * 8;
  std::from_chars(text, text + 8, value, 16);
  return value;
}

/// All entries of archives that follow each other, as the kernel reads them.
std::vector<Entry> read_cpio(const std::string& archive) {
  std::vector<Entry> entries;
  std::size_t at = 0;
  while (at < archive.size()) {
    if (archive[at] == '\0') {
      ++at;
      continue;
    }
    REQUIRE(at % 4 == 0);
    REQUIRE(archive.compare(at, 6, "070701") == 0);
    const auto name_size = field(archive, at, 11);
    const auto size = field(archive, at, 6);
    Entry entry{archive.substr(at + 110, name_size - 1),
                field(archive, at, 1),
                field(archive, at, 9),
                field(archive, at, 10),
                {}};
    REQUIRE(archive[at + 110 + name_size - 1] == '\0');
    at = (at + 110 + name_size + 3) / 4 * 4;
    entry.content = archive.substr(at, size);
    at = (at + size + 3) / 4 * 4;
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

TEST_CASE("one file in a newc archive, byte by byte") {
  CpioWriter cpio;
  cpio.file("a", 0640, "xyz");
  const std::string header =
      "070701"
      "00000001"
      "000081A0"
      "00000000"
      "00000000"
      "00000001"
      "00000000"
      "00000003"
      "00000000"
      "00000000"
      "00000000"
      "00000000"
      "00000002"
      "00000000";
  const auto archive = cpio.finish();
  CHECK(archive.substr(0, 110) == header);
  CHECK(archive.substr(110, 2) == std::string("a\0", 2));
  CHECK(archive.substr(112, 4) == std::string("xyz\0", 4));
  CHECK(archive.substr(116, 6) == "070701");
  CHECK(archive.size() % 512 == 0);
}

TEST_CASE("the same content gives the same archive, and a writer starts anew") {
  CpioWriter cpio;
  cpio.file("a", 0644, "1");
  const auto first = cpio.finish();
  cpio.file("a", 0644, "1");
  CHECK(cpio.finish() == first);
}

TEST_CASE("modules lie in the initrd in the order of loading, with a list of it") {
  const auto entries = read_cpio(module_initrd({{"virtio", "VV"}, {"virtio_blk", "BBBBB"}}));
  REQUIRE(entries.size() == 5);
  CHECK(entries[0].name == "modules");
  CHECK(entries[0].mode == 040755);
  CHECK(entries[1].name == "modules/virtio.ko");
  CHECK(entries[2].content == "BBBBB");
  CHECK(entries[3].name == "modules.list");
  CHECK(entries[3].content == "/modules/virtio.ko\n/modules/virtio_blk.ko\n");
  CHECK(entries[4].name == "TRAILER!!!");
}

TEST_CASE("the probe is put behind the modules as init") {
  const auto modules = module_initrd({{"virtio", "VV"}});
  const auto initrd = initrd_with_probe(modules, "PROBE");
  CHECK(initrd.starts_with(modules));
  const auto entries = read_cpio(initrd);
  const auto find = [&](const std::string& name) {
    for (const auto& entry : entries) {
      if (entry.name == name) return entry;
    }
    return Entry{};
  };
  CHECK(find("modules/virtio.ko").content == "VV");
  CHECK(find("init").mode == 0100755);
  CHECK(find("init").content == "PROBE");
  CHECK(find("dev/console").mode == 020600);
  CHECK(find("dev/console").major == 5);
  CHECK(find("dev/console").minor == 1);
  for (const char* folder : {"dev", "proc", "sys", "newroot"}) CHECK(find(folder).mode == 040755);

  SECTION("also when the first archive has an odd length") {
    CHECK(read_cpio(initrd_with_probe(modules + std::string(3, '\0'), "P")).size() == entries.size());
  }
}
