#include "multiview/sfm/numbered_copy.h"

#include <fmt/core.h>

#include "io/sqlite/sqlite.h"
#include "multiview/sfm/database_copy.h"

namespace octavo::sfm {
namespace {

namespace fs = std::filesystem;
using sqlite::Database;
using sqlite::Statement;

// Which rows of a table the copy has.
std::string_view rows_of(const std::string& table) {
  if (table == "descriptors" || table == "two_view_geometries") return "WHERE 0";
  if (table == "matches") return "WHERE pair_id NOT IN (SELECT pair_id FROM original.two_view_geometries)";
  return "";
}

}  // namespace

void write_numbered_copy(const fs::path& database, const fs::path& copy) {
  copy_database(database, copy, rows_of);
  Database made(copy, false, "database");
  sqlite::Transaction transaction(made);
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
