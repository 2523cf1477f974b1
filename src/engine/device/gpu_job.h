// Runs an algorithm on a GPU for one image after the other. This is the part that is the same for every algorithm.
//
// The first image of a shape (size, channels, type, masked or not) makes room. Its work is recorded while it is
// enqueued, and replayed for all later images of the shape (a CUDA graph). An image costs one submission and one wait:
// the upload, the recorded work and the download of a likely number of results are enqueued together. The likely number
// follows from the images before. Further results take a second download. If a list on the device was too short, it
// grows and the work runs again on the uploaded image. Images whose stages are timed are enqueued and not recorded,
// since a recording holds no events. After any error the recording is dropped and the memory is freed, so that it is
// available for other images.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/device/checked_images.h"
#include "engine/device/cpu_pool.h"
#include "engine/device/gpu.h"
#include "engine/device/image_on_gpu.h"
#include "engine/device/recorded_work_gpu.h"
#include "engine/device/stage_marks_gpu.h"
#include "octavo/device.h"
#include "octavo/image_view.h"

namespace octavo {

/// A list of results in the memory of a GPU: a head for the list, then equal items without gaps.
struct GpuResultList {
  const GpuBuffer& buffer;
  std::size_t item_bytes;
  std::size_t head_bytes = 0;
};

/// The part of a GpuJob that belongs to the algorithm. GpuJob calls it.
class GpuWork {
 public:
  using StageDone = std::function<void(std::string_view stage)>;

  virtual ~GpuWork() = default;

  /// The same work on another GPU, for images of its own.
  [[nodiscard]] virtual std::unique_ptr<GpuWork> on(const std::shared_ptr<Gpu>& gpu) const = 0;

  /// The queue of all the work. It lives as long as the object.
  [[nodiscard]] virtual GpuQueue& queue() = 0;

  /// Makes room for images of the shape of `image`, whose pixels are not read, with or without a mask. Earlier work of
  /// the queue is done. Throws Error(out_of_memory) and others; after an error `release` is called.
  virtual void prepare(const ImageView& image, bool masked) = 0;
  /// True if images of this shape are large enough to have results. If not, only `prepare` and `release` are called.
  [[nodiscard]] virtual bool has_work() const = 0;
  /// Frees the memory of `prepare` and `lists_grew`. The work of the queue is done.
  virtual void release() = 0;

  /// The place of an image's pixels before the work. There is room for them.
  [[nodiscard]] virtual ImageOnGpu& image() = 0;
  /// The place of the mask; null if the algorithm takes none.
  [[nodiscard]] virtual ImageOnGpu* mask() { return nullptr; }

  /// Enqueues the work from the image to the lists of results. If no head contains what the two functions below need,
  /// it enqueues its download too. The work is the same for all images of a shape until a list grows. It neither
  /// allocates nor waits. `done` gets the name of each stage when that stage is enqueued; the name lives as long as the
  /// program.
  virtual void enqueue(const StageDone& done) = 0;

  /// Called when the queue is done, like `results`. `head` is the head of the first list, or null if nothing was
  /// downloaded. Returns true if a list was too short. There is then enough room, and the work must run again.
  [[nodiscard]] virtual bool lists_grew(const std::byte* head) = 0;
  /// The number of results. Every list has this many items, and all lists have one order.
  [[nodiscard]] virtual std::size_t results(const std::byte* head) const = 0;

  /// The number of results that the lists have room for. All of it may be downloaded, including unused items.
  [[nodiscard]] virtual std::size_t capacity() const = 0;
  /// The number of results to expect of the first image of a shape.
  [[nodiscard]] virtual std::size_t likely_results() const = 0;
  [[nodiscard]] virtual std::vector<GpuResultList> lists() const = 0;
};

struct GpuJobMemory {
  MemoryNeed need;
  std::size_t results;  ///< GpuWork::likely_results
};

/// The memory that a GpuJob takes for images of the shape of `image`, whose pixels are not read, on a GPU with these
/// facts. The lists on the device have room for more results than a usual image has. Throws the errors of
/// GpuWork::prepare except Error(out_of_memory).
GpuJobMemory memory_of_job(const GpuWork& work, const GpuFacts& facts, const ImageView& image, bool masked);

/// The input and the options of one image.
struct GpuJobInput {
  /// Valid. Like the mask, it need not outlive `begin`.
  ImageView image;
  /// The image on the device if `image` has no pixels; its memory is one that the GPU recognises.
  const DeviceImage* on_device = nullptr;
  /// Valid, or null. Only for work that takes a mask.
  const ImageView* mask = nullptr;
  bool timed = false;  ///< `times` will be called
  bool stays = false;  ///< the results stay on the device
};

/// Runs a GpuWork on one image at a time. Usable again after an error. Destroy it before its work: the destructor waits
/// for running work.
class GpuJob {
 public:
  /// `threads` stage images. Only one of the jobs that share them may begin at a time.
  GpuJob(std::shared_ptr<Gpu> gpu, GpuWork& work, std::shared_ptr<CpuPool> threads);
  ~GpuJob();
  GpuJob(const GpuJob&) = delete;
  GpuJob& operator=(const GpuJob&) = delete;

  /// Submits an image and returns before the work is done. An earlier image that is not finished is abandoned. Throws
  /// Error.
  void begin(const GpuJobInput& input);

  /// Waits for the last image that was begun and calls `take` with the number of its results, which is 0 if there is no
  /// work. Until `take` returns, the results lie on the device, and `fetch` downloads them. Throws Error, and the
  /// errors of `take`.
  void finish(const std::function<void(std::size_t results)>& take);

  /// Receives one part of the results: their number, and the beginning of the part in each list. Called once or twice,
  /// in the order of the results.
  using Append = std::function<void(std::size_t results, const std::vector<const std::byte*>& lists)>;
  /// Gives all results to the callback, in host memory that is valid during the call. Only valid within `take`.
  void fetch(std::size_t results, const Append& append);

  /// The stages of the last finished image, if it was timed, in the order of the work.
  [[nodiscard]] std::vector<StageTime> times() const { return marks_.times(); }

 private:
  // The properties that the memory and the recording depend on.
  struct Shape {
    int width, height, channels;
    PixelType type;
    ChannelOrder order;
    bool masked;
    friend bool operator==(const Shape&, const Shape&) = default;
  };

  void prepare(const GpuJobInput& input);
  void require_memory(const ImageView& image, bool masked);
  // Returns true if the caller's memory is read until the upload is done.
  bool upload(const GpuJobInput& input);
  void run();
  void download(std::size_t first, std::size_t results);
  [[nodiscard]] const std::byte* head() const;
  void give_up();

  std::shared_ptr<Gpu> gpu_;
  GpuWork& work_;
  std::shared_ptr<CpuPool> threads_;
  std::optional<Shape> shape_;  // the shape that is prepared
  // The images for which memory was available, and the bytes on the device that they take.
  CheckedImages checked_;
  std::uint64_t checked_bytes_ = 0;
  bool unfinished_ = false;  // an image is begun and not finished
  bool stays_ = false;
  std::size_t likely_ = 0;      // expected number, from earlier images
  std::size_t downloaded_ = 0;  // number of results in staging_
  std::unique_ptr<GpuPinned> staging_;
  std::vector<const std::byte*> staged_;  // where the results of each list begin in staging_
  RecordedWork recorded_;
  StageMarks marks_;
};

}  // namespace octavo
