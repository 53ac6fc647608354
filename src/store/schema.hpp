#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

namespace swaprig::store {

/// Throws StoreError when the file is another program's or of a newer schema than ours. Writes nothing.
void require_known_schema(SQLite::Database& database, const std::filesystem::path& path);

/// The same, and for an older schema, which only a writer brings up to date. Writes nothing.
void require_newest_schema(SQLite::Database& database, const std::filesystem::path& path);

/// Brings the file to the newest schema, one step and one transaction a version.
void bring_up_to_date(SQLite::Database& database, const std::filesystem::path& path);

/// Whether nothing was ever written to it (a new file, or one that was cut off while being made).
bool is_blank(SQLite::Database& database);

}  // namespace swaprig::store
