#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace octavo::jobs {

/// The copy of a model's database, FOLDER/database.db, to which photographs are added. FOLDER/model.json says of which
/// database it is. A new copy has another name until it is kept, and goes with the object otherwise. Throws
/// Error(file_error).
class ModelCopy {
 public:
  /// Makes the copy, or takes the one that is there. `digest` is that of the database's bytes (content_digest). Refuses
  /// a database that another program has open, and a copy of another database.
  ModelCopy(const std::filesystem::path& database, const std::filesystem::path& folder, const std::string& digest);
  ~ModelCopy();
  ModelCopy(const ModelCopy&) = delete;
  ModelCopy& operator=(const ModelCopy&) = delete;

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  /// The largest image_id of the model's database; photographs have larger ones.
  [[nodiscard]] std::int64_t last_image() const { return last_image_; }
  /// Gives the copy its name.
  void keep();

 private:
  ModelCopy(const std::filesystem::path& folder, const std::string& digest);

  std::filesystem::path folder_, file_;
  std::string digest_;
  std::int64_t last_image_ = 0;
  bool is_kept_ = false;
};

}  // namespace octavo::jobs
