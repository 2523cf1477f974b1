// The inspect.json in the folder may come from another program, and the folder may contain any files. So a name is
// trusted only if an inspection could have given it.

#include "io/inspection/output_folder.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <system_error>
#include <utility>

#include "io/files/output_file.h"
#include "io/json/json.h"
#include "octavo/error.h"
#include "octavo/io/inspection_folder.h"

namespace octavo {
namespace inspection {
namespace {

namespace fs = std::filesystem;
// Stages are those of StagePlane.
bool is_name_of_inspection(const std::string& name) {
  static const std::regex names(
      R"(index\.html|inspect\.json|(keypoints|descriptor|octave-?\d+_candidates|scale\d+_candidates)\.png|)"
      R"((packed|octave-?\d+_image|octave-?\d+_(blur|difference|gradient|region|smoothed_gradient|detail)\d+|)"
      R"(scale\d+_(derivative\d+|filter\d+|measure))\.)"
      R"((png|tif))");
  return std::regex_match(name, names);
}

// "files" of the folder's inspect.json; empty if there is none.
std::vector<std::string> files_of_earlier_run(const fs::path& folder) {
  std::ifstream stream(folder / "inspect.json");
  const Json names = stream ? member_of(stream, "files") : Json();  // most of the file are candidates
  std::vector<std::string> files;
  if (!names.is_array()) return files;
  for (const Json& name : names) {
    if (name.is_string() && is_name_of_inspection(name.get<std::string>())) files.push_back(name.get<std::string>());
  }
  return files;
}

}  // namespace

OutputFolder::OutputFolder(fs::path folder) : folder_(std::move(folder)), earlier_(files_of_earlier_run(folder_)) {
  make_folder(folder_);
}

fs::path OutputFolder::add(const std::string& name) {
  files_.push_back(name);
  return folder_ / name;
}

void OutputFolder::remove_earlier() const {
  for (const std::string& name : earlier_) {
    if (std::find(files_.begin(), files_.end(), name) != files_.end()) continue;
    const fs::path file = folder_ / name;
    std::error_code error;
    if (!fs::is_regular_file(fs::symlink_status(file, error))) continue;
    fs::remove(file, error);
    if (error) {
      throw Error(ErrorCode::file_error,
                  fmt::format("{}: this file of an earlier run cannot be removed: {}", file.string(), error.message()));
    }
  }
}

}  // namespace inspection

void require_apart(const std::filesystem::path& input, const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path file = fs::weakly_canonical(input, error);
  if (!error && inspection::is_name_of_inspection(file.filename().string()) &&
      fs::equivalent(file.parent_path(), folder, error)) {
    throw Error(ErrorCode::invalid_option,
                fmt::format("--output is {}, where {} lies, which could be written over: choose another folder",
                            folder.string(), input.string()));
  }
}

}  // namespace octavo
