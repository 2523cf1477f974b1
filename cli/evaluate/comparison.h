#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/evaluate/contender.h"
#include "octavo/evaluate.h"

namespace octavo::cli {

/// Images of one scene, wherever they come from. They are made when they are needed, and dropped when they are done.
struct Scene {
  struct Shown {
    Image image;
    Truth truth;  ///< from the first image to this one
  };
  struct Other {
    ImageName name;
    std::function<Shown()> show;
  };
  std::string name;
  ImageName first_name;
  std::function<Image()> first;
  std::vector<Other> others;
};

/// A pair of images that every setting went through.
struct ComparedPair {
  std::size_t scene = 0, other = 0;  ///< which pair of the scenes
  std::vector<PairScores> scores;    ///< one for each setting
};

struct Comparison {
  std::vector<ComparedPair> pairs;    ///< in the order of the scenes
  std::vector<std::string> problems;  ///< a sentence for each image or pair that could not be evaluated, each once
  std::vector<std::string> warnings;  ///< sentences about what was evaluated with too little
};

/// Compares the settings pair by pair. A pair counts for all of them or for none: where one fails it is a problem. If
/// `covisible_only`, keypoints outside of what both images show are dropped before the budget. Each image is made once;
/// in memory are the scene's first image and the current one, and the features of both.
Comparison compare(std::span<const Scene> scenes, std::span<Contender> contenders, const RobustOptions& robust,
                   bool covisible_only);

}  // namespace octavo::cli
