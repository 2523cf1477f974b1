// Everything is enqueued at once: upload, pyramid, extrema, orientations, canonical order, descriptors. The work of an
// image size is recorded once and replayed (a CUDA graph). The host comes back for the counts, makes more room and runs
// again in the rare case that a list was full, and fetches the features. Only a budget asks the host in between: which
// keypoints it keeps is decided where all devices share the code (selection.h).

#include "sift/extraction_gpu.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "sift/selection.h"
#include "sift/sift_gpu.h"

namespace octavo {

namespace {

class GpuExtraction : public Extraction {
 public:
  GpuExtraction(const SiftOptions& options, std::shared_ptr<Gpu> gpu)
      : options_(options), gpu_(std::move(gpu)), sift_(options_, gpu_) {}

  void begin(const ImageView& image, const ImageView* mask, bool timed) override {
    timed_ = timed;
    try {
      const Shape shape{image.width, image.height, image.channels, image.type, mask != nullptr};
      if (shape_ != shape) {
        forget();
        sift_.prepare(image, mask != nullptr);
        shape_ = shape;
      }
      if (!sift_.has_work()) return;
      sift_.stage(image, mask);
      run();
    } catch (...) {
      forget();
      sift_.release();
      throw;
    }
  }

  Features finish(std::vector<StageTime>* times) override {
    Features features;
    if (times) times->clear();
    if (!sift_.has_work()) return features;
    try {
      sift_.queue().wait();
      while (sift_.lists_grew()) {
        recording_.reset();
        run();
        sift_.queue().wait();
      }
      fetch(features);
      if (times) *times = stage_times();
    } catch (...) {
      forget();
      sift_.release();
      throw;
    }
    return features;
  }

 private:
  // What the buffers and the recording depend on.
  struct Shape {
    int width, height, channels;
    PixelType type;
    bool masked;
    friend bool operator==(const Shape&, const Shape&) = default;
  };

  void forget() {
    shape_.reset();
    recording_.reset();
  }

  void run() {
    if (timed_) {
      enqueue();
      return;
    }
    if (!recording_) {
      sift_.queue().begin_recording();
      try {
        enqueue();
      } catch (...) {
        sift_.queue().end_recording();
        throw;
      }
      recording_ = sift_.queue().end_recording();
    }
    sift_.queue().replay(*recording_);
  }

  void mark(const char* stage) {
    if (timed_) marks_.emplace_back(stage, sift_.queue().event());
  }

  void enqueue() {
    marks_.clear();
    mark("");
    sift_.enqueue_upload();
    mark("upload");
    sift_.enqueue_scale_space_and_extrema();
    mark("scale space, extrema");
    sift_.enqueue_orientation();
    mark("orientation");
    sift_.enqueue_order();
    mark("order");
    if (options_.max_features == 0) sift_.enqueue_description(-1);
    mark("descriptor");
    sift_.enqueue_counts();
  }

  // Pinned memory for so many bytes.
  std::byte* staged(std::size_t bytes) {
    if (!staging_ || staging_->bytes() < bytes) {
      staging_.reset();
      staging_ = gpu_->allocate_pinned(bytes + bytes / 4);
    }
    return staging_->data();
  }

  void fetch(Features& features) {
    GpuQueue& queue = sift_.queue();
    std::size_t n = sift_.counted(keypoint_counter);
    if (n == 0) return;
    const std::size_t keypoint_bytes = n * sizeof(Keypoint);
    std::byte* keypoints = staged(keypoint_bytes + n * descriptor_length);
    std::byte* descriptors = keypoints + keypoint_bytes;
    features.keypoints.resize(n);
    queue.download(keypoints, sift_.keypoints(), 0, keypoint_bytes);
    if (options_.max_features > 0) {
      queue.wait();
      std::memcpy(features.keypoints.data(), keypoints, keypoint_bytes);
      n = describe_chosen(features.keypoints);
    } else {
      features.descriptors.resize(n * descriptor_length);
    }
    queue.download(descriptors, sift_.descriptors(), 0, n * descriptor_length);
    mark("download");
    queue.wait();
    if (options_.max_features == 0) std::memcpy(features.keypoints.data(), keypoints, keypoint_bytes);
    features.descriptors.resize(n * descriptor_length);
    std::memcpy(features.descriptors.data(), descriptors, features.descriptors.size());
  }

  // Cuts the keypoints to the budget and enqueues the descriptors of those that are left. Returns their number.
  std::size_t describe_chosen(std::vector<Keypoint>& keypoints) {
    std::vector<std::int32_t> chosen;
    for (const std::size_t i : select(keypoints, shape_->width, shape_->height, options_)) {
      keypoints[chosen.size()] = keypoints[i];  // indices ascend: nothing unread is overwritten
      chosen.push_back(static_cast<std::int32_t>(i));
    }
    keypoints.resize(chosen.size());
    sift_.queue().upload(sift_.chosen(), 0, chosen.data(), chosen.size() * sizeof(std::int32_t));
    sift_.enqueue_description(static_cast<int>(chosen.size()));
    sift_.queue().wait();  // `chosen` must last until it is uploaded
    return chosen.size();
  }

  std::vector<StageTime> stage_times() const {
    std::vector<StageTime> times;
    for (std::size_t i = 1; i < marks_.size(); ++i) {
      times.push_back({marks_[i].first, marks_[i].second->milliseconds_since(*marks_[i - 1].second)});
    }
    return times;
  }

  SiftOptions options_;
  std::shared_ptr<Gpu> gpu_;
  std::optional<Shape> shape_;
  bool timed_ = false;
  std::unique_ptr<GpuPinned> staging_;
  SiftGpu sift_;
  std::unique_ptr<GpuRecording> recording_;
  std::vector<std::pair<const char*, std::unique_ptr<GpuEvent>>> marks_;
};

}  // namespace

std::unique_ptr<Extraction> make_gpu_extraction(const SiftOptions& options, std::shared_ptr<Gpu> gpu) {
  return std::make_unique<GpuExtraction>(options, std::move(gpu));
}

}  // namespace octavo
