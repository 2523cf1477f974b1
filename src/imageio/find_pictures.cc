// From places (files, folders, patterns) to a list of pictures, and from there to a batch.

#include "octavo/pictures.h"

#include <fmt/core.h>
#include <glob.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "imageio/ending.h"
#include "octavo/error.h"
#include "octavo/imageio.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

using IsWanted = bool (*)(const fs::path&);

template <typename Iterator>
std::vector<fs::path> list(const fs::path& folder, IsWanted is_wanted) {
  std::vector<fs::path> files;
  std::error_code error;
  for (Iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code not_there;
    if (entry->is_regular_file(not_there) && is_wanted(entry->path())) files.push_back(entry->path());
  }
  if (error) throw fs::filesystem_error("cannot be listed", folder, error);
  std::sort(files.begin(), files.end());
  return files;
}

// The wanted files in a folder, sorted.
std::vector<fs::path> files_under(const fs::path& folder, bool recursive, IsWanted is_wanted) {
  return recursive ? list<fs::recursive_directory_iterator>(folder, is_wanted)
                   : list<fs::directory_iterator>(folder, is_wanted);
}

// COLMAP's features end in .txt as many other files do.
bool are_features_of_a_picture(const fs::path& file) {
  return looks_like_features(file) && (imageio::ending_of(file) != ".txt" || looks_like_picture(file.stem()));
}

std::vector<fs::path> matches(const std::string& pattern) {
  glob_t found{};
  const std::unique_ptr<glob_t, decltype(&globfree)> owner(&found, globfree);
  if (glob(pattern.c_str(), 0, nullptr, &found) != 0) return {};
  return {found.gl_pathv, found.gl_pathv + found.gl_pathc};
}

// Collects pictures, each file once.
class Collector {
 public:
  explicit Collector(bool recursive) : recursive_(recursive) {}

  void add(const std::string& place) {
    std::error_code error;
    const bool is_pattern = place.find_first_of("*?[") != std::string::npos && !fs::exists(place, error);
    if (!is_pattern) return add_path(place);
    const auto paths = matches(place);
    if (paths.empty()) found_.problems.push_back(fmt::format("{}: no file matches this pattern", place));
    for (const fs::path& path : paths) add_path(path);
  }

  PictureFiles take() { return std::move(found_); }

 private:
  void add_path(const fs::path& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) return add_picture(path, path.filename());
    try {
      const std::vector<fs::path> files = files_under(path, recursive_, looks_like_picture);
      if (files.empty()) found_.problems.push_back(fmt::format("{}: the folder holds no pictures", path.string()));
      for (const fs::path& file : files) add_picture(file, file.lexically_relative(path));
    } catch (const fs::filesystem_error& failure) {
      found_.problems.push_back(
          fmt::format("{}: the folder cannot be read: {}", path.string(), failure.code().message()));
    }
  }

  void add_picture(const fs::path& file, const fs::path& name) {
    if (seen_.insert(fs::absolute(file).lexically_normal()).second) found_.pictures.push_back({file, name});
  }

  bool recursive_;
  PictureFiles found_;
  std::set<fs::path> seen_;
};

}  // namespace

PictureFiles find_pictures(std::span<const std::string> places, bool recursive) {
  Collector collector(recursive);
  for (const std::string& place : places) collector.add(place);
  return collector.take();
}

std::vector<PictureFile> find_features(const fs::path& folder, bool recursive) {
  std::vector<PictureFile> found;
  try {
    for (const fs::path& file : files_under(folder, recursive, are_features_of_a_picture)) {
      found.push_back({file, file.lexically_relative(folder).replace_extension()});
    }
  } catch (const fs::filesystem_error& failure) {
    throw Error(ErrorCode::file_error,
                fmt::format("{}: the folder cannot be read: {}", folder.string(), failure.code().message()));
  }
  return found;
}

std::optional<std::pair<PictureFile, PictureFile>> same_name(std::span<const PictureFile> pictures) {
  std::map<fs::path, const PictureFile*> known;
  for (const PictureFile& picture : pictures) {
    const auto [other, is_new] = known.emplace(picture.name, &picture);
    if (!is_new) return std::pair(*other->second, picture);
  }
  return std::nullopt;
}

std::vector<BatchImage> batch_of(std::span<const PictureFile> pictures, const ReadOptions& options,
                                 const std::shared_ptr<const Image>& mask) {
  validate(options);
  std::vector<BatchImage> images;
  images.reserve(pictures.size());
  for (const PictureFile& picture : pictures) {
    const auto load = [file = picture.file, options, mask] {
      return LoadedImage{read_image(file, options, mask.get()), mask};
    };
    images.push_back({picture.file.string(), load});
  }
  return images;
}

}  // namespace octavo
