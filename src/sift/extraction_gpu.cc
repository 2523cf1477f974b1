// Everything is enqueued at once: upload, pyramid, extrema, orientations, canonical order, the budget's choice,
// descriptors, and the download of as many features as the images before make likely. The work between upload and
// download is recorded once for an image size and replayed (a CUDA graph). A usual image costs one wait; the host comes
// back for features beyond those expected, and makes more room and runs again in the rare case that a list was full.

#include "sift/extraction_gpu.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "device/gpu_room.h"
#include "device/recorded_work_gpu.h"
#include "sift/sift_gpu.h"
#include "device/stage_marks_gpu.h"

namespace octavo {

namespace {

// Of the first octave, in a photograph, about.
constexpr std::size_t pixels_per_keypoint = 600;

// Images have a few features more or less.
constexpr std::size_t staging_step = std::size_t{256} << 10;

class GpuExtraction : public Extraction {
 public:
  GpuExtraction(const SiftOptions& options, GpuShare share)
      : share_(std::move(share)), sift_(options, share_.gpu), marks_(sift_.queue()) {}

  void begin(const ExtractionJob& job) override {
    const ImageView& image = job.image;
    stays_ = job.keep == Keep::on_device;
    try {
      const ImageShape shape = shape_of(job);
      if (shape_ != shape) {
        forget();
        sift_.prepare(image, job.mask != nullptr);
        shape_ = shape;
      }
      if (!sift_.has_work()) return;
      if (likely_ == 0) likely_ = most_likely();
      marks_.begin(job.timed);
      std::unique_ptr<GpuEvent> read;  // the caller's memory was, where that is not done yet
      if (job.on_device) {
        sift_.copy_image(*job.on_device);
      } else if (sift_.upload_image(image, *share_.threads)) {
        read = sift_.queue().event();
      }
      if (job.mask) sift_.upload_mask(*job.mask);
      marks_.mark("upload");
      run();
      if (read) read->wait();
    } catch (...) {
      give_up();
      throw;
    }
  }

  Extracted finish(std::vector<StageTime>* times) override {
    Extracted found;
    if (times) times->clear();
    if (!sift_.has_work()) {
      if (stays_) keep(found, 0);
      return found;
    }
    try {
      sift_.queue().wait();
      while (sift_.lists_grew()) {
        work_.forget();
        marks_.begin_again_after(1);  // the upload stays true
        run();
        sift_.queue().wait();
      }
      if (stays_) {
        keep(found, sift_.kept());
      } else {
        fetch(found.features, sift_.kept());
      }
      if (times) *times = marks_.times();
    } catch (...) {
      give_up();
      throw;
    }
    return found;
  }

 private:
  // What did not fit shall not stand in the way of what will.
  void give_up() {
    forget();
    sift_.release();
    share_.buffers->clear();
  }

  void forget() {
    shape_.reset();
    work_.forget();
    likely_ = 0;
  }

  // Before any image of this shape was seen.
  [[nodiscard]] std::size_t most_likely() const {
    return static_cast<std::size_t>(sift_.pyramid().layout().front().level_floats) / pixels_per_keypoint + 64;
  }

  // From the uploaded image to the features that are likely to be there.
  void run() {
    if (marks_.timed()) {
      enqueue();
    } else {
      work_.run(sift_.queue(), [&] { enqueue(); });
    }
    if (stays_) return;
    download(0, std::min(likely_, sift_.kept_capacity()));
    marks_.mark("download");
  }

  void enqueue() {
    sift_.enqueue_work([&](std::string_view stage) { marks_.mark(stage); });
    sift_.enqueue_counts();
  }

  // Pinned memory for so many bytes.
  std::byte* staged(std::size_t bytes) {
    make_room(*share_.gpu, staging_, bytes, staging_step);
    return staging_->data();
  }

  // Enqueues the download of so many keypoints and their descriptors.
  void download(std::size_t first, std::size_t count) {
    downloaded_ = count;
    std::byte* const to = staged(count * (sizeof(Keypoint) + descriptor_length));
    sift_.queue().download(to, sift_.keypoints(), first * sizeof(Keypoint), count * sizeof(Keypoint));
    sift_.queue().download(to + count * sizeof(Keypoint), sift_.descriptors(), first * descriptor_length,
                           count * descriptor_length);
  }

  // Appends the first `count` of what was downloaded last.
  void append(Features& features, std::size_t count) {
    const auto* keypoints = reinterpret_cast<const Keypoint*>(staging_->data());
    features.keypoints.insert(features.keypoints.end(), keypoints, keypoints + count);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(keypoints + downloaded_);
    features.descriptors.insert(features.descriptors.end(), bytes, bytes + count * descriptor_length);
  }

  void fetch(Features& features, std::size_t n) {
    features.keypoints.reserve(n);
    features.descriptors.reserve(n * descriptor_length);
    const std::size_t had = std::min(n, downloaded_);
    append(features, had);
    if (n > had) {
      download(had, n - had);
      sift_.queue().wait();
      append(features, n - had);
    }
    // More at once where an image had more; fewer by and by, since the next may have as many again.
    likely_ = std::max(n + n / 4 + 64, likely_ - likely_ / 4);
  }

  // Moves the features out of the way of the next image. Where that goes wrong, what was enqueued still finds what it
  // needs in `found`.
  void keep(Extracted& found, std::size_t n) {
    const auto kept = std::make_shared<FeaturesOnGpu>(FeaturesOnGpu{share_.gpu, n, nullptr});
    found.on_gpu = kept;
    if (n == 0) return;
    GpuQueue& queue = sift_.queue();
    const std::shared_ptr<GpuBuffer> buffer = share_.buffers->take(kept->descriptor_bytes() + kept->keypoint_bytes());
    kept->buffer = buffer;
    queue.copy(*buffer, 0, sift_.descriptors(), 0, kept->descriptor_bytes());
    queue.copy(*buffer, kept->descriptor_bytes(), sift_.keypoints(), 0, kept->keypoint_bytes());
    queue.wait();
  }

  GpuShare share_;
  std::optional<ImageShape> shape_;
  bool stays_ = false;  // the features, on the GPU
  std::unique_ptr<GpuPinned> staging_;
  std::size_t likely_ = 0;      // so many features may an image of this shape have; 0: nothing is known
  std::size_t downloaded_ = 0;  // features that lie in staging_
  SiftGpu sift_;
  RecordedWork work_;
  StageMarks marks_;
};

}  // namespace

std::unique_ptr<Extraction> make_gpu_extraction(const SiftOptions& options, GpuShare share) {
  return std::make_unique<GpuExtraction>(options, std::move(share));
}

}  // namespace octavo
