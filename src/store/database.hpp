#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

#include <filesystem>
#include <memory>
#include <string>

#include "store/store.hpp"

namespace swaprig::store {

/// Opens FOLDER/results.db with the settings that durability needs, at the newest schema. Throws StoreError.
/// Read-only and without a file: an empty database in memory, so that lists are empty instead of an error.
std::unique_ptr<SQLite::Database> open_database(const std::filesystem::path& folder, bool read_only);

/// SQLite's error in plain words: what failed, on which file, why, what to try.
StoreError explained(const std::string& doing, const std::filesystem::path& path, int code, const std::string& words);

/// Runs an action; whatever SQLite, JSON or a value in a row complains about becomes a StoreError that names the file.
template <typename Action>
auto guarded(const std::string& doing, const std::filesystem::path& path, Action&& action) {
  try {
    return action();
  } catch (const SQLite::Exception& error) {
    throw explained(doing, path, error.getErrorCode(), error.what());
  } catch (const UsageError&) {
    throw;
  } catch (const HostError&) {
    throw;
  } catch (const std::exception& error) {
    throw StoreError("cannot " + doing + " in " + path.string() + ": a row is damaged (" + error.what() +
                     "); restore the file from a backup, or use another --state");
  }
}

}  // namespace swaprig::store
