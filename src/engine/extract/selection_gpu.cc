// Three launches without a grid, six with one, whose keys take three: two digits, and the move of the chosen keypoints
// to one place.
// No launch needs a number from the host, so all are part of the recorded work.

#include "engine/extract/selection_gpu.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "engine/device/gpu_room.h"
#include "octavo/keypoint.h"

namespace octavo {

// As kernels read them.
static_assert(sizeof(SelectionOfKernel) == 56 && offsetof(SelectionOfKernel, cell_fill_at) == 52);
static_assert(sizeof(CutRecord) == 8 && offsetof(CutRecord, wanted) == 4);

SelectionGpu::SelectionGpu(const Budget& budget, std::shared_ptr<Gpu> gpu, const KernelModule& module)
    : budget_(budget), gpu_(std::move(gpu)) {
  if (has_grid()) {
    count_cells_ = gpu_->kernel(module, "select_count_cells");
    list_cells_ = gpu_->kernel(module, "select_list_cells");
    keys_in_cells_ = gpu_->kernel(module, "select_keys_in_cells");
  }
  count_digit_ = gpu_->kernel(module, "select_count_digit");
  gather_ = gpu_->kernel(module, "select_gather");
  const int cells = budget_.grid * budget_.grid;
  for_kernel_.budget = budget_.max_features;
  for_kernel_.rank = static_cast<int>(budget_.rank);
  for_kernel_.grid = budget_.grid;
  for_kernel_.share = (budget_.max_features + cells - 1) / cells;
  for_kernel_.share_bits = static_cast<int>(std::bit_width(static_cast<unsigned>(for_kernel_.share)));
}

std::size_t SelectionGpu::kept(std::size_t keypoints) const {
  return std::min(keypoints, static_cast<std::size_t>(budget_.max_features));
}

std::size_t SelectionGpu::tallies() const {
  const int of_keys = key_digits * digit_bins + words_of_cut * key_digits;
  const int of_cells = has_grid() ? (2 * budget_.grid + 1) * budget_.grid : 0;
  return static_cast<std::size_t>(of_keys) + static_cast<std::size_t>(of_cells);
}

void SelectionGpu::prepare(int image_width, int image_height, int tallies_at) {
  for_kernel_.image_width = image_width;
  for_kernel_.image_height = image_height;
  for_kernel_.bins_at = tallies_at;
  for_kernel_.cuts_at = for_kernel_.bins_at + key_digits * digit_bins;
  for_kernel_.cells_at = for_kernel_.cuts_at + words_of_cut * key_digits;
  for_kernel_.cell_rows_at = for_kernel_.cells_at + budget_.grid * budget_.grid;
  for_kernel_.cell_fill_at = for_kernel_.cell_rows_at + budget_.grid;
}

void SelectionGpu::make_lists(int keypoints) {
  for_kernel_.keypoint_capacity = keypoints;
  for_kernel_.index_bits = static_cast<int>(std::bit_width(static_cast<unsigned>(keypoints)));
  const std::size_t n = static_cast<std::size_t>(keypoints);
  make_room(*gpu_, all_keypoints_, n * sizeof(Keypoint));
  make_room(*gpu_, keys_, n * key_bytes);
  if (has_grid()) make_room(*gpu_, sort_keys_, n * sort_key_bytes);
  make_room(*gpu_, chosen_, kept(n) * sizeof(std::int32_t));
}

void SelectionGpu::release() {
  for (auto* buffer : {&all_keypoints_, &keys_, &sort_keys_, &chosen_}) buffer->reset();
}

void SelectionGpu::enqueue(GpuQueue& queue, GpuBuffer& tallies, const GpuBuffer& order, GpuBuffer& keypoints) {
  // There are few groups, because each one begins by reading all bins.
  const unsigned groups = 2u * static_cast<unsigned>(std::max(gpu_->facts().compute_units, 4));
  const GpuGrid threads{{groups, 1, 1}, {select_threads, 1, 1}, true};
  if (has_grid()) {
    const unsigned cells = static_cast<unsigned>(budget_.grid * budget_.grid);
    queue.launch(*count_cells_, threads, for_kernel_, tallies, *all_keypoints_);
    queue.launch(*list_cells_, threads, for_kernel_, tallies, *all_keypoints_, *sort_keys_);
    queue.launch(*keys_in_cells_, {{cells, 1, 1}, {select_threads, 1, 1}, cells <= groups}, for_kernel_, tallies,
                 *sort_keys_, *keys_);
  }
  for (int digit = 1; digit < key_digits; ++digit) {
    queue.launch(*count_digit_, threads, for_kernel_, digit, tallies, *keys_);
  }
  queue.launch(*gather_, threads, for_kernel_, tallies, *keys_, order, *all_keypoints_, *chosen_, keypoints);
}

}  // namespace octavo
