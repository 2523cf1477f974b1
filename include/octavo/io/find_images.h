#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "octavo/api.h"
#include "octavo/batch.h"
#include "octavo/image.h"
#include "octavo/io/image_files.h"

namespace OCTAVO_API octavo {

/// An image that was asked for, by its own name, by that of its folder or by a pattern.
struct ImageFile {
  std::filesystem::path file;
  /// What its results are called: its path below the folder that was asked for, otherwise the file's name.
  std::filesystem::path name;
};

struct ImageFiles {
  std::vector<ImageFile> images;  ///< each file once
  /// A sentence for each place that gives no image, and for each folder that cannot be read.
  std::vector<std::string> problems;
};

/// The images at some places. A folder gives the images in it (looks_like_image), sorted by name; with
/// `recursive` those in the folders below it too; one that cannot be read is a problem and costs no others. A pattern
/// (*, ?, []) that is not itself a file gives what it matches, sorted; a folder that it cannot read is a problem.
/// Anything else is taken for a file, which need
/// not exist.
ImageFiles find_images(std::span<const std::string> places, bool recursive = false);

/// The images in hloc's file of features (HlocFeatures), by their names there; `file` of each is that file. Or the
/// files of features in a folder, sorted by name; with `recursive` those in the folders below it too. They are all
/// .npz, and the .txt whose name before the ending is that of an image (looks_like_image): "a.png.txt" is one,
/// "matches.txt" is not. `name` is the path below the folder without that ending, which is the image's name if
/// `octavo extract` wrote the file.
ImageFiles find_features(const std::filesystem::path& place, bool recursive = false);

/// Two images whose results would have the same name; none if there are none.
std::optional<std::pair<ImageFile, ImageFile>> same_name(std::span<const ImageFile> images);

/// The images as a batch to extract; read_image reads them. `mask` is that of all of them (see Extractor::extract);
/// null: none.
std::vector<BatchImage> batch_of(std::span<const ImageFile> images, const ReadOptions& options = {},
                                 const std::shared_ptr<const Image>& mask = nullptr);

}  // namespace octavo
