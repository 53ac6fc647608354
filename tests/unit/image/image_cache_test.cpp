#include "image/image_cache.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <thread>

#include "base/error.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::image;

namespace {

namespace fs = std::filesystem;

const std::string k_key = "quick-0123456789ab";

struct World {
  TemporaryFolder folder;
  SystemCommandRunner commands;
  SystemClock clock;
  ImageCache cache{folder.path(), commands, clock};

  std::vector<std::string> folders() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder.path() / "images")) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }
};

Manifest small_manifest() {
  Manifest manifest;
  manifest.name = "quick";
  manifest.digest = "0123456789ab" + std::string(52, '0');
  return manifest;
}

Manifest build(const fs::path& folder) {
  std::ofstream(folder / "content") << "whole";
  return small_manifest();
}

void silent(const std::string&) {}

/// A process that is killed with SIGKILL in the middle of a build.
void kill_a_builder(ImageCache& cache) {
  std::array<int, 2> ready{};
  REQUIRE(::pipe(ready.data()) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    cache.ensure(
        k_key,
        [&](const fs::path& folder) {
          std::ofstream(folder / "content") << "half";
          static_cast<void>(!::write(ready[1], "x", 1));
          for (;;) ::pause();
          return small_manifest();
        },
        silent);
    ::_exit(1);
  }
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(ready[0]);
  ::close(ready[1]);
}

}  // namespace

TEST_CASE("an image is built once") {
  World world;
  int builds = 0;
  const auto counting = [&](const fs::path& folder) {
    ++builds;
    return build(folder);
  };
  CHECK(world.cache.ensure(k_key, counting, silent) == small_manifest());
  CHECK(world.cache.ensure(k_key, counting, silent) == small_manifest());
  CHECK(builds == 1);
  CHECK(read_file(world.cache.folder(k_key) / "content") == "whole");
  CHECK(world.cache.keys() == std::vector<std::string>{k_key});
}

TEST_CASE("a failed build leaves nothing") {
  World world;
  const auto fails = [](const fs::path& folder) -> Manifest {
    std::ofstream(folder / "content") << "half";
    throw HostError("no network");
  };
  CHECK_THROWS_AS(world.cache.ensure(k_key, fails, silent), HostError);
  CHECK(world.folders().empty());
}

TEST_CASE("a builder that was killed leaves nothing half-done") {
  World world;
  kill_a_builder(world.cache);
  REQUIRE(world.folders().size() == 1);
  CHECK(world.folders().front().starts_with(k_key + ".building-"));
  CHECK(world.cache.keys().empty());

  SECTION("the next call builds anew and removes what is left") {
    world.cache.ensure(k_key, build, silent);
    CHECK(world.folders() == std::vector<std::string>{k_key});
    CHECK(read_file(world.cache.folder(k_key) / "content") == "whole");
  }
  SECTION("so does the next build of another image") {
    world.cache.ensure("other-0123456789ab", build, silent);
    CHECK(world.folders() == std::vector<std::string>{"other-0123456789ab"});
  }
}

TEST_CASE("the folder of a living builder is left alone, and others wait for it") {
  World world;
  auto lock = std::make_optional(world.cache.lock_for_building(k_key, silent));
  fs::create_directories(world.folder.path() / "images" / (k_key + ".building-1"));
  world.cache.ensure("other-0123456789ab", build, silent);
  CHECK(world.folders().size() == 2);

  std::string told;
  std::thread waiting([&] { world.cache.ensure(k_key, build, [&](const std::string& line) { told = line; }); });
  while (fs::is_empty(world.folder.path() / "locks")) std::this_thread::yield();
  CHECK_FALSE(world.cache.manifest(k_key));
  lock.reset();
  waiting.join();
  CHECK(world.cache.manifest(k_key));
  CHECK((told.empty() || told.find("waiting for another swaprig") == 0));
}

TEST_CASE("an image in use or being built is not removed") {
  World world;
  world.cache.ensure(k_key, build, silent);
  {
    const auto in_use = world.cache.use(k_key);
    const auto also_in_use = world.cache.use(k_key);
    CHECK_THROWS_AS(world.cache.remove(k_key), UsageError);
  }
  {
    const auto building = world.cache.lock_for_building(k_key, silent);
    CHECK_THROWS_AS(world.cache.remove(k_key), UsageError);
  }
  CHECK(world.cache.manifest(k_key));
  world.cache.remove(k_key);
  CHECK(world.folders().empty());
}

TEST_CASE("names that no file could have stay apart in the cache") {
  const std::string digest(64, 'f');
  CHECK(ImageCache::key("quick", digest) == "quick-ffffffffffff");
  CHECK(ImageCache::key("../Quick Ü", digest).find('/') == std::string::npos);
  CHECK(ImageCache::key("a b", digest) != ImageCache::key("a-b", digest));
}
