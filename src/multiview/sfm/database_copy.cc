#include "multiview/sfm/database_copy.h"

#include <fmt/core.h>

#include <vector>

#include "io/sqlite/sqlite.h"

namespace octavo::sfm {
namespace {

namespace fs = std::filesystem;
using sqlite::Database;
using sqlite::Statement;

struct Entry {
  std::string name, sql;
};

// The tables, or the indexes, of a database that is attached as `original`.
std::vector<Entry> entries_of(Database& database, std::string_view type) {
  std::vector<Entry> entries;
  Statement row = database.query(
      "SELECT name, sql FROM original.sqlite_schema WHERE type = ?1 AND sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
      type);
  while (row.step()) entries.push_back({row.text(0), row.text(1)});
  return entries;
}

}  // namespace

void copy_database(const fs::path& database, const fs::path& copy,
                   const std::function<std::string_view(const std::string& table)>& rows_of) {
  Database made(copy, true, "database");
  made.run_script("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF;");
  made.run("ATTACH ?1 AS original", database.string());
  made.run_script(fmt::format("PRAGMA user_version = {}; PRAGMA application_id = {};",
                              made.number("PRAGMA original.user_version"),
                              made.number("PRAGMA original.application_id"))
                      .c_str());
  sqlite::Transaction transaction(made);
  for (const auto& [name, sql] : entries_of(made, "table")) {
    made.run(sql);
    made.run(fmt::format("INSERT INTO main.\"{0}\" SELECT * FROM original.\"{0}\" {1}", name, rows_of(name)));
  }
  for (const Entry& index : entries_of(made, "index")) made.run(index.sql);
  transaction.commit();
}

}  // namespace octavo::sfm
