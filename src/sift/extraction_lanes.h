// The images in flight on one device. Each has a lane: an extraction with buffers and a queue of its own. The caller
// stages and enqueues; a thread of ours waits for what is done and fetches it, in the order of submission, so that
// neither a slow collector nor another device keeps this one waiting.

#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "sift/extraction.h"

namespace octavo {

/// Called by one thread at a time.
class ExtractionLanes {
 public:
  /// Makes the first lane, so that what the device lacks shows at once. Throws what making an extraction throws.
  explicit ExtractionLanes(Extractions device);
  /// Abandons what is in flight.
  ~ExtractionLanes();
  ExtractionLanes(const ExtractionLanes&) = delete;
  ExtractionLanes& operator=(const ExtractionLanes&) = delete;

  [[nodiscard]] const Extractions& device() const { return device_; }
  /// Images that keep the device busy; more wait for a lane.
  [[nodiscard]] int useful() const { return device_.asynchronous ? most_lanes : 1; }
  /// Images submitted whose features are not fetched yet.
  [[nodiscard]] int in_flight() const;

  /// At once, on the calling thread, beside what is in flight. Throws what begin and finish throw.
  Extracted extract(const ExtractionJob& job, std::vector<StageTime>* times);
  /// Starts as soon as a lane is free. Throws what begin throws; what finish throws comes out of the future. Where the
  /// device is not asynchronous the work is done before this returns.
  std::future<Extracted> submit(const ExtractionJob& job);

 private:
  struct Lane {
    std::unique_ptr<Extraction> extraction;
    bool busy = false;  // under mutex_
  };
  struct Begun {
    Lane* lane;
    std::promise<Extracted> extracted;
  };

  // Enough for the upload of one image, the work on another and the download of a third to overlap.
  static constexpr int most_lanes = 4;

  Lane& free_lane();
  Lane& begin(const ExtractionJob& job);
  void leave_one_lane();
  void fetch_until_stopped();
  void fetch(Begun begun);

  Extractions device_;
  std::size_t lanes_that_fit_ = most_lanes;
  std::int64_t too_many_pixels_ = 0;  // of the image for which there were too many lanes
  std::vector<std::unique_ptr<Lane>> lanes_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;  // a lane became free, or there is something to fetch, or nothing ever again
  std::deque<Begun> begun_;          // under mutex_
  bool stopping_ = false;            // under mutex_
  std::thread fetcher_;              // from the first submission on
};

}  // namespace octavo
