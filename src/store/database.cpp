#include "store/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/statvfs.h>

#include <system_error>

#include "base/files.hpp"
#include "store/schema.hpp"

namespace swaprig::store {

namespace {

namespace fs = std::filesystem;

/// Two swaprigs on one state folder write for milliseconds; longer means that something holds the file.
constexpr int k_busy_ms = 5000;

constexpr int k_primary_code = 0xff;  // the extended codes of SQLite are above it

/// A path in a file: URI.
std::string percent_encoded(const std::string& path) {
  std::string text;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-_.~").find(c) != std::string_view::npos;
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return text;
}

/// SQLite calls it an I/O error when even a reader finds no room for the log's index.
bool is_full(const std::filesystem::path& path) {
  struct statvfs system {};
  constexpr std::uint64_t k_needed = 64 << 10;  // the smallest index and a page of log
  return ::statvfs(path.parent_path().c_str(), &system) == 0 && system.f_bavail * system.f_frsize < k_needed;
}

std::unique_ptr<SQLite::Database> open_in_memory() {
  auto database = std::make_unique<SQLite::Database>(":memory:", SQLite::OPEN_READWRITE);
  bring_up_to_date(*database, ":memory:");
  return database;
}

/// A reader of a write-ahead log needs to make files beside the database. In a folder that we may not write, and with
/// no log left, the file alone is the whole truth.
std::unique_ptr<SQLite::Database> open_to_read(const fs::path& path) {
  auto database = std::make_unique<SQLite::Database>(path.string(), SQLite::OPEN_READONLY, k_busy_ms);
  try {
    static_cast<void>(is_blank(*database));
    return database;
  } catch (const SQLite::Exception& error) {
    if (error.getErrorCode() != SQLITE_CANTOPEN || fs::exists(path.string() + "-wal")) throw;
  }
  return std::make_unique<SQLite::Database>("file:" + percent_encoded(path.string()) + "?immutable=1",
                                            SQLite::OPEN_READONLY | SQLite::OPEN_URI, k_busy_ms);
}

std::unique_ptr<SQLite::Database> read_only_database(const fs::path& path) {
  if (!fs::exists(path)) return open_in_memory();
  auto database = open_to_read(path);
  if (is_blank(*database)) return open_in_memory();
  require_newest_schema(*database, path);
  return database;
}

std::unique_ptr<SQLite::Database> writable_database(const fs::path& folder, const fs::path& path) {
  make_folders(folder);
  const bool is_new = !fs::exists(path);
  auto database =
      std::make_unique<SQLite::Database>(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, k_busy_ms);
  require_known_schema(*database, path);  // a file of others stays as it is
  database->exec("PRAGMA journal_mode = WAL");
  database->exec("PRAGMA synchronous = FULL");
  database->exec("PRAGMA foreign_keys = ON");
  bring_up_to_date(*database, path);
  if (is_new) sync_folder(folder);
  return database;
}

}  // namespace

std::unique_ptr<SQLite::Database> open_database(const fs::path& folder, bool read_only) {
  const auto path = folder / "results.db";
  std::error_code unknown;
  if (fs::exists(path, unknown) && !fs::is_regular_file(path, unknown)) {
    throw StoreError(fmt::format(
        "cannot open the results in {}: it is no regular file; move it away or use another --state", path.string()));
  }
  try {
    return guarded("open the results", path,
                   [&] { return read_only ? read_only_database(path) : writable_database(folder, path); });
  } catch (const StoreError&) {
    throw;
  } catch (const HostError& error) {
    throw StoreError(fmt::format("cannot open the results in {}: {}; make it writable or use another --state",
                                 folder.string(), error.what()));
  }
}

StoreError explained(const std::string& doing, const fs::path& path, int code, const std::string& words) {
  const auto message = [&](const char* why) {
    return StoreError(fmt::format("cannot {} in {}: {} (SQLite: {})", doing, path.string(), why, words));
  };
  switch (code & k_primary_code) {
    case SQLITE_FULL:
      return message("the disk is full; make room and run the same command again");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return message("another process holds it; wait until it has ended and try again");
    case SQLITE_NOTADB:
      return message("it is no SQLite file; restore it from a backup or use another --state");
    case SQLITE_CORRUPT:
      return message("the file is damaged; restore it from a backup, or see what sqlite3's .recover can save");
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return message("it may not be written; change its owner or mode, or use another --state");
    case SQLITE_CANTOPEN:
      return message("it cannot be opened; look at the folder's owner and mode");
    case SQLITE_IOERR:
      if (is_full(path)) return message("the disk is full; make room and run the same command again");
      return message("the disk refused it; look at the kernel's messages and at quotas");
    default:
      return message("SQLite refused it");
  }
}

}  // namespace swaprig::store
