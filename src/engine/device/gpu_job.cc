#include "engine/device/gpu_job.h"

#include <algorithm>
#include <utility>

#include "engine/core/check_image.h"
#include "engine/device/gpu_dry_run.h"
#include "engine/device/gpu_room.h"
#include "engine/device/run_and_wait.h"
#include "octavo/error.h"

namespace octavo {

namespace {

// The number of results varies slightly from image to image.
constexpr std::size_t staging_step = std::size_t{64} << 10;

// Every list begins at a multiple of this in pinned memory, so that items of any type are aligned.
constexpr std::size_t alignment = 64;

constexpr std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

// The pinned memory of a download of items 0 … results − 1 and the heads, or of later items.
std::size_t staging_bytes(const std::vector<GpuResultList>& lists, std::size_t results, bool with_heads) {
  std::size_t bytes = 0;
  for (const GpuResultList& list : lists) {
    bytes += aligned((with_heads ? list.head_bytes : 0) + results * list.item_bytes);
  }
  return bytes;
}

}  // namespace

GpuJobMemory memory_of_job(const GpuWork& work, const GpuFacts& facts, const ImageView& image, bool masked) {
  const auto gpu = std::make_shared<GpuDryRun>(facts);
  const std::unique_ptr<GpuWork> dry = work.on(gpu);
  dry->prepare(image, masked);
  MemoryNeed need = gpu->most();
  if (!dry->has_work()) return {need, 0};
  std::unique_ptr<GpuPinned> staging;
  const std::size_t likely = std::min(dry->likely_results(), dry->capacity());
  make_room(*gpu, staging, staging_bytes(dry->lists(), likely, true), staging_step);
  need.usual = gpu->most().usual;
  return {need, likely};
}

GpuJob::GpuJob(std::shared_ptr<Gpu> gpu, GpuWork& work, std::shared_ptr<CpuPool> threads)
    : gpu_(std::move(gpu)), work_(work), threads_(std::move(threads)), marks_(work.queue()) {}

GpuJob::~GpuJob() { wait_for_whatever_runs(work_.queue()); }

void GpuJob::begin(const GpuJobInput& input) {
  stays_ = input.stays;
  try {
    if (std::exchange(unfinished_, true)) work_.queue().wait();
    prepare(input);
    marks_.begin(input.timed);
    if (!work_.has_work()) return;
    const std::unique_ptr<GpuEvent> read = upload(input) ? work_.queue().event() : nullptr;
    marks_.mark("upload");
    run();
    if (read) read->wait();
  } catch (...) {
    give_up();
    throw;
  }
}

void GpuJob::finish(const std::function<void(std::size_t)>& take) {
  unfinished_ = false;
  try {
    if (!work_.has_work()) return take(0);
    work_.queue().wait();
    while (work_.lists_grew(head())) {
      recorded_.forget();
      marks_.begin_again_after(1);  // the time of the upload remains valid
      run();
      work_.queue().wait();
    }
    take(work_.results(head()));
  } catch (...) {
    give_up();
    throw;
  }
}

void GpuJob::fetch(std::size_t results, const Append& append) {
  const std::size_t here = std::min(results, downloaded_);
  if (here > 0) append(here, staged_);
  if (here < results) {
    run_and_wait(work_.queue(), [&] { download(here, results - here); });
    append(results - here, staged_);
  }
  // The expectation grows at once with an image that has more results. It shrinks slowly, since the next image may have
  // many again.
  likely_ = std::max(results + results / 4 + 64, likely_ - likely_ / 4);
}

void GpuJob::prepare(const GpuJobInput& input) {
  const ImageView& image = input.image;
  const Shape shape{image.width, image.height, image.channels, image.type, image.order, input.mask != nullptr};
  if (shape_ == shape) return;
  shape_.reset();
  recorded_.forget();
  require_memory(image, shape.masked);
  work_.prepare(image, shape.masked);
  likely_ = work_.has_work() ? work_.likely_results() : 0;
  shape_ = shape;
}

// The driver would refuse one buffer of many, after others were taken. Memory is kept, so only images that are larger
// than those before need more.
void GpuJob::require_memory(const ImageView& image, bool masked) {
  if (checked_.cover(image, masked)) return;
  const MemoryNeed need = memory_of_job(work_, gpu_->facts(), image, masked).need;
  require_device_memory(*gpu_, need, checked_bytes_, "an image of " + size_text(image) + " pixels");
  checked_.add(image, masked);
  checked_bytes_ = std::max(checked_bytes_, need.least.device);
}

bool GpuJob::upload(const GpuJobInput& input) {
  bool read_in_place = false;
  if (input.on_device) {
    work_.image().copy(work_.queue(), *input.on_device);
  } else {
    read_in_place = work_.image().upload(work_.queue(), input.image, *threads_);
  }
  if (input.mask && work_.mask()->upload(work_.queue(), *input.mask, *threads_)) read_in_place = true;
  return read_in_place;
}

void GpuJob::run() {
  const auto enqueue = [&] { work_.enqueue([&](std::string_view stage) { marks_.mark(stage); }); };
  if (marks_.timed()) {
    enqueue();
  } else {
    recorded_.run(work_.queue(), enqueue);
  }
  downloaded_ = 0;
  staged_.clear();
  if (stays_) return;
  download(0, std::min(likely_, work_.capacity()));
  marks_.mark("download");
}

// The heads are downloaded with the first results.
void GpuJob::download(std::size_t first, std::size_t results) {
  const std::vector<GpuResultList> lists = work_.lists();
  const auto head_of = [&](const GpuResultList& list) { return first == 0 ? list.head_bytes : 0; };
  make_room(*gpu_, staging_, staging_bytes(lists, results, first == 0), staging_step);
  downloaded_ = results;
  staged_.clear();
  std::byte* to = staging_->data();
  for (const GpuResultList& list : lists) {
    const std::size_t from = list.head_bytes + first * list.item_bytes - head_of(list);
    const std::size_t taken = head_of(list) + results * list.item_bytes;
    work_.queue().download(to, list.buffer, from, taken);
    staged_.push_back(to + head_of(list));
    to += aligned(taken);
  }
}

const std::byte* GpuJob::head() const { return staged_.empty() ? nullptr : staging_->data(); }

void GpuJob::give_up() {
  wait_for_whatever_runs(work_.queue());  // it may use the memory that is freed below
  shape_.reset();
  checked_ = {};
  checked_bytes_ = 0;
  recorded_.forget();
  work_.release();
  staging_.reset();
  staged_.clear();
  downloaded_ = 0;
  unfinished_ = false;
}

}  // namespace octavo
