// The note is written before the copy gets its name, so a database in the folder has one.

#include "jobs/model_copy.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>

#include "io/files/output_file.h"
#include "io/files/read_bytes.h"
#include "io/json/json.h"
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

Json note_in(const fs::path& folder) {
  const fs::path file = folder / model_note_name;
  return fs::is_regular_file(file) ? shallow_json(io::read_text(file)) : Json();
}

}  // namespace

ModelCopy::ModelCopy(const fs::path& folder, const std::string& digest)
    : folder_(folder), file_(folder / copy_name), digest_(digest) {}

// The object is whole before, so that what fails here ends it.
ModelCopy::ModelCopy(const fs::path& database, const fs::path& folder, const std::string& digest)
    : ModelCopy(folder, digest) {
  is_kept_ = fs::exists(file_);
  if (is_kept_) {
    const Json note = note_in(folder);
    if (note.value("model_digest", std::string()) != digest) {
      refuse_copy(fmt::format("'{}' is not of this model, or the model has changed since: give another folder",
                              file_.string()));
    }
    last_image_ = note.value("last_image", std::int64_t{0});
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
