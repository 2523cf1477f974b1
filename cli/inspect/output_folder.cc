// An inspect.json in the folder may be anyone's, and a folder may hold anything: names are trusted only if they are
// of inspect's own kind.

#include "cli/inspect/output_folder.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <system_error>
#include <utility>

#include "cli/text_file.h"
#include "octavo/error.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

bool is_name_of_inspect(const std::string& name) {
  static const std::regex names(R"(index\.html|inspect\.json|(keypoints|descriptor|octave-?\d+_candidates)\.png|)"
                                R"((packed|octave-?\d+_(blur|difference)\d+)\.(png|tif))");
  return std::regex_match(name, names);
}

// "files" of the folder's inspect.json, if it has one.
std::vector<std::string> files_of_earlier_run(const fs::path& folder) {
  std::ifstream stream(folder / "inspect.json");
  // Of the rest, most of which are candidates, nothing is kept.
  const auto is_wanted = [](int depth, Json::parse_event_t event, Json& parsed) {
    return depth != 1 || event != Json::parse_event_t::key || parsed == "files";
  };
  const Json told = stream ? Json::parse(stream, is_wanted, false) : Json();
  std::vector<std::string> files;
  if (!told.is_object() || !told.contains("files") || !told["files"].is_array()) return files;
  for (const Json& name : told["files"]) {
    if (name.is_string() && is_name_of_inspect(name.get<std::string>())) files.push_back(name.get<std::string>());
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

void require_apart(const fs::path& input, const fs::path& folder) {
  std::error_code error;
  const fs::path file = fs::weakly_canonical(input, error);
  if (!error && is_name_of_inspect(file.filename().string()) && fs::equivalent(file.parent_path(), folder, error)) {
    throw Error(ErrorCode::invalid_option,
                fmt::format("--output is {}, where {} lies, which could be written over: choose another folder",
                            folder.string(), input.string()));
  }
}

}  // namespace octavo::cli
