// Images of any size and layout arrive on a GPU with packed rows, for any number of staging threads.

#include "engine/device/image_on_gpu.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <tuple>
#include <vector>

namespace octavo {
namespace {

std::vector<std::shared_ptr<Gpu>> every_gpu() {
  std::vector<std::shared_ptr<Gpu>> gpus;
  for (const GpuDriver& driver : {find_cuda_gpus(), find_opencl_gpus()}) {
    for (const FoundGpu& found : driver.gpus) gpus.push_back(found.open(0, {}));
  }
  return gpus;
}

std::vector<std::byte> fetched(GpuQueue& queue, ImageOnGpu& image) {
  std::vector<std::byte> bytes(image.bytes());
  queue.download(bytes.data(), image.pixels(), 0, bytes.size());
  queue.wait();
  return bytes;
}

// Sizes around one piece, around the size from which threads stage, and with rows longer than a piece.
struct Shape {
  int width, height, channels;
  PixelType type;
};

class ImageOnGpuOf : public testing::TestWithParam<std::tuple<Shape, int, bool>> {};

TEST_P(ImageOnGpuOf, HasTheImagesBytesRowByRow) {
  const auto& [shape, padding, upside_down] = GetParam();
  const std::vector<std::shared_ptr<Gpu>> gpus = every_gpu();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  const std::ptrdiff_t row_bytes =
      std::ptrdiff_t{shape.width} * shape.channels * static_cast<int>(bytes_of(shape.type));
  const std::ptrdiff_t stride = row_bytes + padding;
  std::vector<std::byte> memory(static_cast<std::size_t>(stride * shape.height));
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i * 7 + i / 1021);
  const std::byte* const first = memory.data() + (upside_down ? (shape.height - 1) * stride : 0);
  const ImageView view{first, shape.width, shape.height, shape.channels, shape.type, upside_down ? -stride : stride};
  for (const std::shared_ptr<Gpu>& gpu : gpus) {
    const std::unique_ptr<GpuQueue> queue = gpu->queue();
    ImageOnGpu on_gpu(gpu);
    on_gpu.prepare(view);
    ASSERT_EQ(on_gpu.bytes(), static_cast<std::size_t>(row_bytes * shape.height));
    for (const int threads : {1, 3}) {
      CpuPool pool(threads);
      EXPECT_FALSE(on_gpu.upload(*queue, view, pool));  // this memory is not pinned
      const std::vector<std::byte> found = fetched(*queue, on_gpu);
      for (int y = 0; y < shape.height; ++y) {
        ASSERT_EQ(std::memcmp(found.data() + y * row_bytes, view.row(y), static_cast<std::size_t>(row_bytes)), 0)
            << gpu->facts().name << ", " << threads << " threads, row " << y;
      }
    }
  }
}

std::string words_of_shape(const testing::TestParamInfo<ImageOnGpuOf::ParamType>& info) {
  const auto& [shape, padding, upside_down] = info.param;
  return std::to_string(shape.width) + "x" + std::to_string(shape.height) + "x" + std::to_string(shape.channels) +
         (padding == 0 ? "" : "_padded") + (upside_down ? "_upside_down" : "");
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, ImageOnGpuOf,
    testing::Combine(testing::Values(Shape{1, 1, 1, PixelType::u8}, Shape{7, 3, 3, PixelType::u16},
                                     Shape{511, 513, 1, PixelType::u8}, Shape{1023, 1025, 1, PixelType::u8},
                                     Shape{1024, 1024, 1, PixelType::u8}, Shape{997, 701, 3, PixelType::u8},
                                     Shape{300000, 2, 4, PixelType::f32}, Shape{1200, 900, 1, PixelType::f32}),
                     testing::Values(0, 5), testing::Bool()),
    words_of_shape);

TEST(ImageOnGpu, PinnedMemoryIsReadInPlaceWhereTheDeviceCan) {
  for (const std::shared_ptr<Gpu>& gpu : every_gpu()) {
    const std::unique_ptr<GpuPinned> pinned = gpu->allocate_pinned(std::size_t{200} * 100);
    for (std::size_t i = 0; i < 200 * 100; ++i) pinned->data()[i] = static_cast<std::byte>(i * 3);
    ImageOnGpu on_gpu(gpu);
    CpuPool alone(1);
    const std::unique_ptr<GpuQueue> queue = gpu->queue();
    const ImageView whole{pinned->data(), 200, 100, 1, PixelType::u8, 200},
        part{pinned->data(), 190, 100, 1, PixelType::u8, 200};
    on_gpu.prepare(whole);
    EXPECT_EQ(on_gpu.upload(*queue, whole, alone), gpu->reads_directly(pinned->data(), 200 * 100));
    EXPECT_EQ(std::memcmp(fetched(*queue, on_gpu).data(), pinned->data(), 200 * 100), 0);
    on_gpu.prepare(part);
    EXPECT_FALSE(on_gpu.upload(*queue, part, alone));  // its rows are not packed
    EXPECT_EQ(fetched(*queue, on_gpu)[190], pinned->data()[200]);
    on_gpu.release();
    on_gpu.prepare(whole);
    on_gpu.upload(*queue, whole, alone);
    EXPECT_EQ(std::memcmp(fetched(*queue, on_gpu).data(), pinned->data(), 200 * 100), 0);
  }
}

}  // namespace
}  // namespace octavo
