// The note is written before the copy gets its name, so a database in the folder has one.

#include "jobs/model_copy.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>

#include "io/files/output_file.h"
#include "io/json/json.h"
#include "io/results/json_file.h"
#include "multiview/colmap/file_replacement.h"
#include "multiview/sfm/match_graph.h"
#include "octavo/error.h"

namespace octavo::jobs {
namespace {

namespace fs = std::filesystem;

constexpr auto copy_name = "database.db", model_note_name = "model.json";

[[noreturn]] void refuse_copy(const std::string& sentence) { throw Error(ErrorCode::file_error, sentence); }

void copy_database(const fs::path& from, const fs::path& to) {
  if (fs::exists(from.string() + "-wal")) {
    refuse_copy(
        fmt::format("another program has the database '{}' open; call again when that has ended", from.string()));
  }
  std::error_code failure;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, failure);
  if (!failure) fs::permissions(to, fs::perms::owner_write, fs::perm_options::add, failure);
  if (failure) {
    refuse_copy(fmt::format("cannot copy '{}' to '{}': {}", from.string(), to.string(), failure.message()));
  }
}

}  // namespace

ModelCopy::ModelCopy(const fs::path& folder, const std::string& digest)
    : folder_(folder), file_(folder / copy_name), digest_(digest) {}

// The object is whole before, so that what fails here ends it.
ModelCopy::ModelCopy(const fs::path& database, const fs::path& folder, const std::string& digest)
    : ModelCopy(folder, digest) {
  is_kept_ = fs::exists(file_);
  if (is_kept_) {
    const fs::path note = folder / model_note_name;
    const auto is_of_model = [&](const Json& json) {
      last_image_ = json.at("last_image").get<std::int64_t>();
      return json.at("model_digest").get<std::string>() == digest;
    };
    if (!fs::is_regular_file(note) || !read_json_file(note, is_of_model)) {
      refuse_copy(fmt::format("'{}' is not of this model, or the model has changed since: give another folder",
                              file_.string()));
    }
    return;
  }
  make_folder(folder);
  file_ = folder / ".database.db.copy";
  copy_database(database, file_);
  last_image_ = std::ranges::max(sfm::read_match_graph(file_).numbers);
}

ModelCopy::~ModelCopy() {
  if (is_kept_) return;
  std::error_code unknown;
  colmap::remove_database(file_);
  fs::remove(folder_, unknown);  // if nothing else is in it
}

void ModelCopy::keep() {
  if (is_kept_) return;
  const Json note{{"octavo_model", 1}, {"model_digest", digest_}, {"last_image", last_image_}};
  write_file(folder_ / model_note_name, json_text(note) + "\n");
  colmap::settle(file_);
  fs::rename(file_, folder_ / copy_name);
  file_ = folder_ / copy_name;
  is_kept_ = true;
}

}  // namespace octavo::jobs
