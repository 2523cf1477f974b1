// The features of many pictures, in memory within a limit.

#include "cli/match/pair_features.h"

#include <fmt/core.h>

#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cli/interruption.h"
#include "cli/progress.h"
#include "octavo/batch.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/hloc.h"
#include "octavo/imageio.h"
#include "octavo/photograph.h"

namespace octavo::cli {
namespace {

constexpr std::size_t bytes_per_keypoint = sizeof(Keypoint) + descriptor_length;

// What has to be loaded, by where it comes from.
struct Needed {
  std::vector<PlannedPicture*> pictures, stored;
};

Needed needed_of(PairPlan& plan) {
  std::vector<bool> is_needed(plan.pictures.size());
  for (const auto& [a, b] : plan.pairs) is_needed[a] = is_needed[b] = true;
  Needed needed;
  for (std::size_t i = 0; i < plan.pictures.size(); ++i) {
    PlannedPicture& picture = plan.pictures[i];
    if (is_needed[i]) (is_stored(picture) ? needed.stored : needed.pictures).push_back(&picture);
  }
  return needed;
}

// Keeps features as long as there is room for them.
class Room {
 public:
  Room(std::size_t bytes, std::size_t total) : bytes_(bytes), total_(total) {}

  void keep(PlannedPicture& picture, Features features) {
    used_ += features.size() * bytes_per_keypoint;
    ++kept_;
    if (used_ > bytes_) {
      throw Error(ErrorCode::out_of_memory,
                  fmt::format("the features of {} of {} pictures take more than {} MiB: allow more with "
                              "--feature-memory, keep fewer with --max-features, or match a part of the pairs",
                              kept_, total_, bytes_ >> 20));
    }
    picture.features = std::move(features);
  }

 private:
  std::size_t bytes_, total_;  // the limit; the number of pictures
  std::size_t used_ = 0, kept_ = 0;
};

// Reads features from files of one picture, and from hloc's, which stay open.
class StoredFeatures {
 public:
  Features read(const PlannedPicture& picture) {
    const std::filesystem::path& file = picture.file.file;
    if (!is_hloc_file(file)) return read_features(file);
    const auto known = hloc_.find(file);
    return (known != hloc_.end() ? known : hloc_.emplace(file, HlocFeatures(file)).first)->second.read(picture.name);
  }

 private:
  std::map<std::filesystem::path, HlocFeatures> hloc_;
};

BatchImage batch_image(const MatchCall& call, PlannedPicture& picture) {
  const std::filesystem::path& file = picture.file.file;
  return {file.string(), [&call, &file, &facts = picture.facts] {
            Photograph photograph = octavo::read_photograph(file, call.read);
            facts = facts_of(photograph);
            require_focal_length(call, call.camera, file.string(), facts);
            return LoadedImage{std::move(photograph.image)};
          }};
}

}  // namespace

void load_features(const MatchCall& call, const DeviceOptions& device, PairPlan& plan, Progress& progress,
                   const Interruption& interruption, const OnFailure& fail) {
  const Needed needed = needed_of(plan);
  const std::size_t total = needed.pictures.size() + needed.stored.size();
  std::size_t done = 0;
  Room room(call.feature_memory, total);
  if (!needed.pictures.empty()) {
    std::vector<BatchImage> images;
    for (PlannedPicture* const picture : needed.pictures) images.push_back(batch_image(call, *picture));
    Extractor extractor = make_extractor(call.detector, device);
    Batch batch(extractor, std::move(images));
    for (PlannedPicture* const picture : needed.pictures) {
      if (interruption.is_requested()) return;
      progress.show(picture->file.file.string(), done++, total);
      BatchResult result = batch.next().value();
      if (result.failure) {
        fail(result.problem);
      } else {
        room.keep(*picture, std::move(result.features));
      }
    }
  }
  StoredFeatures stored;
  for (PlannedPicture* const picture : needed.stored) {
    if (interruption.is_requested()) return;
    progress.show(picture->file.file.string(), done++, total);
    std::optional<Features> features;
    try {
      features = stored.read(*picture);
    } catch (const std::exception& error) {
      fail(error.what());
    }
    if (features) room.keep(*picture, *std::move(features));
  }
}

}  // namespace octavo::cli
