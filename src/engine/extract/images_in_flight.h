// The images in flight on one device. Each has a lane: a detector with buffers and a queue of its own. An image whose
// pixels the caller may change at once is staged and enqueued by the caller's thread. An image that the caller keeps
// waits in a list, and a thread of this object stages and enqueues it, so that the caller's copies limit no device. A
// second thread waits for finished work and fetches it in the order in which it was begun, so that neither a slow
// collector nor another device delays this one.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "engine/device/checked_images.h"
#include "engine/extract/detector.h"

namespace octavo {

/// One thread at a time calls the functions of an object.
class ImagesInFlight {
 public:
  /// Makes the first lane, so that missing features of the device show at once. Throws the errors of making a detector.
  explicit ImagesInFlight(DetectorOnDevice device);
  /// Abandons the images in flight.
  ~ImagesInFlight();
  ImagesInFlight(const ImagesInFlight&) = delete;
  ImagesInFlight& operator=(const ImagesInFlight&) = delete;

  [[nodiscard]] const DetectorOnDevice& device() const { return device_; }
  /// The number of images that keep the device busy. Further images wait for a lane.
  [[nodiscard]] int useful() const { return device_.is_asynchronous() ? most_lanes : 1; }
  /// The number of submitted images whose features are not fetched yet, also those that are not begun.
  [[nodiscard]] int in_flight() const;

  /// The memory of one image of the shape of `image`, whose pixels are not read. The same for each image in flight.
  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, bool masked);
  /// True if the GPU is the CPU, so that its buffers take the host's memory.
  [[nodiscard]] bool shares_memory() const { return device_.gpu && device_.gpu->facts().is_cpu; }

  /// Extracts on the calling thread, at the same time as the images in flight. Throws the errors of `begin` and
  /// `finish`.
  DetectedFeatures extract(const DetectorJob& job, std::vector<StageTime>* times);
  /// Starts as soon as a lane is free. Throws the errors of `begin`; the future throws those of `finish`. If the device
  /// is not asynchronous, the work is done before this returns.
  std::future<DetectedFeatures> submit(const DetectorJob& job);
  /// The same for an image in host memory whose pixels, and those of its mask, stay as they are until the future is
  /// ready. Returns before the image is begun, once fewer than useful() images are in flight. The future throws the
  /// errors of `begin` too.
  std::future<DetectedFeatures> submit_lent(const DetectorJob& job);
  /// Describes keypoints on the calling thread, at the same time as the images in flight. Throws Error.
  Description describe(const ImageView& image, std::span<const Keypoint> keypoints, OrientationFrom from);
  /// The memory of `describe`. Throws Error(invalid_argument) if the detector has no descriptors.
  [[nodiscard]] MemoryNeed memory_for_description(const ImageView& image, std::size_t keypoints) const;

  /// Waits for the images in flight, then frees all lanes with their buffers; also those of `describe`.
  void release();

 private:
  struct Lane {
    std::unique_ptr<Detector> detector;
    bool busy = false;  // under mutex_
    // Under beginning_: the images for which memory was available, and the bytes of the host's memory that they take.
    CheckedImages checked;
    std::uint64_t checked_bytes = 0;
  };
  // What describes keypoints, and the memory for which it has been checked.
  struct Describing {
    std::unique_ptr<Describer> describer;
    MemoryBytes checked;
  };
  // Frees the lane at the end of its life.
  struct LaneInUse {
    ImagesInFlight& owner;
    Lane& lane;
    ~LaneInUse() { owner.free(lane); }
  };
  struct Waiting {
    DetectorJob job;
    std::optional<ImageView> mask;
    std::promise<DetectedFeatures> extracted;
  };
  struct Begun {
    Lane* lane;
    std::promise<DetectedFeatures> extracted;
  };

  // This is enough to overlap the upload of one image, the work on another and the download of a third.
  static constexpr int most_lanes = 4;

  // That something has changed, for the threads that wait for it. Each kind of change has its own, so that an image
  // wakes no thread that has nothing to do: waking takes as long as a good part of the work on a small image. It is no
  // std::condition_variable: the wait of that has a symbol of GCC 12's library, which older systems lack.
  class Change {
   public:
    // Waits without the lock, which protects what changes.
    void wait(std::unique_lock<std::mutex>& lock);
    // Called under the same mutex.
    void tell();

   private:
    std::atomic<std::uint32_t> count_ = 0;
  };

  bool has_beginner();
  void add_lane();
  Lane& take_free_lane();
  Lane& begin(const DetectorJob& job);
  Lane& begin_on_free_lane(const DetectorJob& job);
  void begin_on(Lane& lane, const DetectorJob& job);
  void begin_lent(Waiting next);
  void fetch_later(Begun begun);
  void fetch(Begun begun);
  void stop_if_asked() const;
  void free(Lane& lane);
  void end(Lane* lane);
  void remove_lanes();
  [[nodiscard]] std::unique_ptr<Describer> make_describer() const;
  Description describe_now(const ImageView& image, std::span<const Keypoint> keypoints, OrientationFrom from);
  void forget_describer();
  void begin_until_stopped();
  void fetch_until_stopped();

  DetectorOnDevice device_;
  // Locked while an image is begun: one at a time on this device. Locked before the other two.
  mutable std::mutex beginning_;
  std::size_t lanes_that_fit_ = most_lanes;  // under beginning_
  // Size of the image for which there were too many lanes; under beginning_.
  std::int64_t too_many_pixels_ = 0;
  std::vector<std::unique_ptr<Lane>> lanes_;  // changed under beginning_ and mutex_
  mutable std::mutex describing_mutex_;
  Describing describing_;  // under describing_mutex_
  mutable std::mutex mutex_;
  // A lane became free or an image has ended; an image can be begun; an image can be fetched. The end of the object is
  // told to all.
  Change room_, to_begin_, to_fetch_;
  int in_flight_ = 0;            // under mutex_
  std::deque<Waiting> waiting_;  // under mutex_
  std::deque<Begun> begun_;      // under mutex_
  bool stopping_ = false;        // under mutex_
  // Started by the first submission that needs them.
  std::thread beginner_, fetcher_;
};

}  // namespace octavo
