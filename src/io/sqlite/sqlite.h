#pragma once

// The part of SQLite's C interface that Octavo needs, with owners for what it opens and exceptions for its
// errors.

#include <sqlite3.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace octavo::sqlite {

/// A prepared statement with its values. Rows are read one after the other.
class Statement {
 public:
  Statement(sqlite3* database, const std::string& name, std::string_view sql);

  void bind(std::int64_t value);
  void bind(double value);
  void bind(std::string_view value);
  void bind(std::span<const std::byte> value);  ///< a blob, which must outlive the last step
  template <class Value>
  void bind(const std::optional<Value>& value) {
    if (value) return bind(*value);
    bind_null();
  }

  /// Goes to the next row. False: there is none; a statement that changes something has been done.
  bool step();

  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double number(int column) const;
  [[nodiscard]] std::string text(int column) const;
  /// A blob, valid until the next step.
  [[nodiscard]] std::span<const std::byte> blob(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };

  void bind_null();
  void check(int result) const;

  sqlite3* database_;
  const std::string& name_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int bound_ = 0;
};

/// An open database. It is used by one thread at a time. All functions throw Error(file_error), which names the file.
class Database {
 public:
  /// Opens a database, or makes an empty one if there is none and `make` says so. A process that finds it locked by
  /// another waits up to `patience`. `what` is what errors call it: "catalogue".
  Database(const std::filesystem::path& file, bool make, std::string_view what,
           std::chrono::milliseconds patience = std::chrono::minutes(1));
  /// Errors name this file from now on: that of which this one is a copy.
  void call(std::string_view what, const std::filesystem::path& file);
  /// Opens a database that exists, and is only read.
  static Database to_read(const std::filesystem::path& file, std::string_view what);
  /// The same for a folder that this process may not write to. SQLite reads no database there that other processes
  /// write with a log (use_write_ahead_log), unless one of them is at work. So this reads a copy in memory of the file
  /// as it is now.
  static Database to_read_only_folder(const std::filesystem::path& file, std::string_view what);

  /// A statement with values for its parameters ?1, ?2, ….
  template <class... Values>
  [[nodiscard]] Statement query(std::string_view sql, const Values&... values) {
    Statement statement(database_.get(), name_, sql);
    (statement.bind(values), ...);
    return statement;
  }
  /// Does a statement that gives no rows, and returns the number of rows that it changed.
  template <class... Values>
  std::int64_t run(std::string_view sql, const Values&... values) {
    query(sql, values...).step();
    return sqlite3_changes64(database_.get());
  }
  /// Does statements that are separated by semicolons.
  void run_script(const char* sql);
  /// The one whole number that a statement gives.
  std::int64_t number(std::string_view sql) {
    Statement statement = query(sql);
    statement.step();
    return statement.integer(0);
  }
  [[nodiscard]] std::int64_t last_id() const { return sqlite3_last_insert_rowid(database_.get()); }

  /// Replaces the content by that of another database, in one transaction: other connections see the old content or the
  /// new one. `may_replace` is asked when no other process can write any more. Returns false, and nothing is changed,
  /// if its answer is false, or if the file has lost its name to another one. Waits for other processes up to
  /// `patience`.
  bool replace(Database& by, const std::function<bool()>& may_replace);

  /// Lets readers and a writer work at a time, and makes every change durable before it is reported as done.
  void use_write_ahead_log();

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };

  Database(int access, const std::filesystem::path& file, std::string_view what, std::chrono::milliseconds patience);
  explicit Database(std::string name) : name_(std::move(name)), patience_(0) {}
  void check(int result) const;
  [[nodiscard]] bool has_name() const;

  std::string name_;  ///< with what it is
  std::chrono::milliseconds patience_;
  std::unique_ptr<sqlite3, Close> database_;
};

/// For reading: all that is read is of one moment. For writing: everything between the construction and `commit`
/// happens or nothing does, and no other process writes meanwhile.
class Transaction {
 public:
  enum class Kind { read, write };

  explicit Transaction(Database& database, Kind kind = Kind::write) : database_(database) {
    database_.run(kind == Kind::read ? "BEGIN" : "BEGIN IMMEDIATE");
  }
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool done_ = false;
};

}  // namespace octavo::sqlite
