#pragma once

// How a finished database gets its name. A file of this name may be open in other programs. If it were renamed over,
// they would go on to write to a file without a name, and what they write would be lost. So its content is replaced, in
// a transaction of SQLite. Other programs wait for it, and then see the new content.

#include <filesystem>
#include <string>

namespace octavo::colmap {

/// What tells that a database has not changed since: its size and time, and those of its write-ahead log, in which may
/// be what was added last. Empty if there is none.
std::string stamp_of(const std::filesystem::path& file);

/// Lets SQLite take back what a killed program has left half written, and put its write-ahead log into the file, where
/// no other program has it open. Waits for a program that is in the middle of a transaction. Throws Error(file_error).
void settle(const std::filesystem::path& file);

/// Makes the database `whole` the content of `file`, and removes it. If `stamp` is empty, there is no such file, and it
/// is renamed. A file of the same bytes stays. Throws Error(file_error) if the file has not this stamp, or another
/// process keeps it locked; both files are then as they were.
void replace(const std::filesystem::path& file, const std::string& stamp, const std::filesystem::path& whole);

/// Removes a database and its logs.
void remove_database(const std::filesystem::path& file);

}  // namespace octavo::colmap
