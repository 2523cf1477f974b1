#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/image_view.h"
#include "octavo/io/collection.h"
#include "octavo/io/image_formats.h"
#include "octavo/study/evaluation.h"
#include "study/evaluate/comparison.h"

// Crops matched with the photographs from which they were cut: the experiment of M. Sawada 2024 (tables 6.4 to 6.7).
// The crop is used clean and changed by noise, contrast or compression. Its pixels do not move, so the true match of a
// keypoint is known. The experiment counts correct matches and takes times.

namespace OCTAVO_INTERNAL_API octavo {

/// "clean", "noise 15": the change for people.
std::string label_of(const CropChange& change);

/// The change of a word, "clean" or NAME:STRENGTH as in "noise:15". Throws Error(invalid_option), which names the
/// option `changes`, for any other word and for a strength out of the range of the distortion.
CropChange crop_change(std::string_view word);

struct CropOptions {
  /// Sizes of crops [pixel], each side 16…65535. Pixel (0, 0) of a crop is pixel (⌊(W − w)/2⌋, ⌊(H − h)/2⌋) of the
  /// photograph: the crop is its centre.
  std::vector<ImageSize> crop_sizes{{100, 100}};
  std::vector<CropChange> changes = default_crop_changes();
  std::uint64_t noise_seed = 0;  ///< the same seed gives the same noise
  /// Photographs whose longer side is above this are reduced to it first [pixel], 16…65535; 0: none is.
  int size = 0;
  ReadOptions read{};  ///< how photographs are read
  /// Called before each image: how many of how many images are done, and the next one for people.
  std::function<void(std::size_t done, std::size_t total, const std::string& next)> progress{};
  std::stop_token stop{};  ///< once stop is requested no further image is begun
};

/// Throws Error(invalid_option), which names the option: an empty list, a side or a strength out of range.
void validate(const CropOptions& options);

/// Each size with each change.
std::vector<CropCase> crop_cases(const CropOptions& options);

/// The photograph as it is compared, u8 of 1 or 3 channels: reduced to options.size. Throws Error(file_error) for one
/// that cannot be read.
Image photograph_of(const ImageFile& photograph, const CropOptions& options);

/// The crop of a photograph in a case, u8 of 1 or 3 channels. Throws Error(file_error) for a photograph that cannot be
/// read, Error(invalid_argument) for one that is smaller than the crop.
Image crop_of(const ImageFile& photograph, const CropCase& one, const CropOptions& options = {});

/// A photograph in one case.
struct CroppedPair {
  std::size_t photograph = 0, which_case = 0;  ///< indices of the photographs, and of crop_cases
  ImageSize photograph_size{};                 ///< [pixel]
  int left = 0, top = 0;                       ///< where pixel (0, 0) of the crop is in the photograph [pixel]
  std::vector<CropScores> scores{};            ///< one for each pipeline
};

struct CropComparison {
  std::vector<CropCase> cases;
  std::vector<CroppedPair> pairs;     ///< by photographs, then cases
  std::vector<std::string> problems;  ///< a sentence for each photograph or crop that could not be evaluated
  std::vector<std::string> warnings;  ///< sentences about images with fewer keypoints than a budget
};

/// Goes through the photographs. A photograph and its crop count for all pipelines or for none: where one fails, or
/// where the crop is larger than the photograph, it is a problem. In memory are one photograph, one crop and the
/// features of both. Throws what `validate` throws.
CropComparison compare_crops(std::span<const ImageFile> photographs, std::span<Pipeline> pipelines,
                             const CropOptions& options = {});

/// Of one pipeline in one case.
CropTotals crop_totals(const CropComparison& comparison, std::size_t pipeline, std::size_t which_case);

}  // namespace octavo
