#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "io/pages/report_page.h"
#include "octavo/io/image_formats.h"
#include "octavo/multiview/geometry.h"
#include "study/evaluate/comparison.h"
#include "study/evaluate/corner_truth.h"
#include "study/evaluate/crops.h"
#include "study/evaluate/robustness.h"

// A comparison of configurations as tables, as JSON and as a page with plots.

namespace OCTAVO_INTERNAL_API octavo {

struct MatchExample;  // match_examples.h

/// What makes an evaluation repeatable, beside its configurations.
struct EvaluationCircumstances {
  std::string version, date;
  bool exif_rotation = true;
  bool covisible_only = false;
  RobustOptions robust{};
};

/// The results of compare() on a data set, and what they are results of. What the spans and references name must
/// outlive it.
struct Evaluation {
  EvaluationCircumstances circumstances;
  std::string root;
  std::span<const KnownScene> scenes;
  std::span<const Configuration> configurations;  ///< one for each pipeline of the comparison
  const Comparison& comparison;
  std::vector<std::string> problems{};  ///< a sentence for each image or pair that was not evaluated
};

/// The means over all pairs and over the two halves of HPatches: keypoints and matches at 3 pixels; the accuracy of
/// mutual neighbours at every threshold; homographies and regions where the truth is a homography. A row is a
/// configuration. Shares are in percent; means over no pairs are "-".
std::vector<Table> evaluation_tables(const Evaluation& evaluation);

/// The first of these tables, for each sequence.
std::vector<Table> sequence_tables(const Evaluation& evaluation);

/// One JSON object: {"root", "octavo", "date", …, "configurations": […], "problems", "warnings"}. The manual of `octavo
/// evaluate` has all of it. Bytes that are not UTF-8 become U+FFFD.
std::string evaluation_json(const Evaluation& evaluation);

/// The page: which configuration is best and how sure that is, all tables and plots, the examples as images, and what
/// the numbers mean. The examples are those of the same comparison.
ReportPage evaluation_page(const Evaluation& evaluation, std::span<const MatchExample> examples);

/// The results of compare() on distorted_scenes().
struct RobustnessEvaluation {
  EvaluationCircumstances circumstances;
  std::vector<std::string> images;  ///< as the user named them
  std::uint64_t noise_seed = 0;
  ReadOptions read{};  ///< how the photographs were read
  std::span<const Distortion* const> kinds;
  const DistortedScenes& made;
  std::span<const Configuration> configurations;
  const Comparison& comparison;
  std::vector<std::string> problems{};
};

/// A table for each kind of change. A row is a strength and holds the numbers of each configuration, means over the
/// photographs.
std::vector<Table> robustness_tables(const RobustnessEvaluation& evaluation);

/// One JSON object: {"images", "noise_seed", "octavo", …}. The manual of `octavo evaluate robustness` has all of it.
std::string robustness_json(const RobustnessEvaluation& evaluation);

/// The page with all tables and plots.
ReportPage robustness_page(const RobustnessEvaluation& evaluation);

/// The results of compare_crops().
struct CropEvaluation {
  std::string version, date;
  std::string device;                      ///< the device that took the times
  std::vector<std::string> images;         ///< as the user named them
  std::span<const ImageFile> photographs;  ///< those of the comparison
  CropOptions options{};
  std::span<const Configuration> configurations;
  const CropComparison& comparison;
  std::vector<std::string> problems{};
};

/// A table for each size and change. A row is a configuration; the numbers are sums over the photographs.
std::vector<Table> crop_tables(const CropEvaluation& evaluation);

/// One JSON object: {"images", "crops", …}. The manual of `octavo evaluate crops` has all of it.
std::string crop_json(const CropEvaluation& evaluation);

/// The page with all tables and plots, the crops of the first photograph, and the matches of the examples
/// (crop_examples).
ReportPage crop_page(const CropEvaluation& evaluation, std::span<const MatchExample> examples);

/// The results of compare_corners().
struct CornerEvaluation {
  std::string version, date;
  std::filesystem::path root;  ///< the folder of the images
  double tolerance = usual_corner_tolerance;
  ReadOptions read{};
  std::span<const Configuration> configurations;
  const CornerComparison& comparison;
};

/// One JSON object. The manual of `octavo evaluate corners` has all of it.
std::string corner_json(const CornerEvaluation& evaluation);

/// The page with the tables and plots, and the images with the corners of every configuration: of the first 40 images.
/// It reads these images again; one that cannot be read any more is left out.
ReportPage corner_page(const CornerEvaluation& evaluation);

}  // namespace octavo
