#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/images/masks.h"
#include "io/results/result_folder.h"
#include "jobs/extract_output.h"
#include "octavo/batch.h"
#include "octavo/jobs/image_jobs.h"
#include "octavo/progress.h"

namespace octavo::jobs {

/// What is found out while the frames of a video are extracted.
struct ClipTally {
  bool has_keypoints = false;
  std::string why_none;  ///< why the first frame without keypoints has none
};

/// One step of a job: an image to extract, one that is up to date, or a remark on a video.
struct ExtractItem {
  ImageFile image{};                     ///< of a remark: the video
  std::function<LoadedImage()> load{};   ///< empty: nothing is to be extracted
  std::optional<std::uint64_t> known{};  ///< keypoints of an image that is up to date
  ResultSource source{};                 ///< what the image was read from; known once it is loaded
  std::string failure{};                 ///< of the video, which cannot be read to its end
  std::vector<std::string> warnings{};   ///< of the video, which has ended
  std::shared_ptr<ClipTally> clip{};     ///< of the video; null: it is an image
};

/// Gives the items of a job in their order; null after the last one. An item's `load` may be called on another thread,
/// and sets its `source`.
using ItemSource = std::function<std::shared_ptr<ExtractItem>()>;

/// `up_to_date`: of each image the keypoints, or none if it is to be done. All must outlive the source.
ItemSource items_of_images(const ExtractJob& job, const std::vector<ImageFile>& images,
                           const std::vector<std::optional<std::uint64_t>>& up_to_date, const Masks& masks);

/// The frames of videos. `output` may be null.
ItemSource items_of_videos(const ExtractJob& job, const std::vector<ImageFile>& videos, ExtractFolder* output,
                           const Masks& masks, const JobContext& context);

}  // namespace octavo::jobs
