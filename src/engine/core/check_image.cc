#include "engine/core/check_image.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "octavo/error.h"

namespace octavo {

void refuse_image(const std::string& why) { throw Error(ErrorCode::invalid_argument, "the image " + why); }

namespace {

// Coordinates of the doubled image must be exact as floats.
constexpr int longest_side = 1 << 22;

// Checks everything about an ImageView or DeviceImage except its pixels. Returns the bytes of a row.
template <class Look>
std::ptrdiff_t check_shape(const Look& image) {
  if (image.width < 1 || image.height < 1) refuse_image("has no pixels (" + size_text(image) + ")");
  if (image.width > longest_side || image.height > longest_side) {
    refuse_image("is " + size_text(image) + " pixels, but sides may be at most " + std::to_string(longest_side));
  }
  if (image.channels < 1 || image.channels > 4)
    refuse_image("has " + std::to_string(image.channels) + " channels, not 1 to 4");
  return std::ptrdiff_t{image.width} * image.channels * static_cast<std::ptrdiff_t>(bytes_of(image.type));
}

template <class Look>
void check_data(const Look& image) {
  if (image.data == nullptr) refuse_image("has no data");
}

void check_stride(std::ptrdiff_t stride, std::ptrdiff_t row_bytes) {
  if (std::abs(stride) >= row_bytes) return;
  refuse_image("has rows of " + std::to_string(row_bytes) + " bytes, but a stride of " + std::to_string(stride));
}

// There is no branch for each sample, so that compilers vectorise the loop.
bool all_between_0_and_1(const std::byte* samples, int count) {
  int outside = 0;
  for (int i = 0; i < count; ++i) {
    float value;
    std::memcpy(&value, samples + std::ptrdiff_t{i} * std::ptrdiff_t{sizeof(float)}, sizeof(float));
    outside |= static_cast<int>(!(value >= 0)) | static_cast<int>(!(value <= 1));
  }
  return outside == 0;
}

}  // namespace

void check_image_shape(const ImageView& image) { check_shape(image); }

void check_image(const ImageView& image) {
  const std::ptrdiff_t row_bytes = check_shape(image);
  check_data(image);
  if (image.height > 1) check_stride(image.stride, row_bytes);
  if (image.type != PixelType::f32) return;
  const int colours = image.channels < 3 ? 1 : 3;
  for (int y = 0; y < image.height; ++y) {
    if (colours == image.channels && all_between_0_and_1(image.row(y), image.width * image.channels)) continue;
    for (int x = 0; x < image.width; ++x) {
      for (int c = 0; c < colours; ++c) {
        float value;
        std::memcpy(&value, image.row(y) + (std::ptrdiff_t{x} * image.channels + c) * std::ptrdiff_t{sizeof(float)},
                    sizeof(float));
        if (!(value >= 0 && value <= 1)) {
          refuse_image("is " + std::to_string(value) + " at (" + std::to_string(x) + ", " + std::to_string(y) +
                       "), but float pixels must be between 0 and 1");
        }
      }
    }
  }
}

void check_image(const DeviceImage& image) {
  const std::ptrdiff_t row_bytes = check_shape(image);
  check_data(image);
  check_stride(image.stride, row_bytes);
  if (image.stride < 0)
    refuse_image("lies on a device, where rows cannot run upwards; its stride is " + std::to_string(image.stride));
}

}  // namespace octavo
