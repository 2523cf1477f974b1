// The features of many images, in memory within a limit.

#include "jobs/match_features.h"

#include <fmt/core.h>

#include <exception>
#include <filesystem>
#include <map>
#include <utility>

#include "io/features/hloc.h"
#include "io/images/mask.h"
#include "jobs/image_masks.h"
#include "octavo/batch.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/io/feature_files.h"
#include "octavo/io/image_files.h"

namespace octavo::jobs {
namespace {

constexpr std::size_t bytes_per_keypoint = sizeof(Keypoint) + descriptor_length;

// Features that are given, or that files have: of one image, or hloc's, which stay open.
class FeatureReader {
 public:
  explicit FeatureReader(const FeaturesByName& given) : given_(given) {}

  Features read(const ImageFile& image) {
    if (given_) return given_(image.name.generic_string());
    if (!is_hloc_file(image.file)) return read_features(image.file);
    const auto known = hloc_.find(image.file);
    HlocFeatures& file =
        (known != hloc_.end() ? known : hloc_.emplace(image.file, HlocFeatures(image.file)).first)->second;
    return file.read(image.name.string());
  }

 private:
  const FeaturesByName& given_;
  std::map<std::filesystem::path, HlocFeatures> hloc_;
};

// Keeps features as long as there is room for them.
class Loading {
 public:
  Loading(const MatchJob& job, const JobContext& context)
      : job_(job), context_(context), found_(job.pairs.images.size()) {
    std::vector<bool> is_needed(job.pairs.images.size());
    for (const auto& [a, b] : job.pairs.pairs) is_needed[a] = is_needed[b] = true;
    for (std::size_t i = 0; i < is_needed.size(); ++i) {
      const bool is_stored = job.features || has_features(job.pairs.images[i]);
      if (is_needed[i]) (is_stored ? stored_ : images_).push_back(i);
    }
  }

  std::vector<ImageFeatures> run() {
    if (!images_.empty()) extract();
    FeatureReader reader(job_.features);
    for (const std::size_t i : stored_) {
      if (context_.stop.stop_requested()) break;
      show(i);
      std::optional<Features> features;
      try {
        found_[i].facts = facts_of_given(job_.pairs.images[i]);
        features = reader.read(job_.pairs.images[i]);
      } catch (const std::exception& error) {
        report_failure(context_, error.what());
      }
      if (features) keep(i, *std::move(features));
    }
    return std::move(found_);
  }

 private:
  void extract() {
    DeviceOptions device = job_.device;
    device.progress = context_.progress;
    const Masks masks(job_.mask, job_.read);
    std::vector<ImageFile> read;
    for (const std::size_t i : images_) read.push_back(job_.pairs.images[i]);
    check_masks(masks, read, context_);
    std::vector<BatchImage> images;
    for (const std::size_t i : images_) {
      const ImageFile& image = job_.pairs.images[i];
      images.push_back({image.file.string(), [&, &facts = found_[i].facts] {
                          Photograph photograph = masks.read(image.file, image.name, job_.read);
                          facts = facts_of(photograph);
                          require_focal_length(job_.verification, job_.verification.camera, image.file.string(), facts);
                          return masked(std::move(photograph.image));
                        }});
    }
    Extractor extractor = make_extractor(job_.detector, device);
    Batch batch(extractor, std::move(images), {.stop = context_.stop});
    for (const std::size_t i : images_) {
      show(i);
      std::optional<BatchResult> result = batch.next();
      if (!result) return;
      if (result->failure) {
        report_failure(context_, result->problem);
      } else {
        keep(i, std::move(result->features));
      }
    }
  }

  // What the image of given features tells of its camera, where that is needed.
  [[nodiscard]] ImageFacts facts_of_given(const ImageFile& image) const {
    if (!job_.features || job_.verification.by != Verify::essential) return {};
    ReadOptions read = job_.read;
    read.apply_exif_rotation = false;
    const ImageFacts facts = facts_of(read_photograph(image.file, read));
    require_focal_length(job_.verification, job_.verification.camera, image.file.string(), facts);
    return facts;
  }

  void show(std::size_t image) {
    report_item(context_.progress, job_.pairs.images[image].file.string(), shown_++, images_.size() + stored_.size());
  }

  void keep(std::size_t image, Features features) {
    used_ += features.size() * bytes_per_keypoint;
    ++kept_;
    if (used_ > job_.feature_memory) {
      throw Error(ErrorCode::out_of_memory,
                  fmt::format("the features of {} of {} images take more than {} MiB: allow more with "
                              "`feature_memory`, keep fewer with `max_features`, or match a part of the pairs",
                              kept_, images_.size() + stored_.size(), job_.feature_memory >> 20));
    }
    found_[image].features = std::move(features);
  }

  const MatchJob& job_;
  const JobContext& context_;
  std::vector<ImageFeatures> found_;
  std::vector<std::size_t> images_, stored_;  // those that are needed, by where their features come from
  std::size_t shown_ = 0, kept_ = 0;
  std::uint64_t used_ = 0;  // [byte]
};

}  // namespace

std::vector<ImageFeatures> features_of_images(const MatchJob& job, const JobContext& context) {
  return Loading(job, context).run();
}

}  // namespace octavo::jobs
