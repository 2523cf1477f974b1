// The host's half of sift_kernels.cl.h.

#include "sift/sift_gpu.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "octavo/error.h"
#include "sift/extrema.h"

namespace octavo {

static_assert(sizeof(Oriented) == 40 && sizeof(Keypoint) == 28, "as sift_kernels.cl.h lays them out");

SiftGpu::SiftGpu(const SiftOptions& options, std::shared_ptr<Gpu> gpu)
    : options_(options), gpu_(std::move(gpu)), pyramid_(gpu_), queue_(gpu_->queue()) {
  const KernelModule& module = sift_kernels();
  extrema_3_ = gpu_->kernel(module, "extrema_3");
  extrema_any_ = gpu_->kernel(module, "extrema_any");
  refine_ = gpu_->kernel(module, "refine_candidates");
  orient_ = gpu_->kernel(module, "orient");
  place_ = gpu_->kernel(module, "place");
  rank_ = gpu_->kernel(module, "rank");
  describe_ = gpu_->kernel(module, "describe");
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
  tallies_bytes_ = static_cast<std::size_t>(at) * sizeof(std::uint32_t);
  make_room(*gpu_, layout_, layout.size() * sizeof(OctaveLayout));
  make_room(*gpu_, mask_, std::max<std::size_t>(mask_bytes_, 4));
  make_room(*gpu_, tallies_, tallies_bytes_);
  make_room(*gpu_, row_starts_, rows * sizeof(std::uint32_t));
  const std::size_t bytes = pyramid_.image_bytes() + mask_bytes_;
  if (!staging_ || staging_->bytes() < bytes) {
    staging_.reset();
    staging_ = gpu_->allocate_pinned(bytes);
  }
  // A photograph has about one keypoint for every 600 pixels of its first octave, and three candidates for each.
  const int first = static_cast<int>(std::min<wide>(layout[0].level_floats, 1 << 30));
  for (int part = 0; part < parts; ++part) make_lists(part, first / 60 + 64, first / 200 + 64);
  make_keypoints(first / 150 + 64);
  queue_->upload(*layout_, 0, layout.data(), layout.size() * sizeof(OctaveLayout));
  queue_->wait();
}

void SiftGpu::make_lists(int part, int candidates, int extrema) {
  Lists& lists = list(part);
  lists.candidate_capacity = std::max(candidates, lists.candidate_capacity);
  lists.extrema_capacity = std::max(extrema, lists.extrema_capacity);
  make_room(*gpu_, lists.candidates, static_cast<std::size_t>(lists.candidate_capacity) * candidate_bytes);
  make_room(*gpu_, lists.found, static_cast<std::size_t>(lists.extrema_capacity) * sizeof(Oriented));
}

void SiftGpu::make_keypoints(int keypoints) {
  keypoint_capacity_ = std::max(keypoints, keypoint_capacity_);
  const std::size_t k = static_cast<std::size_t>(keypoint_capacity_);
  make_room(*gpu_, oriented_, k * sizeof(Oriented));
  make_room(*gpu_, places_, k * place_bytes);
  make_room(*gpu_, chosen_, k * sizeof(std::int32_t));
  make_room(*gpu_, sorted_, k * sizeof(Oriented));
  make_room(*gpu_, keypoints_, k * sizeof(Keypoint));
  make_room(*gpu_, descriptors_, k * descriptor_length);
}

bool SiftGpu::lists_grew() {
  const auto with_slack = [](std::uint32_t n) { return static_cast<int>(std::min<wide>(wide{n} * 5 / 4, 1 << 30)); };
  const auto exceeds = [](std::uint32_t n, int capacity) { return n > static_cast<std::uint32_t>(capacity); };
  bool grew = false;
  for (int part = 0; part < parts; ++part) {
    const std::uint32_t candidates = counted(candidate_counters + part), extrema = counted(extrema_counters + part);
    if (!exceeds(candidates, list(part).candidate_capacity) && !exceeds(extrema, list(part).extrema_capacity)) continue;
    make_lists(part, with_slack(candidates), with_slack(extrema));
    make_keypoints(with_slack(extrema));  // extrema that found no room have keypoints that were not counted
    grew = true;
  }
  if (exceeds(counted(keypoint_counter), keypoint_capacity_)) {
    make_keypoints(with_slack(counted(keypoint_counter)));
    grew = true;
  }
  return grew;
}

void SiftGpu::release() {
  try {
    queue_->wait();         // nothing may still use what is freed
  } catch (const Error&) {  // its failure is known already: it is why we are here
  }
  pyramid_.release();
  for (auto* buffer : {&layout_, &mask_, &tallies_, &row_starts_, &oriented_, &places_, &chosen_, &sorted_, &keypoints_,
                       &descriptors_}) {
    buffer->reset();
  }
  staging_.reset();
  lists_ = {};
  keypoint_capacity_ = 0;
}

void SiftGpu::stage(const ImageView& image, const ImageView* mask) {
  pyramid_.stage(image, staging_->data());
  if (!mask) return;
  std::byte* row = staging_->data() + pyramid_.image_bytes();
  for (int y = 0; y < mask->height; ++y, row += mask->width) {
    std::memcpy(row, mask->row(y), static_cast<std::size_t>(mask->width));
  }
}

void SiftGpu::enqueue_upload() {
  pyramid_.enqueue_upload(*queue_, staging_->data());
  if (mask_bytes_ > 0) queue_->upload(*mask_, 0, staging_->data() + pyramid_.image_bytes(), mask_bytes_);
}

void SiftGpu::enqueue_clear() { enqueue_clear(*queue_); }

void SiftGpu::enqueue_clear(GpuQueue& queue) { queue.clear(*tallies_, 0, tallies_bytes_); }

void SiftGpu::enqueue_scale_space() {
  pyramid_.enqueue_blurs(*queue_);
  join_branches();
}

void SiftGpu::enqueue_extrema() {
  for (int part = 0; part < parts; ++part) enqueue_extrema(*queue_, part);
}

void SiftGpu::enqueue_orientation() {
  for (int part = 0; part < parts; ++part) enqueue_orientation(*queue_, part);
}

void SiftGpu::enqueue_detection() {
  enqueue_clear(queue_->fork(0));
  pyramid_.enqueue_blurs(*queue_);
  GpuQueue& first_octave = queue_->branch(0);
  enqueue_extrema(first_octave, 0);
  enqueue_orientation(first_octave, 0);
  queue_->join(1);
  enqueue_extrema(*queue_, 1);
  enqueue_orientation(*queue_, 1);
  queue_->join(0);
}

void SiftGpu::join_branches() {
  for (std::size_t i = 0; i < PyramidGpu::branches; ++i) queue_->join(i);
}

void SiftGpu::enqueue_extrema(GpuQueue& queue, int part) {
  const std::vector<OctaveLayout>& layout = pyramid_.layout();
  const int others = layout.size() > 1 ? layout[1].first_tile : pyramid_.tiles();
  const int first = part == 0 ? 0 : others, end = part == 0 ? others : pyramid_.tiles();
  if (first == end) return;
  const SiftOfKernel sift = for_kernel(part);
  const ExtremumLimits limits = extremum_limits(options_);
  queue.launch(options_.layers == 3 ? *extrema_3_ : *extrema_any_,
               {{static_cast<unsigned>(end - first), 1, 1}, {256, 1, 1}, true}, pyramid_.levels(), *layout_, first,
               sift, limits, *tallies_, *list(part).candidates);
  queue.launch(*refine_, {{many_groups() / 8, 1, 1}, {64, 1, 1}, true}, pyramid_.levels(), *layout_, sift, limits,
               *mask_, *tallies_, *list(part).candidates, *list(part).found);
}

void SiftGpu::enqueue_orientation(GpuQueue& queue, int part) {
  queue.launch(*orient_, {{many_groups(), 1, 1}, {64, 1, 1}, true}, pyramid_.levels(), *layout_, for_kernel(part),
               *list(part).found, *tallies_, *oriented_);
}

void SiftGpu::enqueue_order() {
  const SiftOfKernel sift = for_kernel();
  const GpuGrid threads{{many_groups() / 4, 1, 1}, {64, 1, 1}, true};
  queue_->launch(*place_, threads, *layout_, sift, *tallies_, *oriented_, *row_starts_, *places_);
  queue_->launch(*rank_, threads, *layout_, sift, *tallies_, *oriented_, *row_starts_, *places_, *sorted_, *keypoints_);
}

void SiftGpu::enqueue_description(int chosen) {
  queue_->launch(*describe_, {{many_groups(), 1, 1}, {128, 1, 1}, true}, pyramid_.levels(), *layout_, for_kernel(),
                 *tallies_, *sorted_, chosen, *chosen_, *descriptors_);
}

void SiftGpu::enqueue_counts() { queue_->download(counts_->data(), *tallies_, 0, counters * sizeof(std::uint32_t)); }

std::uint32_t SiftGpu::counted(int counter) const {
  std::uint32_t value;
  std::memcpy(&value, counts_->data() + static_cast<std::size_t>(counter) * sizeof value, sizeof value);
  return value;
}

SiftOfKernel SiftGpu::for_kernel(int part) const {
  const Lists& lists = lists_[static_cast<std::size_t>(part)];
  SiftOfKernel sift{};
  sift.octaves = static_cast<int>(pyramid_.layout().size());
  sift.tiles = pyramid_.tiles();
  sift.rows = pyramid_.rows();
  sift.first_octave = options_.first_octave;
  sift.max_orientations = options_.max_orientations;
  sift.upright = options_.upright;
  sift.rootsift = options_.descriptor == DescriptorKind::rootsift;
  sift.has_mask = mask_bytes_ > 0;
  sift.image_width = image_width_;
  sift.image_height = image_height_;
  sift.part = part;
  sift.candidate_capacity = lists.candidate_capacity;
  sift.extrema_capacity = lists.extrema_capacity;
  sift.keypoint_capacity = keypoint_capacity_;
  std::copy(std::begin(tallies_at_.rows), std::end(tallies_at_.rows), sift.row_counts_at);
  sift.row_fill_at = tallies_at_.fill;
  sift.claims_at = tallies_at_.claims;
  sift.sigma = static_cast<float>(options_.sigma);
  return sift;
}

// Enough to fill the device several times over; every group takes its share of a list.
unsigned SiftGpu::many_groups() const { return 64u * static_cast<unsigned>(std::max(gpu_->facts().compute_units, 4)); }

}  // namespace octavo
