// The images in flight on one device. Each has a lane: a detector with buffers and a queue of its own. The caller
// stages and enqueues. A thread of this object waits for finished work and fetches it in the order of submission, so
// that neither a slow collector nor another device delays this one.

#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "extract/detector.h"

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
  /// The number of submitted images whose features are not fetched yet.
  [[nodiscard]] int in_flight() const;

  /// The memory of one image of the shape of `image`, whose pixels are not read. The same for each image in flight.
  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, bool masked) const {
    return lanes_.front()->detector->memory_for(image, masked);
  }
  /// True if the GPU is the CPU, so that its buffers take the host's memory.
  [[nodiscard]] bool shares_memory() const { return device_.gpu && device_.gpu->facts().is_cpu; }

  /// Extracts on the calling thread, at the same time as the images in flight. Throws the errors of `begin` and
  /// `finish`.
  DetectedFeatures extract(const DetectorJob& job, std::vector<StageTime>* times);
  /// Starts as soon as a lane is free. Throws the errors of `begin`; the future throws those of `finish`. If the device
  /// is not asynchronous, the work is done before this returns.
  std::future<DetectedFeatures> submit(const DetectorJob& job);
  /// Describes keypoints on the calling thread, at the same time as the images in flight. Throws Error.
  Description describe(const ImageView& image, std::span<const Keypoint> keypoints, OrientationFrom from);
  /// The memory of `describe`. Throws Error(invalid_argument) if the detector has no descriptors.
  [[nodiscard]] MemoryNeed memory_for_description(const ImageView& image, std::size_t keypoints) const;

  /// Waits until all lanes are free and replaces them by a new one, which frees the buffers; also those of `describe`.
  void release();

 private:
  struct Lane {
    std::unique_ptr<Detector> detector;
    bool busy = false;  // under mutex_
    // The largest image for which memory was available, and the bytes of the host's memory that it takes.
    std::int64_t checked_pixels = 0;
    std::uint64_t checked_bytes = 0;
  };
  // What describes keypoints, and the memory for which it has been checked.
  struct Describing {
    std::unique_ptr<Describer> describer;
    MemoryBytes checked;
  };
  struct Begun {
    Lane* lane;
    std::promise<DetectedFeatures> extracted;
  };

  // This is enough to overlap the upload of one image, the work on another and the download of a third.
  static constexpr int most_lanes = 4;

  Lane& free_lane();
  Lane& begin(const DetectorJob& job);
  void begin_on(Lane& lane, const DetectorJob& job);
  [[nodiscard]] std::unique_ptr<Describer> make_describer() const;
  Description describe_now(const ImageView& image, std::span<const Keypoint> keypoints, OrientationFrom from);
  void fetch_until_stopped();
  void fetch(Begun begun);

  DetectorOnDevice device_;
  std::size_t lanes_that_fit_ = most_lanes;
  // Size of the image for which there were too many lanes.
  std::int64_t too_many_pixels_ = 0;
  std::vector<std::unique_ptr<Lane>> lanes_;
  mutable std::mutex mutex_;
  // Signals that a lane is free, that a result can be fetched, or that the object is being destroyed.
  std::condition_variable changed_;
  Describing describing_;
  std::deque<Begun> begun_;  // under mutex_
  bool stopping_ = false;    // under mutex_
  std::thread fetcher_;      // started by the first submission
};

}  // namespace octavo
