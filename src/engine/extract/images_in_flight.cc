#include "engine/extract/images_in_flight.h"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "engine/core/check_image.h"
#include "engine/device/gpu_dry_run.h"
#include "engine/device/host_memory.h"
#include "octavo/error.h"

namespace octavo {

ImagesInFlight::ImagesInFlight(DetectorOnDevice device) : device_(std::move(device)) { add_lane(); }

ImagesInFlight::~ImagesInFlight() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (Change* change : {&room_, &to_begin_, &to_fetch_}) change->tell();
  }
  if (beginner_.joinable()) beginner_.join();
  if (fetcher_.joinable()) fetcher_.join();
}

void ImagesInFlight::Change::wait(std::unique_lock<std::mutex>& lock) {
  const std::uint32_t seen = count_.load();
  lock.unlock();
  count_.wait(seen);
  lock.lock();
}

void ImagesInFlight::Change::tell() {
  count_.fetch_add(1);
  count_.notify_all();
}

int ImagesInFlight::in_flight() const {
  const std::lock_guard lock(mutex_);
  return in_flight_;
}

MemoryNeed ImagesInFlight::memory_for(const ImageView& image, bool masked) {
  const std::lock_guard one_at_a_time(beginning_);
  if (lanes_.empty()) {
    const std::lock_guard lock(mutex_);
    add_lane();
  }
  return lanes_.front()->detector->memory_for(image, masked);
}

DetectedFeatures ImagesInFlight::extract(const DetectorJob& job, std::vector<StageTime>* times) {
  const LaneInUse use{*this, begin(job)};
  return use.lane.detector->finish(times);
}

std::future<DetectedFeatures> ImagesInFlight::submit(const DetectorJob& job) {
  std::promise<DetectedFeatures> extracted;
  std::future<DetectedFeatures> result = extracted.get_future();
  Lane& lane = begin(job);
  {
    const std::lock_guard lock(mutex_);
    ++in_flight_;
  }
  if (device_.is_asynchronous()) {
    fetch_later({&lane, std::move(extracted)});
  } else {
    fetch({&lane, std::move(extracted)});
  }
  return result;
}

std::future<DetectedFeatures> ImagesInFlight::submit_lent(const DetectorJob& job) {
  if (!device_.is_asynchronous() || !has_beginner()) return submit(job);
  Waiting waiting{.job = job, .mask = {}, .extracted = {}};
  if (job.mask) waiting.mask = *job.mask;
  std::future<DetectedFeatures> result = waiting.extracted.get_future();
  std::unique_lock lock(mutex_);
  while (in_flight_ >= useful()) room_.wait(lock);
  waiting_.push_back(std::move(waiting));
  ++in_flight_;
  to_begin_.tell();
  return result;
}

// False where the system gives no thread: then the caller begins the image.
bool ImagesInFlight::has_beginner() {
  try {
    if (!beginner_.joinable()) beginner_ = std::thread([this] { begin_until_stopped(); });
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

// Under beginning_ and mutex_, or before the object is used.
void ImagesInFlight::add_lane() {
  auto lane = std::make_unique<Lane>();
  lane->detector = device_.make();
  lanes_.push_back(std::move(lane));
}

// Under beginning_, so only this function adds lanes meanwhile.
ImagesInFlight::Lane& ImagesInFlight::take_free_lane() {
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto free = std::find_if(lanes_.begin(), lanes_.end(), [](const auto& lane) { return !lane->busy; });
    if (free != lanes_.end()) {
      (*free)->busy = true;
      return **free;
    }
    if (lanes_.size() < lanes_that_fit_) {
      add_lane();
    } else {
      stop_if_asked();
      room_.wait(lock);
    }
  }
}

ImagesInFlight::Lane& ImagesInFlight::begin(const DetectorJob& job) {
  const std::lock_guard one_at_a_time(beginning_);
  const std::int64_t pixels = std::int64_t{job.image.width} * job.image.height;
  if (pixels < too_many_pixels_) lanes_that_fit_ = most_lanes;
  try {
    return begin_on_free_lane(job);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
  } catch (const std::bad_alloc&) {  // as for an error: what follows frees memory
  }
  // The buffers of the other lanes, or buffers kept from earlier images, take the memory. One lane less is allowed
  // until images are smaller.
  too_many_pixels_ = pixels;
  lanes_that_fit_ = lanes_.size() > 1 ? lanes_.size() - 1 : 1;
  remove_lanes();
  try {
    return begin_on_free_lane(job);
  } catch (...) {
    remove_lanes();  // frees what it took before it failed
    throw;
  }
}

ImagesInFlight::Lane& ImagesInFlight::begin_on_free_lane(const DetectorJob& job) {
  Lane& lane = take_free_lane();
  try {
    begin_on(lane, job);
    return lane;
  } catch (...) {
    free(lane);
    throw;
  }
}

// A lane keeps its memory, so only images that are larger than those before need more.
void ImagesInFlight::begin_on(Lane& lane, const DetectorJob& job) {
  const bool masked = job.mask != nullptr;
  if (!lane.checked.cover(job.image, masked)) {
    const MemoryBytes least = lane.detector->memory_for(job.image, masked).least;
    const std::uint64_t bytes = least.host + (shares_memory() ? least.device : 0);
    require_host_memory(bytes, lane.checked_bytes, "an image of " + size_text(job.image) + " pixels");
    lane.checked.add(job.image, masked);
    lane.checked_bytes = std::max(lane.checked_bytes, bytes);
  }
  lane.detector->begin(job);
}

Description ImagesInFlight::describe(const ImageView& image, std::span<const Keypoint> keypoints,
                                     OrientationFrom from) {
  try {
    return describe_now(image, keypoints, from);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) {
      forget_describer();
      throw;
    }
  } catch (const std::bad_alloc&) {  // as for an error: what follows frees memory
  }
  release();  // buffers that are kept from earlier images take the memory
  try {
    return describe_now(image, keypoints, from);
  } catch (...) {
    forget_describer();
    throw;
  }
}

Description ImagesInFlight::describe_now(const ImageView& image, std::span<const Keypoint> keypoints,
                                         OrientationFrom from) {
  const std::lock_guard one_at_a_time(describing_mutex_);
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
  const std::lock_guard one_at_a_time(describing_mutex_);
  if (describing_.describer) return describing_.describer->memory_for(image, keypoints);
  return make_describer()->memory_for(image, keypoints);
}

std::unique_ptr<Describer> ImagesInFlight::make_describer() const {
  if (!device_.make_describer) {
    throw Error(ErrorCode::invalid_argument, "this detector has no descriptors, so it cannot describe keypoints");
  }
  return device_.make_describer();
}

void ImagesInFlight::forget_describer() {
  const std::lock_guard one_at_a_time(describing_mutex_);
  describing_ = {};
}

void ImagesInFlight::release() {
  {
    std::unique_lock lock(mutex_);
    while (in_flight_ > 0) room_.wait(lock);
  }
  const std::lock_guard one_at_a_time(beginning_);
  remove_lanes();
}

// Under beginning_. The next image makes a lane: here there may be no memory for one.
void ImagesInFlight::remove_lanes() {
  forget_describer();
  std::unique_lock lock(mutex_);
  while (std::any_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane->busy; })) {
    stop_if_asked();
    room_.wait(lock);
  }
  lanes_.clear();
}

// Lanes are not freed any more when the object is being destroyed. The thread that begins images must not wait for
// them.
void ImagesInFlight::stop_if_asked() const {
  if (stopping_) throw std::runtime_error("the extractor is being destroyed");
}

void ImagesInFlight::free(Lane& lane) {
  const std::lock_guard lock(mutex_);
  lane.busy = false;
  room_.tell();
}

void ImagesInFlight::begin_until_stopped() {
  std::unique_lock lock(mutex_);
  for (;;) {
    while (!stopping_ && waiting_.empty()) to_begin_.wait(lock);
    if (stopping_) return;
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    begin_lent(std::move(next));
    lock.lock();
  }
}

void ImagesInFlight::begin_lent(Waiting next) {
  if (next.mask) next.job.mask = &*next.mask;
  Lane* lane = nullptr;
  try {
    lane = &begin(next.job);
  } catch (...) {
    end(nullptr);
    next.extracted.set_exception(std::current_exception());
    return;
  }
  fetch_later({lane, std::move(next.extracted)});
}

// Where the system gives no thread or no memory for it, this thread fetches.
void ImagesInFlight::fetch_later(Begun begun) {
  try {
    const std::lock_guard lock(mutex_);
    if (!fetcher_.joinable()) fetcher_ = std::thread([this] { fetch_until_stopped(); });
    begun_.push_back(std::move(begun));
    to_fetch_.tell();
    return;
  } catch (const std::exception&) {  // `begun` is as it was
  }
  fetch(std::move(begun));
}

// An image is no longer in flight, and its lane is free, if it has one.
void ImagesInFlight::end(Lane* lane) {
  const std::lock_guard lock(mutex_);
  if (lane != nullptr) lane->busy = false;
  --in_flight_;
  room_.tell();
}

void ImagesInFlight::fetch_until_stopped() {
  std::unique_lock lock(mutex_);
  for (;;) {
    while (!stopping_ && begun_.empty()) to_fetch_.wait(lock);
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
  end(begun.lane);
  if (failure) {
    begun.extracted.set_exception(std::move(failure));
  } else {
    begun.extracted.set_value(std::move(extracted));
  }
}

}  // namespace octavo
