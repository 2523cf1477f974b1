#pragma once

// Copies of a COLMAP database that a mapper works on, so that the database stays as it is.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace octavo::sfm {

/// Copies a database to `copy`, which must not exist, but for the rows of a table that `rows_of` leaves out: it gives
/// an SQL clause such as "WHERE 0", or nothing for all rows. Throws Error(file_error).
void copy_database(const std::filesystem::path& database, const std::filesystem::path& copy,
                   const std::function<std::string_view(const std::string& table)>& rows_of);

}  // namespace octavo::sfm
