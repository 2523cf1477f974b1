#include "multiview/sfm/numbered_copy.h"

#include <fmt/core.h>

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

// Which rows of a table the copy has.
std::string_view rows_of(const std::string& table) {
  if (table == "descriptors" || table == "two_view_geometries") return "WHERE 0";
  if (table == "matches") return "WHERE pair_id NOT IN (SELECT pair_id FROM original.two_view_geometries)";
  return "";
}

}  // namespace

void write_numbered_copy(const fs::path& database, const fs::path& copy) {
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
  // A number may be the name of another image.
  made.run("UPDATE images SET name = hex(randomblob(16))");
  made.run("UPDATE images SET name = image_id");
  transaction.commit();
}

void take_geometries(const fs::path& database, const fs::path& copy) {
  Database whole(database, false, "database");
  whole.run("ATTACH ?1 AS copy", copy.string());
  // A later COLMAP may have added columns to its tables.
  Statement row =
      whole.query("SELECT group_concat('\"' || name || '\"') FROM pragma_table_info('two_view_geometries')");
  row.step();
  whole.run(
      fmt::format("INSERT OR REPLACE INTO main.two_view_geometries ({0}) "
                  "SELECT {0} FROM copy.two_view_geometries",
                  row.text(0)));
}

}  // namespace octavo::sfm
