#include "sift/extraction_lanes.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "octavo/error.h"

namespace octavo {

ExtractionLanes::ExtractionLanes(Extractions device) : device_(std::move(device)) { free_lane(); }

ExtractionLanes::~ExtractionLanes() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (fetcher_.joinable()) fetcher_.join();
}

int ExtractionLanes::in_flight() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(std::count_if(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane->busy; }));
}

Extracted ExtractionLanes::extract(const ExtractionJob& job, std::vector<StageTime>* times) {
  return begin(job).extraction->finish(times);
}

std::future<Extracted> ExtractionLanes::submit(const ExtractionJob& job) {
  if (device_.asynchronous && !fetcher_.joinable()) fetcher_ = std::thread([this] { fetch_until_stopped(); });
  Begun begun{nullptr, {}};
  std::future<Extracted> extracted = begun.extracted.get_future();
  begun.lane = &begin(job);
  if (device_.asynchronous) {
    const std::lock_guard lock(mutex_);
    begun_.push_back(std::move(begun));
    begun_.back().lane->busy = true;
    changed_.notify_all();
  } else {
    fetch(std::move(begun));
  }
  return extracted;
}

// Lanes are added by the caller's thread, and only it looks at their number.
ExtractionLanes::Lane& ExtractionLanes::free_lane() {
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto free = std::find_if(lanes_.begin(), lanes_.end(), [](const auto& lane) { return !lane->busy; });
    if (free != lanes_.end()) return **free;
    if (lanes_.size() < lanes_that_fit_) {
      lanes_.push_back(std::make_unique<Lane>(Lane{device_.make()}));
    } else {
      changed_.wait(lock);
    }
  }
}

ExtractionLanes::Lane& ExtractionLanes::begin(const ExtractionJob& job) {
  const std::int64_t pixels = std::int64_t{job.image.width} * job.image.height;
  if (pixels < too_many_pixels_) lanes_that_fit_ = most_lanes;
  try {
    Lane& lane = free_lane();
    lane.extraction->begin(job);
    return lane;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
  }
  // The other lanes' buffers are in the way, or others that were kept.
  too_many_pixels_ = pixels;
  leave_one_lane();
  lanes_.front()->extraction->begin(job);
  return *lanes_.front();
}

// A fresh one, when all are done; there will be one less, until images are smaller.
void ExtractionLanes::leave_one_lane() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [&] { return std::none_of(lanes_.begin(), lanes_.end(), [](const auto& l) { return l->busy; }); });
  lanes_that_fit_ = std::max<std::size_t>(lanes_.size() - 1, 1);
  lanes_.clear();
  lanes_.push_back(std::make_unique<Lane>(Lane{device_.make()}));
}

void ExtractionLanes::fetch_until_stopped() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopping_ || !begun_.empty(); });
    if (stopping_) return;
    Begun next = std::move(begun_.front());
    begun_.pop_front();
    lock.unlock();
    fetch(std::move(next));
    lock.lock();
  }
}

// Fetches the features, frees the lane, tells the one who waits.
void ExtractionLanes::fetch(Begun begun) {
  Extracted extracted;
  std::exception_ptr failure;
  try {
    extracted = begun.lane->extraction->finish(nullptr);
  } catch (...) {
    failure = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    begun.lane->busy = false;
  }
  changed_.notify_all();
  if (failure) {
    begun.extracted.set_exception(std::move(failure));
  } else {
    begun.extracted.set_value(std::move(extracted));
  }
}

}  // namespace octavo
