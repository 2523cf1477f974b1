// The host's half of sift_kernels.cl.h.

#include "sift/sift_gpu.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "device/gpu_room.h"
#include "octavo/error.h"
#include "sift/extrema.h"

namespace octavo {

static_assert(sizeof(Oriented) == 40 && sizeof(Keypoint) == 28, "as sift_kernels.cl.h lays them out");

SiftGpu::SiftGpu(const SiftOptions& options, std::shared_ptr<Gpu> gpu)
    : options_(options), gpu_(std::move(gpu)), pyramid_(gpu_), queue_(gpu_->queue()) {
  const KernelModule& module = sift_kernels();
  extrema_ = gpu_->kernel(module, "extrema");
  refine_ = gpu_->kernel(module, "refine_candidates");
  orient_ = gpu_->kernel(module, "orient");
  place_ = gpu_->kernel(module, "place");
  rank_ = gpu_->kernel(module, "rank");
  describe_ = gpu_->kernel(module, "describe");
  if (options_.descriptor == DescriptorKind::rootsift) take_roots_ = gpu_->kernel(module, "take_roots");
  if (options_.max_features > 0) selection_.emplace(options_, gpu_, module);
  if (options_.smoothing == Smoothing::trilateral) trilateral_.emplace(options_, gpu_);
  constexpr float usual = 1;
  usual_contrast_ = gpu_->allocate(sizeof usual);
  queue_->upload(*usual_contrast_, 0, &usual, sizeof usual);
  queue_->wait();
  counts_ = gpu_->allocate_pinned(counters * sizeof(std::uint32_t));
}

void SiftGpu::prepare(const ImageView& image, bool masked) {
  pyramid_.prepare(image, options_, plan_scale_space(image.width, image.height, options_));
  image_width_ = image.width;
  image_height_ = image.height;
  const std::size_t pixels = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  mask_bytes_ = masked ? pixels : 0;
  const std::vector<OctaveLayout>& layout = pyramid_.layout();
  if (layout.empty()) return;
  if (trilateral_) trilateral_->prepare(pyramid_);
  const std::size_t rows = static_cast<std::size_t>(pyramid_.rows());
  const OctaveLayout& last = layout.back();
  const wide grid_points = (last.first / pyramid_.plan().levels() + last.level_floats) * options_.layers;
  int at = counters;
  const auto take = [&](std::size_t words) { return std::exchange(at, at + static_cast<int>(words)); };
  for (int level = 0; level < 3; ++level) {
    tallies_at_.rows[level] = take((rows >> (row_count_shift * level)) + 1);
  }
  tallies_at_.fill = take(rows);
  tallies_at_.claims = take(static_cast<std::size_t>(grid_points + 31) / 32);
  if (selection_) selection_->prepare(image_width_, image_height_, take(selection_->tallies()));
  tallies_bytes_ = static_cast<std::size_t>(at) * sizeof(std::uint32_t);
  make_room(*gpu_, layout_, layout.size() * sizeof(OctaveLayout));
  make_room(*gpu_, mask_, std::max<std::size_t>(mask_bytes_, 4));
  make_room(*gpu_, tallies_, tallies_bytes_);
  make_room(*gpu_, row_starts_, rows * sizeof(std::uint32_t));
  if (masked) make_room(*gpu_, staged_mask_, mask_bytes_);
  // A photograph has about one keypoint for every 600 pixels of its first octave, and three candidates for each; this
  // is three to four times as much.
  const int first = static_cast<int>(std::min<wide>(layout[0].level_floats, 1 << 30));
  make_lists(first / 60 + 64, first / 200 + 64, first / 150 + 64);
  queue_->upload(*layout_, 0, layout.data(), layout.size() * sizeof(OctaveLayout));
  queue_->wait();
}

void SiftGpu::make_lists(int candidates, int extrema, int keypoints) {
  candidate_capacity_ = std::max(candidates, candidate_capacity_);
  extrema_capacity_ = std::max(extrema, extrema_capacity_);
  keypoint_capacity_ = std::max(keypoints, keypoint_capacity_);
  const std::size_t c = static_cast<std::size_t>(candidate_capacity_), e = static_cast<std::size_t>(extrema_capacity_),
                    k = static_cast<std::size_t>(keypoint_capacity_), kept = kept_capacity();
  make_room(*gpu_, candidates_, c * candidate_bytes);
  make_room(*gpu_, found_, e * sizeof(Oriented));
  make_room(*gpu_, oriented_, k * sizeof(Oriented));
  make_room(*gpu_, places_, k * place_bytes);
  make_room(*gpu_, sorted_, k * sizeof(Oriented));
  make_room(*gpu_, keypoints_, kept * sizeof(Keypoint));
  make_room(*gpu_, descriptors_, kept * descriptor_length);
  if (selection_) selection_->make_lists(keypoint_capacity_);
  // More may be downloaded than there is: of what never was written, too.
  queue_->clear(*keypoints_, 0, kept * sizeof(Keypoint));
  queue_->clear(*descriptors_, 0, kept * descriptor_length);
}

bool SiftGpu::lists_grew() {
  const std::uint32_t candidates = counted(candidate_counter), extrema = counted(extrema_counter),
                      keypoints = counted(keypoint_counter);
  if (candidates <= static_cast<std::uint32_t>(candidate_capacity_) &&
      extrema <= static_cast<std::uint32_t>(extrema_capacity_) &&
      keypoints <= static_cast<std::uint32_t>(keypoint_capacity_)) {
    return false;
  }
  const auto with_slack = [](std::uint32_t n) { return static_cast<int>(std::min<wide>(wide{n} * 5 / 4, 1 << 30)); };
  // Extrema that found no room have keypoints that were not counted.
  make_lists(with_slack(candidates), with_slack(extrema), with_slack(std::max(extrema, keypoints)));
  return true;
}

void SiftGpu::release() {
  try {
    queue_->wait();         // nothing may still use what is freed
  } catch (const Error&) {  // its failure is known already: it is why we are here
  }
  pyramid_.release();
  for (auto* buffer : {&layout_, &mask_, &tallies_, &row_starts_, &candidates_, &found_, &oriented_, &places_, &sorted_,
                       &keypoints_, &descriptors_}) {
    buffer->reset();
  }
  if (selection_) selection_->release();
  staged_mask_.reset();
  if (trilateral_) trilateral_->release();
  candidate_capacity_ = extrema_capacity_ = keypoint_capacity_ = 0;
}

bool SiftGpu::upload_image(const ImageView& image, CpuPool& pool) {
  return pyramid_.image().upload(*queue_, image, pool);
}

void SiftGpu::upload_mask(const ImageView& mask) {
  std::byte* const staged = staged_mask_->data();
  const std::size_t row_bytes = static_cast<std::size_t>(mask.width);
  for (int y = 0; y < mask.height; ++y) {
    std::memcpy(staged + static_cast<std::size_t>(y) * row_bytes, mask.row(y), row_bytes);
  }
  queue_->upload(*mask_, 0, staged, mask_bytes_);
}

void SiftGpu::copy_image(const DeviceImage& image) { pyramid_.image().copy(*queue_, image); }

void SiftGpu::copy_image(const PixelsOnGpu& there) {
  there.queue.copy(pyramid_.image().pixels(), 0, there.image.pixels(), 0, there.image.bytes());
  queue_->wait_for(*there.queue.event());
}

void SiftGpu::enqueue_clear() { enqueue_clear(*queue_); }

void SiftGpu::enqueue_clear(GpuQueue& queue) { queue.clear(*tallies_, 0, tallies_bytes_); }

const GpuBuffer& SiftGpu::contrast() const {
  const GpuBuffer* const measured = trilateral_ ? trilateral_->contrast() : nullptr;
  return measured ? *measured : *usual_contrast_;
}

void SiftGpu::enqueue_scale_space() {
  if (trilateral_) return trilateral_->enqueue(*queue_, pyramid_, image_width_, image_height_);
  pyramid_.enqueue_blurs(*queue_, [](GpuQueue&, int) {});
  join_branches();
}

void SiftGpu::enqueue_extrema() {
  enqueue_candidates(*queue_, 0, pyramid_.tiles());
  enqueue_refinement();
}

void SiftGpu::enqueue_scale_space_and_extrema() {
  if (trilateral_) {
    enqueue_clear();
    enqueue_scale_space();
    return enqueue_extrema();
  }
  enqueue_clear(queue_->fork(0));  // no extrema before there are levels
  const std::vector<OctaveLayout>& layout = pyramid_.layout();
  const auto end_of = [&](int octave) {
    const std::size_t next = static_cast<std::size_t>(octave) + 1;
    return next < layout.size() ? layout[next].first_tile : pyramid_.tiles();
  };
  pyramid_.enqueue_blurs(*queue_, [&](GpuQueue& queue, int octave) {
    const int first = layout[static_cast<std::size_t>(octave)].first_tile;
    enqueue_candidates(queue, first, end_of(octave) - first);
  });
  join_branches();
  const int first = end_of(pyramid_.large_octaves() - 1);  // the first octave is always large
  enqueue_candidates(*queue_, first, pyramid_.tiles() - first);
  enqueue_refinement();
}

void SiftGpu::join_branches() {
  for (std::size_t i = 0; i < PyramidGpu::branches; ++i) queue_->join(i);
}

void SiftGpu::enqueue_candidates(GpuQueue& queue, int first_tile, int tiles) {
  if (tiles == 0) return;
  queue.launch(*extrema_, {{static_cast<unsigned>(tiles), 1, 1}, {256, 1, 1}}, pyramid_.levels(), *layout_, first_tile,
               for_kernel(), extremum_limits(options_), contrast(), *tallies_, *candidates_);
}

void SiftGpu::enqueue_refinement() {
  queue_->launch(*refine_, {{many_groups() / 4, 1, 1}, {32, 1, 1}}, pyramid_.levels(), *layout_, for_kernel(),
                 extremum_limits(options_), contrast(), *mask_, *tallies_, *candidates_, *found_);
}

void SiftGpu::enqueue_orientation() {
  queue_->launch(*orient_, {{many_groups(), 1, 1}, {64, 1, 1}}, pyramid_.levels(), *layout_, for_kernel(), *found_,
                 *tallies_, *oriented_);
}

void SiftGpu::enqueue_order() {
  const SiftOfKernel sift = for_kernel();
  const GpuGrid threads{{many_groups() / 4, 1, 1}, {64, 1, 1}, true};
  queue_->launch(*place_, threads, *layout_, sift, *tallies_, *oriented_, *row_starts_, *places_);
  queue_->launch(*rank_, threads, *layout_, sift, *tallies_, *oriented_, *row_starts_, *places_, *sorted_,
                 selection_ ? selection_->all_keypoints() : *keypoints_);
}

void SiftGpu::enqueue_selection() { selection_->enqueue(*queue_, *tallies_, *sorted_, *keypoints_); }

void SiftGpu::enqueue_description() {
  const int most = static_cast<int>(kept_capacity());
  queue_->launch(*describe_, {{many_groups(), 1, 1}, {128, 1, 1}}, pyramid_.levels(), *layout_, for_kernel(), *tallies_,
                 selection_ ? selection_->chosen() : *sorted_, most, *descriptors_);
  if (!take_roots_) return;
  const unsigned groups = many_groups() / 8;
  queue_->launch(*take_roots_, {{groups, 1, 1}, {64, 1, 1}, true}, for_kernel(), *tallies_, most, *descriptors_);
}

void SiftGpu::enqueue_work(const std::function<void(std::string_view)>& done) {
  enqueue_scale_space_and_extrema();
  done("scale space and extrema");
  enqueue_orientation();
  done("orientation");
  enqueue_order();
  done("order");
  if (selection_) {
    enqueue_selection();
    done("selection");
  }
  enqueue_description();
  done("descriptor");
}

void SiftGpu::enqueue_counts() { queue_->download(counts_->data(), *tallies_, 0, counters * sizeof(std::uint32_t)); }

std::uint32_t SiftGpu::counted(int counter) const {
  std::uint32_t value;
  std::memcpy(&value, counts_->data() + static_cast<std::size_t>(counter) * sizeof value, sizeof value);
  return value;
}

std::size_t SiftGpu::kept_of(std::size_t keypoints) const {
  return selection_ ? selection_->kept(keypoints) : keypoints;
}

SiftOfKernel SiftGpu::for_kernel() const {
  SiftOfKernel sift{};
  sift.octaves = static_cast<int>(pyramid_.layout().size());
  sift.first_octave = options_.first_octave;
  sift.max_orientations = options_.max_orientations;
  sift.upright = options_.upright;
  sift.has_mask = mask_bytes_ > 0;
  sift.image_width = image_width_;
  sift.image_height = image_height_;
  sift.candidate_capacity = candidate_capacity_;
  sift.extrema_capacity = extrema_capacity_;
  sift.keypoint_capacity = keypoint_capacity_;
  std::copy(std::begin(tallies_at_.rows), std::end(tallies_at_.rows), sift.row_counts_at);
  sift.row_fill_at = tallies_at_.fill;
  sift.claims_at = tallies_at_.claims;
  sift.sigma = static_cast<float>(options_.sigma);
  return sift;
}

// Enough to fill the device several times over; every group takes its share of a list.
unsigned SiftGpu::many_groups() const { return 32u * static_cast<unsigned>(std::max(gpu_->facts().compute_units, 4)); }

}  // namespace octavo
