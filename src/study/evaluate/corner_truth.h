#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "io/pages/report_page.h"
#include "octavo/image_view.h"
#include "octavo/io/image_formats.h"
#include "octavo/multiview/geometry.h"
#include "octavo/study/evaluation.h"
#include "study/evaluate/comparison.h"

// Corners against corners that a person has labelled: precision, recall and localisation error, as Zhang and Sun (IJCV
// 128, 2020) compare detectors. A point is correct if a labelled corner lies within 4 pixels of it.

namespace OCTAVO_INTERNAL_API octavo {

/// An image whose corners are known.
struct LabelledImage {
  std::filesystem::path image;  ///< relative to the root
  std::vector<Point> corners;
};

struct CornerDataset {
  std::vector<LabelledImage> images;  ///< sorted by the path of the file of corners
  std::vector<std::string> problems;  ///< a sentence for each file or folder that cannot be used
};

/// Finds the files NAME.corners.txt in a folder, at any depth. Each lies beside one image NAME with the ending of a
/// format that read_image supports. Symbolic links to folders are not followed. Throws Error(file_error) if the folder
/// is missing, cannot be listed, or holds no such file.
CornerDataset find_labelled_images(const std::filesystem::path& root);

/// Reads corners from a text file. Each line holds x and y [pixel; (0, 0) is the centre of the first pixel], separated
/// by spaces or a comma. Empty lines and lines that begin with # are skipped. A file without corners is allowed. Throws
/// Error(file_error), which names the file and the line.
std::vector<Point> read_corners(const std::filesystem::path& file);

/// A labelled and a detected corner that match, by their indices.
struct CornerPair {
  std::size_t labelled = 0, detected = 0;
  double apart = 0;  ///< [pixel]
};

/// Matches labelled and detected corners one to one: of all pairs within `tolerance` [pixel, above 0] the nearest
/// first. Of pairs that are equally near, the one of the earlier labelled corner is first, then of the earlier detected
/// one. The pairs come in this order.
std::vector<CornerPair> match_corners(std::span<const Point> labelled, std::span<const Point> detected,
                                      double tolerance = usual_corner_tolerance);

/// Counts the pairs of match_corners.
CornerScores score_corners(std::span<const Point> labelled, std::span<const Point> detected,
                           double tolerance = usual_corner_tolerance);

/// The distinct places of keypoints, in their order. Keypoints of several orientations at one place are one corner.
std::vector<Point> places_of(const Features& features);

struct CornerCompareOptions {
  double tolerance = usual_corner_tolerance;  ///< [pixel] 0.001…1000
  ReadOptions read{};
  /// Is called before each image: how many of how many are done, and its path.
  std::function<void(std::size_t done, std::size_t total, const std::filesystem::path& next)> progress{};
  std::stop_token stop{};  ///< once stop is requested no further image is begun
};

/// The scores of every pipeline in one image, and the corners that were compared.
struct ComparedCorners {
  std::filesystem::path image;
  std::vector<CornerScores> scores;
  std::vector<Point> labelled{};
  std::vector<std::vector<Point>> detected{};  ///< by each pipeline
};

struct CornerComparison {
  std::vector<ComparedCorners> images;
  std::vector<std::string> problems;  ///< a sentence for each image that could not be evaluated
};

/// Finds the corners of every image by every pipeline. `root` is the folder that was given to
/// find_labelled_images. An image that cannot be read, that has labels outside of it, or in which a pipeline
/// fails, is left out and becomes a problem.
CornerComparison compare_corners(const CornerDataset& dataset, const std::filesystem::path& root,
                                 std::span<Pipeline> pipelines, const CornerCompareOptions& options = {});

/// The image (u8, RGB, each pixel enlarged `zoom` times in both directions, reduced if `zoom` is below 1) with the
/// corners: a green circle around a detected corner that matches, with a line to the labelled one; an orange square
/// around a labelled corner that is missed; a magenta cross on a detected corner that is false. Throws
/// Error(invalid_argument) for an image that cannot be used.
Image draw_corners(const ImageView& image, std::span<const Point> labelled, std::span<const Point> detected,
                   double tolerance, double zoom);

/// One row for each pipeline: the sums over all images, and their precision, recall and localisation error.
Table corner_table(std::span<const Configuration> configurations, const CornerComparison& comparison);

/// One row for each image and pipeline.
Table corner_image_table(std::span<const Configuration> configurations, const CornerComparison& comparison);

}  // namespace octavo
