#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "base/files.hpp"
#include "sample_rows.hpp"
#include "store/database.hpp"
#include "store/store.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::testing;
using store::Store;
using store::StoreError;

namespace {

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const StoreError& error) {
    CHECK(error.code() == ExitCode::host_not_fit);
    return error.what();
  }
  return "";
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A store with one batch and one run, changed by another program.
void change(const std::filesystem::path& folder, const std::string& sql) {
  {
    Store store(folder);
    store.add_batch(sample_batch());
    store.record(sample_run("r1"));
  }
  SQLite::Database database((folder / "results.db").string(), SQLite::OPEN_READWRITE);
  database.exec(sql);
}

}  // namespace

TEST_CASE("a store of a newer schema is refused, naming both versions") {
  const TemporaryFolder folder;
  change(folder.path(), "PRAGMA user_version = 99");
  for (const bool read_only : {false, true}) {
    const auto message = message_of([&] { Store(folder.path(), read_only); });
    CHECK(holds(message, (folder.path() / "results.db").string()));
    CHECK(holds(message, "schema 99"));
    CHECK(holds(message, "up to " + std::to_string(Store::k_schema_version)));
    CHECK(holds(message, "--state"));
  }
}

TEST_CASE("an old schema is not touched by a reader") {
  const TemporaryFolder folder;
  change(folder.path(), "PRAGMA user_version = 0");
  CHECK(holds(message_of([&] { Store(folder.path(), true); }), "old schema 0"));
}

TEST_CASE("a file of another program is refused and left alone") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "results.db";
  SECTION("SQLite, but not ours") {
    SQLite::Database other(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    other.exec("CREATE TABLE songs (name TEXT)");
  }
  SECTION("no SQLite at all") { std::ofstream(file) << std::string(5000, 'x'); }
  const auto before = read_file(file);
  for (const bool read_only : {false, true}) {
    const auto message = message_of([&] { Store(folder.path(), read_only); });
    CHECK(holds(message, file.string()));
    CHECK(holds(message, "--state"));
  }
  CHECK(read_file(file) == before);
}

TEST_CASE("a file that was cut off while being made is made anew") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "results.db") << "";
  CHECK(Store(folder.path(), true).experiments().empty());
  Store store(folder.path());
  store.add_batch(sample_batch());
  CHECK(store.experiments().size() == 1);
}

TEST_CASE("damage inside is an error that names the file, never an empty answer") {
  const TemporaryFolder folder;
  const auto damaged = [&](const std::string& sql) {
    change(folder.path(), sql);
    Store store(folder.path());
    const auto message = message_of([&] { store.runs("b1"); });
    CHECK(holds(message, (folder.path() / "results.db").string()));
    return message;
  };
  SECTION("evidence that cannot be unpacked") {
    CHECK(holds(damaged("UPDATE evidence SET json = x'00'"), "cannot be unpacked"));
  }
  SECTION("evidence that claims to be huge") {
    CHECK(holds(damaged("UPDATE evidence SET size = 1000000000000"), "cannot be unpacked"));
  }
  SECTION("an unknown codec") { CHECK(holds(damaged("UPDATE evidence SET codec = 'new'"), "unknown codec new")); }
  SECTION("reasons that are no JSON") { CHECK(holds(damaged("UPDATE runs SET reasons = '['"), "reasons")); }
  SECTION("reasons of another form") { CHECK(holds(damaged("UPDATE runs SET reasons = '[1]'"), "damaged")); }
  SECTION("a time that is none") { CHECK(holds(damaged("UPDATE runs SET started = 'today'"), "damaged")); }
  SECTION("a table that is gone") { CHECK(holds(damaged("DROP TABLE evidence"), "no such table")); }
  SECTION("pages overwritten") {
    change(folder.path(), "VACUUM");
    const auto file = folder.path() / "results.db";
    const auto size = std::filesystem::file_size(file);
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(4096);
    stream << std::string(static_cast<std::size_t>(size) - 4096, '\xA5');
    stream.close();
    const auto message = message_of([&] { Store(folder.path()).runs("b1"); });
    CHECK(holds(message, file.string()));
    CHECK(holds(message, "damaged"));
  }
}

TEST_CASE("a folder that cannot be made or written is said in plain words") {
  const TemporaryFolder folder;
  SECTION("in /proc") {
    const auto message = message_of([] { Store("/proc/swaprig/state"); });
    CHECK(holds(message, "/proc/swaprig"));
    CHECK(holds(message, "--state"));
  }
  SECTION("a file in its place") {
    std::ofstream(folder.path() / "state") << "x";
    CHECK(holds(message_of([&] { Store(folder.path() / "state"); }), (folder.path() / "state").string()));
  }
  SECTION("a folder in the file's place") {
    std::filesystem::create_directory(folder.path() / "results.db");
    CHECK(holds(message_of([&] { Store(folder.path()); }), "no regular file"));
    CHECK(holds(message_of([&] { Store(folder.path(), true); }), "no regular file"));
  }
}

TEST_CASE("without a file a reader sees an empty store and makes none") {
  const TemporaryFolder folder;
  Store store(folder.path() / "state", true);
  CHECK(store.experiments().empty());
  CHECK_THROWS_AS(store.find_run("r"), UsageError);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "state"));
}

TEST_CASE("a reader does not write") {
  const TemporaryFolder folder;
  { Store(folder.path()).add_batch(sample_batch()); }
  Store store(folder.path(), true);
  CHECK(holds(message_of([&] { store.add_batch(sample_batch("b2")); }), "may not be written"));
  CHECK(store.experiments().size() == 1);
}

TEST_CASE("a write that the file system refuses is an error, and what was there stays") {
  const TemporaryFolder folder;
  { Store(folder.path()).add_batch(sample_batch()); }
  const auto child = ::fork();
  if (child == 0) {
    Store store(folder.path());
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int status = 1;
    try {
      for (int i = 0; i < 100; ++i) store.record(sample_run("r" + std::to_string(i), i));
    } catch (const StoreError& error) {
      status = holds(error.what(), "store run r") && holds(error.what(), "results.db") ? 0 : 2;
    }
    ::_exit(status);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  Store store(folder.path());
  CHECK(store.batch("b1").has_value());
  store.record(sample_run("later"));
  CHECK(store.find_run("later").state == run::State::valid);
}

TEST_CASE("SQLite's codes are explained") {
  const auto words = [](int code) {
    return std::string(store::explained("store run r1", "/s/results.db", code, "w").what());
  };
  CHECK(words(SQLITE_FULL) ==
        "cannot store run r1 in /s/results.db: the disk is full; make room and run the same command again (SQLite: w)");
  CHECK(holds(words(SQLITE_BUSY), "another process holds it"));
  CHECK(holds(words(SQLITE_BUSY_SNAPSHOT), "another process holds it"));
  CHECK(holds(words(SQLITE_LOCKED), "another process holds it"));
  CHECK(holds(words(SQLITE_READONLY_DIRECTORY), "may not be written"));
  CHECK(holds(words(SQLITE_IOERR_FSYNC), "the disk refused it"));
  CHECK(holds(words(SQLITE_CORRUPT), "damaged"));
  CHECK(holds(words(SQLITE_NOTADB), "no SQLite file"));
  CHECK(holds(words(SQLITE_MISMATCH), "(SQLite: w)"));
}

TEST_CASE("the file is set for durability") {
  const TemporaryFolder folder;
  const auto database = store::open_database(folder.path(), false);
  CHECK(database->execAndGet("PRAGMA journal_mode").getString() == "wal");
  CHECK(database->execAndGet("PRAGMA synchronous").getInt() == 2);  // FULL
  CHECK(database->execAndGet("PRAGMA foreign_keys").getInt() == 1);
  CHECK(database->execAndGet("PRAGMA user_version").getInt() == Store::k_schema_version);
  CHECK(database->execAndGet("PRAGMA busy_timeout").getInt() > 0);
}

TEST_CASE("a store of the first schema is brought up to date, and its batches stay") {
  const TemporaryFolder folder;
  { Store(folder.path()).add_batch(testing::sample_batch()); }
  {
    SQLite::Database old((folder.path() / "results.db").string(), SQLite::OPEN_READWRITE);
    old.exec("ALTER TABLE batches DROP COLUMN profiles");
    old.exec("ALTER TABLE batches DROP COLUMN quick");
    old.exec("PRAGMA user_version = 1");
  }
  CHECK_THROWS_AS(Store(folder.path(), true), StoreError);
  Store store(folder.path());
  const auto batch = store.batch("b1");
  REQUIRE(batch);
  CHECK(batch->toml == testing::sample_batch().toml);
  CHECK(batch->profiles.empty());
  CHECK_FALSE(batch->quick);
}
