#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/image.h"
#include "octavo/io/image_files.h"
#include "octavo/jobs/match_job.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"
#include "octavo/multiview/geometry.h"
#include "octavo/progress.h"

// Two images, or their stored features, matched, verified and drawn.

namespace OCTAVO_API octavo {

/// One of the two.
struct ImageOrFeatures {
  std::filesystem::path file;     ///< an image, or its features (looks_like_features)
  std::filesystem::path image{};  ///< of features: the image that they are of; empty: it is not known

  [[nodiscard]] bool is_stored() const;
  /// The image; empty if it is not known.
  [[nodiscard]] const std::filesystem::path& image_file() const { return is_stored() ? image : file; }
};

struct MatchTwoJob {
  ImageOrFeatures a, b;
  ReadOptions read{};
  Verification verification{};
  bool draw = false;  ///< draw both images side by side, which must be known
  DetectorOptions detector{};
  MatchOptions match{};
  DeviceOptions device{};
  /// Gives the bytes of the image "-", once; empty: "-" is a file.
  std::function<std::vector<std::byte>()> standard_input{};
};

struct MatchedTwo {
  Features features_a{}, features_b{};
  std::vector<Match> matches{};
  double match_seconds = 0;               ///< [second] wall time of the matching alone
  std::optional<EssentialModel> model{};  ///< none: not verified
  std::optional<Image> drawing{};         ///< lines for the inliers, or without verification for all matches
};

/// Matches the two. The context is told the steps. Throws Error(invalid_option), also for a drawing or a camera that
/// needs an image which is not known; Error(file_error), Error(device_unavailable), Error(out_of_memory).
MatchedTwo match_two(const MatchTwoJob& job, const JobContext& context = {});

}  // namespace octavo
