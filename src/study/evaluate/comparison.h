#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/device.h"
#include "octavo/extractor.h"
#include "octavo/image_view.h"
#include "octavo/io/image_formats.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"
#include "octavo/study/evaluation.h"
#include "study/evaluate/dataset.h"
#include "study/evaluate/evaluate.h"

// Several ways to find and match features, compared pair by pair on scenes whose geometry is known.

namespace OCTAVO_INTERNAL_API octavo {

/// What an image of a comparison is called.
struct ImageName {
  std::filesystem::path path;  ///< below the root of the data set
  std::string label;           ///< for people: the file that they can open, in quotes, and what was made of it
};

struct KnownView;  // study/evaluate/known_view.h

/// Images of one scene, from files or made from others. They are made when they are needed, and dropped after that.
struct KnownScene {
  struct Other {
    ImageName name;
    std::function<KnownView()> view;  ///< may throw Error, which then concerns this image alone
  };
  std::string name;
  ImageName first_name;
  std::function<Image()> first;  ///< may throw Error, which then concerns the scene
  std::vector<Other> others;
};

/// A scene for each sequence of the data set, whose root is the folder that was given to find_dataset.
std::vector<KnownScene> scenes_of(const Dataset& dataset, const std::filesystem::path& root,
                                  const ReadOptions& options = {});

/// Finds the features of an image. `mask` is as Extractor::extract takes it; a finder without masks may ignore it, as
/// Pipeline applies it too. May throw Error.
using FindFeatures = std::function<Features(const ImageView& image, const ImageView* mask, const ImageName& name)>;

/// By an extractor.
FindFeatures features_by(Extractor extractor);

/// From files that another program wrote: those of an image are in `folder` under the image's path with .npz behind it
/// (read_npz_features). Throws Error(file_error) for a file that is missing or cannot be used, and for keypoints
/// outside of the image.
FindFeatures features_in(std::filesystem::path folder);

/// One of the ways that are compared: a name, a finder of features and a matcher. Not shared between threads.
class Pipeline {
 public:
  /// `max_features`: how many features of an image count; 0: all. `refine`: matches are judged by their refined places
  /// (refine_matches). Throws Error(invalid_option) or Error(device_unavailable).
  Pipeline(std::string name, FindFeatures find, int max_features = 0, const MatchOptions& match = {},
           const DeviceOptions& device = {}, bool refine = false);

  [[nodiscard]] const std::string& name() const { return name_; }

  /// The name of the device that matches, and finds features if Octavo finds them; never "auto".
  [[nodiscard]] const std::string& device() const { return matcher_.device(); }

  /// The features that count: of those whose nearest pixel is not 0 in the mask, if there is one, the max_features of
  /// strongest response, in their order. Throws what the finder throws.
  Features features(const ImageView& image, const ImageView* mask, const ImageName& name);

  /// Finds and matches features once, before times are taken. `shortage` does not count them. Throws what the finder
  /// throws.
  void warm_up(const ImageView& image, const ImageName& name);

  /// Matches the features of two images and compares the matches with the truth. Features without descriptors match
  /// nothing. Throws what score_pair throws.
  PairScores score(const ImageView& image_a, const Features& a, const ImageView& image_b, const Features& b,
                   const Truth& truth, const RobustOptions& robust = {});

  /// The matches of two images by the pipeline's options, which `score` judges. Features without descriptors match
  /// nothing.
  std::vector<Match> matches(const Features& a, const Features& b);

  /// A sentence that names the pipeline, about images in which it found fewer than max_features; empty if there are
  /// none.
  [[nodiscard]] std::string shortage() const;

 private:
  Features features_that_count(const ImageView& image, const ImageView* mask, const ImageName& name);

  std::string name_;
  FindFeatures find_;
  std::size_t max_features_;
  Matcher mutual_, matcher_;
  bool refine_;
  std::map<std::string, std::size_t> found_;  // the fewest features of an image, by its label
};

/// The configuration at work. Throws Error(invalid_option) or Error(device_unavailable).
Pipeline pipeline_of(const Configuration& configuration, const DeviceOptions& device = {});

/// A pair of images that every pipeline went through.
struct ComparedPair {
  std::size_t scene = 0, other = 0;  ///< which pair of the scenes
  std::vector<PairScores> scores;    ///< one for each pipeline
};

struct Comparison {
  std::vector<ComparedPair> pairs;    ///< in the order of the scenes
  std::vector<std::string> problems;  ///< a sentence for each image or pair that could not be evaluated, each once
  std::vector<std::string> warnings;  ///< sentences about pairs and images that gave too little to judge
};

struct CompareOptions {
  RobustOptions robust{};       ///< how homographies are estimated
  bool covisible_only = false;  ///< drop keypoints outside of what both images show, before max_features counts them
  /// Called before each image: how many of how many images are done, and which is next.
  std::function<void(std::size_t done, std::size_t total, const ImageName& next)> progress{};
  std::stop_token stop{};  ///< once stop is requested no further pair is begun
};

/// Compares the pipelines pair by pair. A pair counts for all of them or for none: where one fails it is a problem.
/// Each image is made once; in memory are the scene's first image, the current one, and the features of both. Throws
/// Error(invalid_option) for `robust`.
Comparison compare(std::span<const KnownScene> scenes, std::span<Pipeline> pipelines,
                   const CompareOptions& options = {});

/// Pairs that are summarised together.
struct PairGroup {
  std::string name;
  std::vector<std::size_t> pairs;  ///< indices into Comparison::pairs
};

/// "all", and HPatches' "illumination" and "viewpoint" by the folders of the scenes (i_NAME, v_NAME) where these are
/// neither empty nor all.
std::vector<PairGroup> groups_by_change(const Comparison& comparison, std::span<const KnownScene> scenes);

/// A group for each scene that has pairs, in their order.
std::vector<PairGroup> groups_by_scene(const Comparison& comparison, std::span<const KnownScene> scenes);

/// The scores of one pipeline in some of the pairs, and their means.
std::vector<PairScores> scores_of(const Comparison& comparison, std::size_t pipeline,
                                  std::span<const std::size_t> pairs);
Summary summarise(const Comparison& comparison, std::size_t pipeline, std::span<const std::size_t> pairs);

}  // namespace octavo
