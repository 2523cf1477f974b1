#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "engine/core/internal_api.h"
#include "octavo/image_view.h"
#include "octavo/io/image_formats.h"
#include "octavo/progress.h"

namespace OCTAVO_INTERNAL_API octavo {

struct Photograph;  // octavo/io/image_files.h

/// The masks of images, from files: one of all images, or a folder with that of each. There, as COLMAP names them, the
/// mask of an image `a/b.jpg` is `a/b.jpg.png`, and that of an image `b.png` may also be `b.png`. An image without a
/// file there has no mask.
class Masks {
 public:
  /// No image has a mask.
  Masks() = default;
  /// `place`: a file or a folder; empty: no image has a mask. Throws what read_image throws for a file.
  Masks(const std::filesystem::path& place, const ReadOptions& options);
  /// One mask of all images, whose file is in memory; `name` is what errors call it.
  Masks(std::span<const std::byte> bytes, const std::string& name, const ReadOptions& options);

  /// Warns of those of a job's images that have no mask. Throws Error(file_error) if none of them has one.
  void check(std::span<const std::filesystem::path> names, const JobContext& context) const;

  /// The digest of an image's mask; empty without one. Throws what reading a file throws.
  [[nodiscard]] std::string digest(const std::filesystem::path& name) const;

  /// Reads an image by `read`, which is given the image's mask, or null, for the range of values: alpha is then 0 where
  /// the mask is 0. `file` is what errors call the image. Throws what `read` and read_image throw, and
  /// Error(invalid_argument) for a mask of another size.
  [[nodiscard]] Photograph hidden(const std::filesystem::path& name, const std::string& file,
                                  const std::function<Photograph(const Image* mask)>& read) const;

  /// read_photograph of the file of an image of this name, so hidden.
  [[nodiscard]] Photograph read(const std::filesystem::path& file, const std::filesystem::path& name,
                                const ReadOptions& options) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const std::filesystem::path& name) const;

  std::filesystem::path place_;
  ReadOptions options_;
  std::shared_ptr<const Image> shared_;  // the mask of all images; null: `place_` is a folder, or there are none
  std::string digest_;                   // of the one of all images
};

}  // namespace octavo
