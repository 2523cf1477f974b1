// FOAGDD's kernels and the buffers they work in, for one image at a time on one GPU: what an engine enqueues.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "device/cpu_pool.h"
#include "device/gpu.h"
#include "device/image_on_gpu.h"
#include "foagdd/foagdd.h"

namespace octavo {

class FoagddGpu {
 public:
  FoagddGpu(const FoagddOptions& options, std::shared_ptr<Gpu> gpu);

  /// Makes room for images like this one, with a mask or without. Throws Error(out_of_memory).
  void prepare(const ImageView& image, bool masked);
  /// Gives the memory that images take back, so that what did not fit does not stand in the way of what will.
  void release();

  /// The image is large enough for corners, so there is work to do.
  [[nodiscard]] bool has_work() const { return rows_ > 0; }

  /// Where the pixels are put before the work; the mask likewise, if there is one.
  [[nodiscard]] ImageOnGpu& image() { return image_; }
  [[nodiscard]] ImageOnGpu& mask() { return mask_; }

  /// From pixels to the list of candidates and their number, the same for all images of a shape while the list
  /// does not grow. `done` is told the name of each stage when it is enqueued.
  void enqueue_work(const std::function<void(std::string_view stage)>& done);
  /// The download of their number and of so many of them as the images before make likely.
  void enqueue_download();

  /// Once the queue is done with the download: true if the list was too short. It is long enough now: run again.
  bool list_grew();
  /// The corners, row by row, once the list sufficed. Waits for what was not likely.
  std::vector<FoagddPoint> corners();

  [[nodiscard]] GpuQueue& queue() { return *queue_; }

 private:
  using Done = std::function<void(std::string_view stage)>;
  struct FilterOnGpu {
    FoagddFilterShape shape;
    std::unique_ptr<GpuBuffer> taps, weights;
  };

  FilterOnGpu upload_filter(const FoagddFilter& f);
  void enqueue_measures(const Done& done);
  void enqueue_candidates(const Done& done);
  void make_list(std::size_t candidates);
  [[nodiscard]] std::size_t found() const;

  FoagddPlan plan_;
  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuKernel> extend_, respond_, measure_, find_, verify_;
  bool fixed_window_ = false;  // 8 directions, 7 pixels
  std::vector<FilterOnGpu> filters_;
  ImageOnGpu image_, mask_;
  std::unique_ptr<GpuBuffer> extended_, responses_, keys_, list_;
  std::unique_ptr<GpuPinned> fetched_;
  std::size_t capacity_ = 0;  // candidates for which the list has room
  std::size_t likely_ = 0;    // so many may an image have, going by those before
  std::size_t expected_ = 0;  // so many were asked for
  // Of the image prepared for.
  int width_ = 0, height_ = 0, channels_ = 0;
  PixelType type_ = PixelType::u8;
  bool masked_ = false;
  int rows_ = 0, columns_ = 0;  // measured
  int extended_stride_ = 0, response_stride_ = 0, key_stride_ = 0;
  std::int64_t planes_ = 0;          // [float] from one plane of responses to the next
  std::unique_ptr<GpuQueue> queue_;  // last: it is gone, and done, before the buffers are
};

}  // namespace octavo
