#include "extract/images_in_flight.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/check_image.h"
#include "device/gpu_dry_run.h"
#include "device/host_memory.h"
#include "octavo/error.h"

namespace octavo {

ImagesInFlight::ImagesInFlight(DetectorOnDevice device) : device_(std::move(device)) { free_lane(); }

ImagesInFlight::~ImagesInFlight() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (fetcher_.joinable()) fetcher_.join();
}

int ImagesInFlight::in_flight() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(std::count_if(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane->busy; }));
}

DetectedFeatures ImagesInFlight::extract(const DetectorJob& job, std::vector<StageTime>* times) {
  return begin(job).detector->finish(times);
}

std::future<DetectedFeatures> ImagesInFlight::submit(const DetectorJob& job) {
  if (device_.is_asynchronous() && !fetcher_.joinable()) fetcher_ = std::thread([this] { fetch_until_stopped(); });
  Begun begun{nullptr, {}};
  std::future<DetectedFeatures> extracted = begun.extracted.get_future();
  begun.lane = &begin(job);
  if (device_.is_asynchronous()) {
    const std::lock_guard lock(mutex_);
    begun_.push_back(std::move(begun));
    begun_.back().lane->busy = true;
    changed_.notify_all();
  } else {
    fetch(std::move(begun));
  }
  return extracted;
}

// Only the caller's thread adds lanes and reads their number.
ImagesInFlight::Lane& ImagesInFlight::free_lane() {
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto free = std::find_if(lanes_.begin(), lanes_.end(), [](const auto& lane) { return !lane->busy; });
    if (free != lanes_.end()) return **free;
    if (lanes_.size() < lanes_that_fit_) {
      lanes_.push_back(std::make_unique<Lane>(Lane{.detector = device_.make()}));
    } else {
      changed_.wait(lock);
    }
  }
}

ImagesInFlight::Lane& ImagesInFlight::begin(const DetectorJob& job) {
  const std::int64_t pixels = std::int64_t{job.image.width} * job.image.height;
  if (pixels < too_many_pixels_) lanes_that_fit_ = most_lanes;
  try {
    Lane& lane = free_lane();
    begin_on(lane, job);
    return lane;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
  } catch (const std::bad_alloc&) {  // as for an error: what follows frees memory
  }
  // The buffers of the other lanes, or buffers kept from earlier images, take the memory. One lane less is allowed
  // until images are smaller.
  too_many_pixels_ = pixels;
  lanes_that_fit_ = std::max<std::size_t>(lanes_.size() - 1, 1);
  release();
  try {
    begin_on(*lanes_.front(), job);
  } catch (...) {
    release();  // what it took before it failed
    throw;
  }
  return *lanes_.front();
}

// A lane keeps its memory, so only images that are larger than those before need more.
void ImagesInFlight::begin_on(Lane& lane, const DetectorJob& job) {
  const std::int64_t pixels = std::int64_t{job.image.width} * job.image.height;
  if (pixels > lane.checked_pixels) {
    const MemoryBytes least = lane.detector->memory_for(job.image, job.mask != nullptr).least;
    const std::uint64_t bytes = least.host + (shares_memory() ? least.device : 0);
    require_host_memory(bytes, lane.checked_bytes, "an image of " + size_text(job.image) + " pixels");
    lane.checked_pixels = pixels;
    lane.checked_bytes = bytes;
  }
  lane.detector->begin(job);
}

Description ImagesInFlight::describe(const ImageView& image, std::span<const Keypoint> keypoints,
                                     OrientationFrom from) {
  try {
    return describe_now(image, keypoints, from);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) {
      describing_ = {};
      throw;
    }
  } catch (const std::bad_alloc&) {  // as for an error: what follows frees memory
  }
  release();  // buffers that are kept from earlier images take the memory
  try {
    return describe_now(image, keypoints, from);
  } catch (...) {
    describing_ = {};
    throw;
  }
}

Description ImagesInFlight::describe_now(const ImageView& image, std::span<const Keypoint> keypoints,
                                         OrientationFrom from) {
  if (!describing_.describer) describing_.describer = make_describer();
  const MemoryNeed need = describing_.describer->memory_for(image, keypoints.size());
  const std::uint64_t host = need.least.host + (shares_memory() ? need.least.device : 0);
  const std::string subject = "an image of " + size_text(image) + " pixels";
  MemoryBytes& checked = describing_.checked;
  if (host > checked.host) require_host_memory(host, checked.host, subject);
  if (device_.gpu) require_device_memory(*device_.gpu, need, checked.device, subject);
  checked.host = std::max(checked.host, host);
  checked.device = std::max(checked.device, need.least.device);
  return describing_.describer->describe(image, keypoints, from);
}

MemoryNeed ImagesInFlight::memory_for_description(const ImageView& image, std::size_t keypoints) const {
  if (describing_.describer) return describing_.describer->memory_for(image, keypoints);
  return make_describer()->memory_for(image, keypoints);
}

std::unique_ptr<Describer> ImagesInFlight::make_describer() const {
  if (!device_.make_describer) {
    throw Error(ErrorCode::invalid_argument, "this detector has no descriptors, so it cannot describe keypoints");
  }
  return device_.make_describer();
}

void ImagesInFlight::release() {
  describing_ = {};
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [&] { return std::none_of(lanes_.begin(), lanes_.end(), [](const auto& l) { return l->busy; }); });
  lanes_.clear();
  lanes_.push_back(std::make_unique<Lane>(Lane{.detector = device_.make()}));
}

void ImagesInFlight::fetch_until_stopped() {
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

// Fetches the features, frees the lane and fulfils the future.
void ImagesInFlight::fetch(Begun begun) {
  DetectedFeatures extracted;
  std::exception_ptr failure;
  try {
    extracted = begun.lane->detector->finish(nullptr);
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
