#pragma once

// `octavo match`: what the command line asks for, and its two jobs.

#include <string>

#include "octavo/jobs/match_jobs.h"

namespace octavo::cli {

struct MatchCall {
  MatchPlaces places;
  std::string image_a, image_b;  ///< of two: the images of stored features
  std::string output;
  bool json = false;
  bool refine = false;          ///< of two
  bool detector_given = false;  ///< an option of detectors is on the command line
  bool reading_given = false;   ///< an option of reading images is on the command line
  MatchJob job;
};

/// Matches two images, or stored features. Returns the exit code.
int match_one_pair(const MatchCall& call);

/// Matches pairs of many images, or stored features. Returns the exit code.
int match_many_pairs(MatchCall& call);

}  // namespace octavo::cli
