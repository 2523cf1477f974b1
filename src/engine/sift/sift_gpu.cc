// The host's part of sift_kernels.cl.h.

#include "engine/sift/sift_gpu.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/core/check_image.h"
#include "engine/device/gpu_room.h"
#include "engine/device/run_and_wait.h"
#include "engine/sift/extrema.h"
#include "engine/sift/usual_keypoints.h"
#include "octavo/error.h"

namespace octavo {

namespace {

// The records as kernels see them.
static_assert(sizeof(Extremum) == sizeof(ExtremumRecord) && sizeof(ExtremumRecord) == 28 &&
              offsetof(Extremum, layer) == offsetof(ExtremumRecord, layer) &&
              offsetof(Extremum, row) == offsetof(ExtremumRecord, row) &&
              offsetof(Extremum, column) == offsetof(ExtremumRecord, column) &&
              offsetof(Extremum, layer_offset) == offsetof(ExtremumRecord, layer_offset) &&
              offsetof(Extremum, row_offset) == offsetof(ExtremumRecord, row_offset) &&
              offsetof(Extremum, column_offset) == offsetof(ExtremumRecord, column_offset) &&
              offsetof(Extremum, value) == offsetof(ExtremumRecord, value));
static_assert(sizeof(Shape) == sizeof(ShapeRecord) && sizeof(ShapeRecord) == 12 &&
              offsetof(Shape, xx) == offsetof(ShapeRecord, xx) && offsetof(Shape, xy) == offsetof(ShapeRecord, xy) &&
              offsetof(Shape, yy) == offsetof(ShapeRecord, yy));
static_assert(sizeof(Oriented) == sizeof(OrientedRecord) && sizeof(OrientedRecord) == 52 &&
              offsetof(Oriented, octave) == offsetof(OrientedRecord, octave) &&
              offsetof(Oriented, extremum) == offsetof(OrientedRecord, extremum) &&
              offsetof(Oriented, scale) == offsetof(OrientedRecord, scale) &&
              offsetof(Oriented, turns) == offsetof(OrientedRecord, turns) &&
              offsetof(Oriented, shape) == offsetof(OrientedRecord, shape));
static_assert(sizeof(Keypoint) == sizeof(KeypointRecord) && sizeof(KeypointRecord) == 44 &&
              offsetof(Keypoint, x) == offsetof(KeypointRecord, x) &&
              offsetof(Keypoint, y) == offsetof(KeypointRecord, y) &&
              offsetof(Keypoint, scale) == offsetof(KeypointRecord, scale) &&
              offsetof(Keypoint, orientation) == offsetof(KeypointRecord, orientation) &&
              offsetof(Keypoint, response) == offsetof(KeypointRecord, response) &&
              offsetof(Keypoint, octave) == offsetof(KeypointRecord, octave) &&
              offsetof(Keypoint, layer) == offsetof(KeypointRecord, layer) &&
              offsetof(Keypoint, a11) == offsetof(KeypointRecord, a11) &&
              offsetof(Keypoint, a12) == offsetof(KeypointRecord, a12) &&
              offsetof(Keypoint, a21) == offsetof(KeypointRecord, a21) &&
              offsetof(Keypoint, a22) == offsetof(KeypointRecord, a22));
static_assert(sizeof(CandidateRecord) == 16 && sizeof(PlaceRecord) == 16 && offsetof(PlaceRecord, keypoint) == 12);
static_assert(sizeof(WindowRecord) == 80 && offsetof(WindowRecord, stride) == 8);
static_assert(sizeof(SiftOfKernel) == 92 && offsetof(SiftOfKernel, row_counts_at) == 44 &&
              offsetof(SiftOfKernel, sigma) == 80);
static_assert(static_cast<std::size_t>(describe_threads) == descriptor_length);

}  // namespace

SiftGpu::SiftGpu(const SiftParts& parts, std::shared_ptr<Gpu> gpu, std::shared_ptr<GpuQueue> queue)
    : parts_(parts), gpu_(std::move(gpu)), pyramid_(gpu_), mask_(gpu_), queue_(std::move(queue)) {
  const KernelModule& module = sift_kernels();
  extrema_ = gpu_->kernel(module, "extrema");
  refine_ = gpu_->kernel(module, "refine_candidates");
  if (parts_.budget.is_for_whole_image()) {
    count_extrema_ = gpu_->kernel(module, "count_extrema");
    keep_best_extrema_ = gpu_->kernel(module, "keep_best_extrema");
  }
  if (parts_.description.affine) fit_shapes_ = gpu_->kernel(module, "fit_shapes");
  orient_ = gpu_->kernel(module, has_orientation_windows(parts_.description) ? "orient_windows" : "orient");
  if (has_orientation_windows(parts_.description)) make_windows_ = gpu_->kernel(module, "make_windows");
  place_ = gpu_->kernel(module, "place");
  rank_ = gpu_->kernel(module, "rank");
  describe_ = gpu_->kernel(module, has_windows() ? "describe_pooled" : "describe");
  if (parts_.budget.max_features > 0) selection_.emplace(parts_.budget, gpu_, module);
  if (parts_.scale_space.smoothing == Smoothing::trilateral) trilateral_.emplace(parts_.scale_space, gpu_);
  constexpr float usual = 1;
  usual_contrast_ = gpu_->allocate(sizeof usual);
  run_and_wait(*queue_, [&] { queue_->upload(*usual_contrast_, 0, &usual, sizeof usual); });
  counts_ = gpu_->allocate_pinned(counters * sizeof(std::uint32_t));
}

void SiftGpu::prepare(const ImageView& image, bool masked) {
  pyramid_.prepare(image, parts_.scale_space.luma, plan_scale_space(image.width, image.height, parts_.scale_space));
  image_width_ = image.width;
  image_height_ = image.height;
  masked_ = masked;
  cuts_ = parts_.budget.is_for_whole_image();
  const std::vector<OctaveLayout>& layout = pyramid_.layout();
  if (layout.empty()) return;
  if (trilateral_) trilateral_->prepare(pyramid_);
  const std::size_t rows = static_cast<std::size_t>(pyramid_.rows());
  const OctaveLayout& last = layout.back();
  const wide grid_points = (last.first / pyramid_.plan().levels() + last.level_floats) * parts_.scale_space.layers;
  int at = counters;
  const auto take = [&](std::size_t words) {
    if (words > static_cast<std::size_t>(std::numeric_limits<int>::max() - at)) {
      throw Error(ErrorCode::out_of_memory, "an image of " + size_text(image) + " pixels is too large for a GPU");
    }
    return std::exchange(at, at + static_cast<int>(words));
  };
  for (int level = 0; level < 3; ++level) {
    tallies_at_.rows[level] = take((rows >> (row_count_shift * level)) + 1);
  }
  tallies_at_.fill = take(rows);
  tallies_at_.claims = take(static_cast<std::size_t>(grid_points + 31) / 32);
  if (cuts_) tallies_at_.best_bins = take(digit_bins);
  if (selection_) selection_->prepare(image_width_, image_height_, take(selection_->tallies()));
  tallies_bytes_ = static_cast<std::size_t>(at) * sizeof(std::uint32_t);
  make_room(*gpu_, layout_, layout.size() * sizeof(OctaveLayout));
  make_room(*gpu_, tallies_, tallies_bytes_);
  make_room(*gpu_, row_starts_, rows * sizeof(std::uint32_t));
  if (masked) mask_.prepare({nullptr, image.width, image.height, 1, PixelType::u8, image.width});
  // A photograph has about one keypoint for every 600 pixels of its first octave, and three candidates for each
  // keypoint. This is three to four times as many.
  const int first = static_cast<int>(std::min<wide>(layout[0].level_floats, 1 << 30));
  make_lists(first / 60 + 64, first / 200 + 64, first / 150 + 64);
  run_and_wait(*queue_, [&] { queue_->upload(*layout_, 0, layout.data(), layout.size() * sizeof(OctaveLayout)); });
}

void SiftGpu::make_lists(int candidates, int extrema, int keypoints) {
  candidate_capacity_ = std::max(candidates, candidate_capacity_);
  extrema_capacity_ = std::max(extrema, extrema_capacity_);
  keypoint_capacity_ = std::max(keypoints, keypoint_capacity_);
  const std::size_t c = static_cast<std::size_t>(candidate_capacity_), e = static_cast<std::size_t>(extrema_capacity_),
                    k = static_cast<std::size_t>(keypoint_capacity_), kept = capacity();
  make_room(*gpu_, candidates_, 2 * c * sizeof(CandidateRecord));
  make_room(*gpu_, found_, e * sizeof(Oriented));
  if (parts_.budget.is_for_whole_image()) make_room(*gpu_, best_, e * sizeof(Oriented));
  if (make_windows_) make_room(*gpu_, windows_, most_orientation_sizes * e * sizeof(WindowRecord));
  make_room(*gpu_, oriented_, k * sizeof(Oriented));
  make_room(*gpu_, places_, k * sizeof(PlaceRecord));
  make_room(*gpu_, order_, k * sizeof(std::int32_t));
  make_room(*gpu_, keypoints_, kept * sizeof(Keypoint));
  make_room(*gpu_, descriptors_, kept * descriptor_length);
  if (selection_) selection_->make_lists(keypoint_capacity_);
  // Downloads may include items that were never written.
  queue_->clear(*keypoints_, 0, kept * sizeof(Keypoint));
  queue_->clear(*descriptors_, 0, kept * descriptor_length);
}

bool SiftGpu::lists_grew(const std::byte*) {
  const std::uint32_t candidates = std::max(counted(candidate_counter), counted(topmost_counter)),
                      extrema = counted(extrema_counter), keypoints = counted(keypoint_counter);
  if (candidates <= static_cast<std::uint32_t>(candidate_capacity_) &&
      extrema <= static_cast<std::uint32_t>(extrema_capacity_) &&
      keypoints <= static_cast<std::uint32_t>(keypoint_capacity_)) {
    const std::uint32_t budget = static_cast<std::uint32_t>(parts_.budget.max_features);
    // Extrema without a keypoint took the places of others: run again with all extrema.
    return cuts_ && extrema > budget && keypoints < budget && std::exchange(cuts_, false);
  }
  const auto with_slack = [](std::uint32_t n) { return static_cast<int>(std::min<wide>(wide{n} * 5 / 4, 1 << 30)); };
  // Extrema that had no room in the list have keypoints that were not counted.
  make_lists(with_slack(candidates), with_slack(extrema), with_slack(std::max(extrema, keypoints)));
  return true;
}

void SiftGpu::release() {
  pyramid_.release();
  mask_.release();
  for (auto* buffer : {&layout_, &tallies_, &row_starts_, &candidates_, &found_, &best_, &windows_, &oriented_,
                       &places_, &order_, &keypoints_, &descriptors_}) {
    buffer->reset();
  }
  if (selection_) selection_->release();
  if (trilateral_) trilateral_->release();
  candidate_capacity_ = extrema_capacity_ = keypoint_capacity_ = 0;
}

std::size_t SiftGpu::results(const std::byte*) const { return kept_of(counted(keypoint_counter)); }

std::size_t SiftGpu::likely_results() const {
  return usual_keypoints(static_cast<std::size_t>(pyramid_.layout().front().level_floats));
}

std::vector<GpuResultList> SiftGpu::lists() const {
  return {{*keypoints_, sizeof(Keypoint)}, {*descriptors_, descriptor_length}};
}

void SiftGpu::enqueue_clear(GpuQueue& queue) { queue.clear(*tallies_, 0, tallies_bytes_); }

const GpuBuffer& SiftGpu::contrast() const {
  const GpuBuffer* const measured = trilateral_ ? trilateral_->contrast() : nullptr;
  return measured ? *measured : *usual_contrast_;
}

void SiftGpu::enqueue_scale_space() {
  if (trilateral_) return trilateral_->enqueue(*queue_, pyramid_, image_width_, image_height_);
  last_radius_ = 0;
  pyramid_.enqueue_blurs(*queue_, PyramidGpu::LastImage::made, [](GpuQueue&, int) {});
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
  GpuQueue& aside = queue_->fork(0);  // there are no extrema before there are levels
  enqueue_clear(aside);
  const std::unique_ptr<GpuEvent> cleared = aside.event();
  const std::vector<OctaveLayout>& layout = pyramid_.layout();
  const auto end_of = [&](int octave) {
    const std::size_t next = static_cast<std::size_t>(octave) + 1;
    return next < layout.size() ? layout[next].first_tile : pyramid_.tiles();
  };
  last_radius_ = pyramid_.last_radius();
  const auto last = last_radius_ > 0 ? PyramidGpu::LastImage::left_out : PyramidGpu::LastImage::made;
  pyramid_.enqueue_blurs(*queue_, last, [&](GpuQueue& queue, int octave) {
    const int first = layout[static_cast<std::size_t>(octave)].first_tile;
    if (octave > 0) queue.wait_for(*cleared);
    enqueue_candidates(queue, first, end_of(octave) - first);
  });
  join_branches();
  const int first = end_of(pyramid_.large_octaves() - 1);  // the first octave is always large
  enqueue_candidates(*queue_, first, pyramid_.tiles() - first);
  enqueue_refinement();
}

void SiftGpu::join_branches() {
  for (std::size_t i = 0; i < pyramid_.branches(); ++i) queue_->join(i);
}

void SiftGpu::enqueue_candidates(GpuQueue& queue, int first_tile, int tiles) {
  if (tiles == 0) return;
  queue.launch(*extrema_, GpuGrid::of_groups(tiles, extrema_threads), pyramid_.levels(), *layout_, first_tile,
               for_kernel(), parts_.limits, contrast(), *tallies_, *candidates_);
}

void SiftGpu::enqueue_refinement() {
  queue_->launch(*refine_, {{groups_of_points(), 1, 1}, {refine_threads, 1, 1}}, pyramid_.levels(), *layout_,
                 for_kernel(), parts_.limits, contrast(), pyramid_.last_filter(),
                 masked_ ? mask_.pixels() : pyramid_.image().pixels(), *tallies_, *candidates_, *found_);
}

GpuGrid SiftGpu::few_groups() const {
  // Each one begins by reading all bins.
  const unsigned groups = 2u * static_cast<unsigned>(std::max(gpu_->facts().compute_units, 4));
  return {{groups, 1, 1}, {select_threads, 1, 1}, true};
}

void SiftGpu::enqueue_count_of_best() {
  if (cuts_) queue_->launch(*count_extrema_, few_groups(), for_kernel(), *tallies_, *found_);
}

void SiftGpu::enqueue_best() {
  const int sizes = best_have_windows() ? pooling().orientation_sizes : 0;
  queue_->launch(*keep_best_extrema_, few_groups(), *layout_, for_kernel(), pooling(), sizes, *tallies_, *found_,
                 *best_, sizes > 0 ? *windows_ : *best_);
}

void SiftGpu::enqueue_shapes() {
  queue_->launch(*fit_shapes_, {{many_groups(), 1, 1}, {shape_threads, 1, 1}}, pyramid_.levels(), *layout_,
                 for_kernel(), pooling(), *tallies_, listed());
}

void SiftGpu::enqueue_orientation() {
  const GpuGrid groups{{groups_of_points(), 1, 1}, {orient_threads, 1, 1}};
  if (has_orientation_windows(parts_.description)) {
    if (!best_have_windows()) {
      const GpuGrid threads{{many_groups() / 8, 1, 1}, {window_threads, 1, 1}, true};
      queue_->launch(*make_windows_, threads, *layout_, for_kernel(), pooling(), listed(), *tallies_, *windows_);
    }
    queue_->launch(*orient_, groups, pyramid_.levels(), *layout_, for_kernel(), pooling(), listed(), *windows_,
                   *tallies_, *oriented_);
    return;
  }
  queue_->launch(*orient_, groups, pyramid_.levels(), *layout_, for_kernel(), listed(), *tallies_, *oriented_);
}

void SiftGpu::enqueue_order() {
  const SiftOfKernel sift = for_kernel();
  const GpuGrid threads{{many_groups() / 8, 1, 1}, {rank_threads, 1, 1}, true};
  queue_->launch(*place_, threads, *layout_, sift, *tallies_, *oriented_, *row_starts_, *places_);
  // Without a budget no key is written.
  queue_->launch(*rank_, threads, *layout_, sift, selection_ ? selection_->for_kernel() : SelectionOfKernel{},
                 *tallies_, *oriented_, *row_starts_, *places_, *order_,
                 selection_ ? selection_->all_keypoints() : *keypoints_,
                 selection_ ? selection_->keys() : *row_starts_);
}

void SiftGpu::enqueue_selection() { selection_->enqueue(*queue_, *tallies_, *order_, *keypoints_); }

void SiftGpu::enqueue_description() {
  const int most = static_cast<int>(capacity());
  const GpuGrid groups{{many_groups(), 1, 1}, {describe_threads, 1, 1}};
  const GpuBuffer& order = selection_ ? selection_->chosen() : *order_;
  if (has_windows()) {
    queue_->launch(*describe_, groups, pyramid_.levels(), *layout_, for_kernel(), pooling(), *tallies_, *oriented_,
                   order, most, *descriptors_);
  } else {
    queue_->launch(*describe_, groups, pyramid_.levels(), *layout_, for_kernel(), *tallies_, *oriented_, order, most,
                   *descriptors_);
  }
}

void SiftGpu::enqueue(const StageDone& done) {
  enqueue_scale_space_and_extrema();
  done("scale space and extrema");
  enqueue_features(done);
  enqueue_counts();
}

void SiftGpu::enqueue_features(const StageDone& done) {
  if (cuts_) enqueue_best();
  if (parts_.description.affine) {
    enqueue_shapes();
    done("shape");
  }
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

PoolingRecord SiftGpu::pooling() const { return pooling_of(parts_, static_cast<int>(pyramid_.layout().size())); }

SiftOfKernel SiftGpu::for_kernel() const {
  SiftOfKernel sift{};
  sift.octaves = static_cast<int>(pyramid_.layout().size());
  sift.first_octave = parts_.scale_space.first_octave;
  sift.max_orientations = parts_.description.max_orientations;
  sift.upright = parts_.description.upright;
  sift.affine = parts_.description.affine;
  sift.has_mask = masked_;
  sift.image_width = image_width_;
  sift.image_height = image_height_;
  sift.candidate_capacity = candidate_capacity_;
  sift.extrema_capacity = extrema_capacity_;
  sift.keypoint_capacity = keypoint_capacity_;
  std::copy(std::begin(tallies_at_.rows), std::end(tallies_at_.rows), sift.row_counts_at);
  sift.row_fill_at = tallies_at_.fill;
  sift.claims_at = tallies_at_.claims;
  sift.best_bins_at = tallies_at_.best_bins;
  sift.list_counter = cuts_ ? best_counter : extrema_counter;
  sift.budget = parts_.budget.max_features;
  sift.rank = static_cast<int>(parts_.budget.rank);
  sift.sigma = static_cast<float>(parts_.scale_space.sigma);
  sift.rootsift = parts_.description.descriptor == DescriptorKind::rootsift;
  sift.last_radius = last_radius_;
  return sift;
}

// Enough groups to fill the device several times. Every group processes its share of a list.
unsigned SiftGpu::many_groups() const { return 64u * static_cast<unsigned>(std::max(gpu_->facts().compute_units, 4)); }

unsigned SiftGpu::groups_of_points() const {
  // Small images have few points, and a group without any takes a place from others.
  return std::clamp(2u * static_cast<unsigned>(pyramid_.tiles()), 1u, many_groups());
}

}  // namespace octavo
