// Finds sequences of images whose relation is known, by the file names of four data sets: K. Mikolajczyk's (Oxford
// affine, img1.ppm and H1to2p), HPatches (1.ppm and H_1_2), and D. Mishkin's: EVD (1/NAME.png, 2/NAME.png and
// h/NAME.txt) and WxBS (01.png, 02.png and corrs.txt).

#include "study/evaluate/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "octavo/error.h"
#include "octavo/io/image_formats.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// The number between a prefix and a suffix.
std::optional<int> number_in(std::string_view name, std::string_view prefix, std::string_view suffix) {
  if (name.size() <= prefix.size() + suffix.size() || !name.starts_with(prefix) || !name.ends_with(suffix)) return {};
  name = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  int number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number < 1) return {};
  return number;
}

// The names of a data set's files.
struct Layout {
  std::string_view image;  ///< the prefix of images
  std::string_view matrix, matrix_end;
};
constexpr Layout oxford{"img", "H1to", "p"}, hpatches{"", "H_1_", ""};

using Numbered = std::map<int, fs::path>;

Numbered numbered_images(const Layout& layout, const std::vector<fs::path>& files, std::vector<std::string>& problems) {
  Numbered images;
  for (const fs::path& file : files) {
    const auto number = number_in(file.stem().string(), layout.image, "");
    if (!number || !looks_like_image(file)) continue;
    const auto [other, is_new] = images.emplace(*number, file);
    if (is_new) continue;
    problems.push_back(fmt::format("cannot use '{}': image {}{} is '{}' already", file.string(), layout.image, *number,
                                   other->second.string()));
  }
  return images;
}

Numbered matrices_of(const Layout& layout, const std::vector<fs::path>& files) {
  Numbered matrices;
  for (const fs::path& file : files) {
    const auto number = number_in(file.filename().string(), layout.matrix, layout.matrix_end);
    if (number && *number > 1) matrices.emplace(*number, file);
  }
  return matrices;
}

std::string matrix_name(const Layout& layout, int number) {
  return fmt::format("{}{}{}", layout.matrix, number, layout.matrix_end);
}

// The files of a folder that a rule wants, by their names without endings. A folder that is not there has none.
using Named = std::map<std::string, fs::path>;

Named named_files(const fs::path& folder, const std::function<bool(const fs::path&)>& is_wanted) {
  Named files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code not_there;
    if (!entry->is_directory(not_there) && is_wanted(entry->path())) {
      files.emplace(entry->path().stem().string(), entry->path());
    }
  }
  return files;
}

// Collects the sequences of a folder and of the folders below it. It visits each folder once, since links may lead to
// other data sets and may form cycles.
class Finder {
 public:
  explicit Finder(fs::path root) : root_(std::move(root)) {}

  void visit(const fs::path& folder) {
    std::vector<fs::path> files, folders, linked;
    std::error_code error;
    const fs::path place = fs::canonical(folder, error);
    if (!error && !visited_.insert(place).second) return;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      std::error_code not_there;
      const bool is_folder = entry->is_directory(not_there);
      (!is_folder ? files : entry->is_symlink(not_there) ? linked : folders).push_back(entry->path());
    }
    if (error && folder == root_) {
      throw Error(ErrorCode::file_error, fmt::format("cannot list '{}': {}", folder.string(), error.message()));
    }
    if (error) problem(folder, "the folder cannot be read: " + error.message());
    std::sort(files.begin(), files.end());
    std::sort(folders.begin(), folders.end());
    std::sort(linked.begin(), linked.end());
    const bool is_sequence = add_homographies(folder, files, oxford) || add_homographies(folder, files, hpatches) ||
                             add_correspondences(folder, files);
    if (is_sequence) return;
    if (add_extreme_views(folder)) return;
    linked_.insert(linked_.end(), linked.begin(), linked.end());
    tell_without_homographies(folder, files);
    for (const fs::path& below : folders) visit(below);
  }

  // Visits linked folders after all others, so that a folder with a link to it has the name of its real path.
  void visit_linked() {
    // `visit` may append to the list. NOLINTNEXTLINE(modernize-loop-convert)
    for (std::size_t i = 0; i < linked_.size(); ++i) visit(fs::path(linked_[i]));
  }

  Dataset take() {
    std::sort(found_.sequences.begin(), found_.sequences.end(),
              [](const Sequence& one, const Sequence& other) { return one.name < other.name; });
    return std::move(found_);
  }

 private:
  bool add_homographies(const fs::path& folder, const std::vector<fs::path>& files, const Layout& layout) {
    const Numbered matrices = matrices_of(layout, files);
    if (matrices.empty()) return false;
    const Numbered images = numbered_images(layout, files, found_.problems);
    if (!images.contains(1)) {
      problem(folder / matrices.begin()->second.filename(),
              fmt::format("image {}1 is missing, the sequence cannot be evaluated", layout.image));
      return true;
    }
    Sequence sequence{.name = name_of(folder), .first = below_root(images.at(1)), .others = {}};
    std::set<int> numbers;
    for (const auto& [number, file] : images) numbers.insert(number);
    for (const auto& [number, file] : matrices) numbers.insert(number);
    numbers.erase(1);
    for (const int number : numbers) {
      if (!images.contains(number)) {
        problem(matrices.at(number), fmt::format("image {}{} is missing", layout.image, number));
      } else if (!matrices.contains(number)) {
        problem(images.at(number), fmt::format("the homography {} is missing", matrix_name(layout, number)));
      } else {
        attempt([&] {
          sequence.others.push_back(
              {below_root(images.at(number)), TrueHomography{read_homography(matrices.at(number))}});
        });
      }
    }
    if (!sequence.others.empty()) found_.sequences.push_back(std::move(sequence));
    return true;
  }

  // Reports images that are numbered like those of a sequence but have no matrices.
  void tell_without_homographies(const fs::path& folder, const std::vector<fs::path>& files) {
    for (const Layout& layout : {oxford, hpatches}) {
      std::vector<std::string> of_images;
      const Numbered images = numbered_images(layout, files, of_images);
      if (!images.contains(1) || !images.contains(2)) continue;
      problem(folder,
              fmt::format("it has images {0}1 and {0}2, but no homography {1}", layout.image, matrix_name(layout, 2)));
    }
  }

  bool add_correspondences(const fs::path& folder, const std::vector<fs::path>& files) {
    const auto truth = std::find_if(files.begin(), files.end(), [](const fs::path& file) {
      const fs::path name = file.filename();
      return name == "correspondences.txt" || name == "correspondences.csv" || name == "corrs.txt";
    });
    if (truth == files.end()) return false;
    std::vector<fs::path> images;
    std::copy_if(files.begin(), files.end(), std::back_inserter(images), looks_like_image);
    if (images.size() != 2) {
      problem(*truth, fmt::format("there are {} images beside it, two are needed", images.size()));
      return true;
    }
    attempt([&] {
      found_.sequences.push_back({.name = name_of(folder),
                                  .first = below_root(images[0]),
                                  .others = {{below_root(images[1]), read_correspondences(*truth)}}});
    });
    return true;
  }

  // EVD: the homographies are those of the pairs with their names, each a sequence.
  bool add_extreme_views(const fs::path& folder) {
    const Named matrices = named_files(folder / "h", [](const fs::path& file) { return file.extension() == ".txt"; });
    const Named firsts = named_files(folder / "1", looks_like_image),
                seconds = named_files(folder / "2", looks_like_image);
    if (matrices.empty() || (firsts.empty() && seconds.empty())) return false;
    for (const auto& [name, matrix] : matrices) {
      const auto first = firsts.find(name), second = seconds.find(name);
      if (first == firsts.end() || second == seconds.end()) {
        problem(matrix, fmt::format("image {}/{} is missing", first == firsts.end() ? 1 : 2, name));
        continue;
      }
      // Clang captures no structured binding before version 16.
      attempt([&, &name = name, &matrix = matrix] {
        found_.sequences.push_back({.name = name_of(folder) + "/" + name,
                                    .first = below_root(first->second),
                                    .others = {{below_root(second->second), TrueHomography{read_homography(matrix)}}}});
      });
    }
    for (const auto& [name, image] : firsts) {
      if (!matrices.contains(name)) problem(image, fmt::format("the homography h/{}.txt is missing", name));
    }
    return true;
  }

  template <class Step>
  void attempt(const Step& step) try {
    step();
  } catch (const Error& error) {
    found_.problems.emplace_back(error.what());
  }

  void problem(const fs::path& file, const std::string& why) {
    found_.problems.push_back(fmt::format("cannot use '{}': {}", file.string(), why));
  }

  fs::path below_root(const fs::path& file) const { return file.lexically_relative(root_); }

  std::string name_of(const fs::path& folder) const {
    if (folder != root_) return below_root(folder).string();
    std::error_code error;
    const fs::path whole = fs::canonical(folder, error);
    return (error ? folder : whole).filename().string();
  }

  fs::path root_;
  std::vector<fs::path> linked_;  ///< links to folders
  std::set<fs::path> visited_;    ///< canonical paths
  Dataset found_;
};

}  // namespace

Dataset find_dataset(const fs::path& root) {
  std::error_code error;
  if (!fs::is_directory(root, error)) {
    throw Error(ErrorCode::file_error, fmt::format("cannot read '{}': {}", root.string(),
                                                   fs::exists(root, error) ? "it is not a folder" : "no such folder"));
  }
  Finder finder(root);
  finder.visit(root);
  finder.visit_linked();
  Dataset found = finder.take();
  if (found.sequences.empty() && found.problems.empty()) {
    throw Error(
        ErrorCode::file_error,
        fmt::format("cannot read '{}': there is no sequence in it: neither H1to2p beside img1 and img2, nor "
                    "H_1_2 beside 1 and 2, nor correspondences.txt or corrs.txt beside two images, nor folders 1, 2 "
                    "and h",
                    root.string()));
  }
  return found;
}

}  // namespace octavo
