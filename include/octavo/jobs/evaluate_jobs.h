#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/io/image_formats.h"
#include "octavo/multiview/geometry.h"
#include "octavo/pair_scores.h"
#include "octavo/progress.h"
#include "octavo/study/evaluation.h"

// Jobs that measure how good features and matches are, and compare configurations. docs/evaluation.md defines every
// number. What cannot be evaluated is told to the context, and the rest is evaluated; so are doubts, as warnings.

namespace OCTAVO_API octavo {

/// What all kinds of evaluation are given.
struct EvaluationSettings {
  std::vector<Configuration> configurations;  ///< at least one, each of a name of its own
  ReadOptions read{};
  DeviceOptions device{};
  std::filesystem::path page{};  ///< an HTML file with the tables and plots; empty: none
};

/// What all kinds of evaluation give.
struct EvaluationReport {
  std::string json;          ///< all numbers, as the command prints them with --json
  std::string tables;        ///< lines of aligned columns, as the command prints them
  bool has_page = false;     ///< the page is written
  bool is_finished = false;  ///< false: it was stopped, and there are numbers of a part only, and no page
};

// The images of a data set, whose relation is known.

/// The data set of `evaluate_dataset`, and the configurations that it compares.
struct EvaluateJob : EvaluationSettings {
  std::filesystem::path root;   ///< the manual of `octavo evaluate` lists the layouts
  bool covisible_only = false;  ///< drop keypoints outside of what both images show, before max_features counts them
  RobustOptions robust{};       ///< how homographies are estimated
  bool per_sequence = false;    ///< `tables` has those of each sequence too
  std::size_t examples = 3;     ///< pairs whose matches the page shows: by precision the best, the worst and between
};

/// A pair that all configurations went through.
struct EvaluatedPair {
  std::string sequence;                    ///< the folder that it is of
  std::filesystem::path image_a, image_b;  ///< below the root
  std::vector<PairScores> scores;          ///< one for each configuration
};

/// Pairs that are summarised together.
struct EvaluatedGroup {
  std::string name;                ///< for tables and JSON
  std::vector<std::size_t> pairs;  ///< indices
  std::vector<Summary> means;      ///< one for each configuration
};

/// What `evaluate_dataset` counted.
struct EvaluateResult : EvaluationReport {
  std::vector<EvaluatedPair> pairs;       ///< by sequences
  std::vector<EvaluatedGroup> groups;     ///< "all", and "illumination" and "viewpoint" of HPatches
  std::vector<EvaluatedGroup> sequences;  ///< those with pairs
};

/// Throws, before the work, Error(invalid_option), Error(device_unavailable), and Error(file_error) for a page that
/// cannot be written and a folder without data set.
EvaluateResult evaluate_dataset(const EvaluateJob& job, const JobContext& context = {});

// Photographs, and images made of them by known changes.

/// The photographs of `evaluate_robustness`, and the changes of them.
struct RobustnessJob : EvaluationSettings {
  std::vector<std::string> photographs;  ///< files, folders and patterns
  std::vector<std::string> kinds{};      ///< of changes: "rotation", ...; empty: all
  std::uint64_t noise_seed = 0;          ///< the same seed gives the same images
  std::filesystem::path made{};          ///< a folder for the images, as a data set; empty: none
  bool covisible_only = true;            ///< as EvaluateJob has it
  RobustOptions robust{};                ///< how homographies are estimated
};

/// A pair of `evaluate_robustness`.
struct ChangedPair : EvaluatedPair {
  std::filesystem::path photograph;  ///< that was changed
  std::string kind;                  ///< of the change: "rotation"
  double strength = 0;               ///< in the unit of the kind
};

/// A kind of change, and what is left at each strength.
struct RobustnessCurve {
  std::string kind, unit;                   ///< "rotation", "degrees"
  std::vector<double> strengths;            ///< ascending
  std::vector<std::vector<Summary>> means;  ///< over the photographs: of each configuration, at each strength
};

/// What `evaluate_robustness` counted.
struct RobustnessResult : EvaluationReport {
  std::vector<ChangedPair> pairs;       ///< by photographs, then kinds and strengths
  std::vector<RobustnessCurve> curves;  ///< one for each kind
};

/// Throws, before the work, Error(invalid_option), also for two photographs of one name, Error(device_unavailable), and
/// Error(file_error) for a page or a folder that cannot be written and places without images.
RobustnessResult evaluate_robustness(const RobustnessJob& job, const JobContext& context = {});

// Photographs, and crops of them.

/// The photographs of `evaluate_crops`, and which crops of them are found again.
struct CropJob : EvaluationSettings {
  std::vector<std::string> photographs;  ///< files, folders and patterns
  /// Sizes of crops [pixel], each side 16…65535. Pixel (0, 0) of a crop is pixel (⌊(W − w)/2⌋, ⌊(H − h)/2⌋) of the
  /// photograph: the crop is its centre.
  std::vector<ImageSize> crop_sizes{{100, 100}};
  std::vector<std::string> changes{};  ///< "clean" or NAME:STRENGTH, as in "noise:15"; empty: default_crop_changes
  std::uint64_t noise_seed = 0;        ///< the same seed gives the same noise
  /// Photographs whose longer side is above this are reduced to it first [pixel], 16…65535; 0: none is.
  int size = 0;
  std::size_t examples = 1;  ///< photographs of each crop and change whose matches the page shows
};

/// A pair of `evaluate_crops`.
struct CroppedPhotograph {
  std::filesystem::path photograph;  ///< its file
  ImageSize photograph_size{};       ///< [pixel]
  std::size_t which_case = 0;        ///< index into `cases`
  int left = 0, top = 0;             ///< where pixel (0, 0) of the crop is in the photograph [pixel]
  std::vector<CropScores> scores{};  ///< one for each configuration
};

/// What `evaluate_crops` counted.
struct CropResult : EvaluationReport {
  std::vector<CropCase> cases;                  ///< each size with each change
  std::vector<CroppedPhotograph> pairs;         ///< by photographs, then cases
  std::vector<std::vector<CropTotals>> totals;  ///< of each configuration, in each case
};

/// Throws as evaluate_robustness.
CropResult evaluate_crops(const CropJob& job, const JobContext& context = {});

// Corners, and corners that a person has labelled.

/// The photographs of `evaluate_corners`.
struct CornerJob : EvaluationSettings {
  std::filesystem::path root;                 ///< images, and beside each NAME.png the file NAME.corners.txt
  double tolerance = usual_corner_tolerance;  ///< of a match [pixel], 0.001…1000
  bool per_image = false;                     ///< `tables` has a row for each image too
};

/// An image of `evaluate_corners`.
struct EvaluatedCorners {
  std::filesystem::path image;       ///< below the root
  std::vector<CornerScores> scores;  ///< one for each configuration
};

/// What `evaluate_corners` counted.
struct CornerResult : EvaluationReport {
  std::vector<EvaluatedCorners> images;  ///< by their names
  std::vector<CornerScores> totals;      ///< of all images: one for each configuration
};

/// Throws as evaluate_dataset, also for a page that would replace an image.
CornerResult evaluate_corners(const CornerJob& job, const JobContext& context = {});

}  // namespace octavo
