#include "engine/device/image_on_gpu.h"

#include <algorithm>
#include <cstring>

#include "engine/device/gpu_room.h"

namespace octavo {

namespace {

// Large enough to make the fixed cost of a copy negligible.
constexpr std::size_t piece_bytes = std::size_t{512} << 10, piece_bytes_alone = piece_bytes / 2;

// One thread stages a smaller image before sleeping threads wake up.
constexpr std::size_t bytes_for_threads = 2 * piece_bytes;

}  // namespace

void ImageOnGpu::prepare(const ImageView& image) {
  row_bytes_ = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.channels) * bytes_of(image.type);
  rows_ = static_cast<std::size_t>(image.height);
  make_room(*gpu_, pixels_, bytes());
  make_room(*gpu_, staging_, bytes());
}

void ImageOnGpu::release() {
  pixels_.reset();
  staging_.reset();
}

bool ImageOnGpu::upload(GpuQueue& queue, const ImageView& image, CpuPool& pool) {
  const bool packed = image.stride == static_cast<std::ptrdiff_t>(row_bytes_);
  if (packed && gpu_->reads_directly(image.data, bytes())) {
    queue.upload(*pixels_, 0, image.data, bytes());
    return true;
  }
  const bool alone = bytes() < bytes_for_threads;
  const std::size_t rows_of_piece = std::max<std::size_t>((alone ? piece_bytes_alone : piece_bytes) / row_bytes_, 1);
  const int pieces = static_cast<int>((rows_ + rows_of_piece - 1) / rows_of_piece);
  const auto upload_piece = [&](int piece, int) {
    const std::size_t first = static_cast<std::size_t>(piece) * rows_of_piece;
    const std::size_t rows = std::min(rows_of_piece, rows_ - first), offset = first * row_bytes_;
    std::byte* const staged = staging_->data() + offset;
    if (packed) {
      std::memcpy(staged, image.row(static_cast<int>(first)), rows * row_bytes_);
    } else {
      for (std::size_t i = 0; i < rows; ++i) {
        std::memcpy(staged + i * row_bytes_, image.row(static_cast<int>(first + i)), row_bytes_);
      }
    }
    queue.upload(*pixels_, offset, staged, rows * row_bytes_);
  };
  if (alone) {
    for (int i = 0; i < pieces; ++i) upload_piece(i, 0);
  } else {
    pool.parallel_for(pieces, upload_piece);
  }
  return false;
}

void ImageOnGpu::copy(GpuQueue& queue, const DeviceImage& image) {
  queue.copy_foreign(*pixels_, {image.data, static_cast<std::size_t>(image.stride), row_bytes_, rows_, image.stream});
}

}  // namespace octavo
