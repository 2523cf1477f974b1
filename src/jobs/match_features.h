#pragma once

#include <optional>
#include <vector>

#include "octavo/jobs/match_jobs.h"
#include "octavo/keypoint.h"
#include "octavo/progress.h"

namespace octavo::jobs {

/// The features of an image, and what is known of its camera.
struct ImageFeatures {
  ImageFacts facts{};
  std::optional<Features> features{};  ///< none: not needed, or failed
};

/// Extracts or reads the features of the images that a pair needs, of each image of the job. What fails is told to the
/// context. A stop ends this after the image in work. Throws Error(out_of_memory) for more than
/// MatchJob::feature_memory.
std::vector<ImageFeatures> features_of_images(const MatchJob& job, const JobContext& context);

}  // namespace octavo::jobs
