// Arrays of other libraries as images. NumPy arrays and all that DLPack or the buffer protocol offers are read where
// they are: rows may be any distance apart, and run upwards; three channels may be reversed. An array whose pixels are
// not packed within a row (every second column, a transposed array) is copied once. Tensors in the memory of a CUDA
// device become DeviceImages.

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "octavo/image_view.h"

namespace octavo::python {

using AnyArray = nanobind::ndarray<nanobind::ro>;

/// Takes the array of an object, in host memory or on a CUDA device. Raises TypeError that says what is wrong with it;
/// `what` is what errors call it. Throws Error(invalid_argument) for memory of another kind of device.
AnyArray array_of(nanobind::handle object, const std::string& what);

/// The same, in host memory alone.
AnyArray host_array_of(nanobind::handle object, const std::string& what);

/// The order of a word, rgb or bgr. Throws Error(invalid_option).
ChannelOrder order_of(const std::string& word);

/// The image in an array. It keeps the array alive.
class ArrayImage {
 public:
  /// `object` is H×W or H×W×C with C of 1 to 4, in u8, u16 or f32. `stream` is None, or the number of the CUDA stream
  /// on which the tensor was made. Throws Error(invalid_argument).
  explicit ArrayImage(nanobind::handle object, ChannelOrder order = ChannelOrder::rgb,
                      nanobind::handle stream = nanobind::none());

  [[nodiscard]] bool is_on_device() const { return is_on_device_; }
  /// The view has the channels of the array in the other order, since the array sees them from the last one.
  [[nodiscard]] bool is_reversed() const { return is_reversed_; }
  /// Of an array in host memory. The first call copies the pixels if they are not packed; no GIL is needed.
  const ImageView& view();
  /// The shape alone, without a copy.
  [[nodiscard]] const ImageView& shape() const { return view_; }
  [[nodiscard]] const DeviceImage& on_device() const { return device_; }

 protected:
  ArrayImage(AnyArray array, nanobind::handle object, const char* what, bool is_mask);

 private:
  void read(nanobind::handle object, const char* what, bool is_mask);
  void read_shape(nanobind::handle object, const char* what, bool is_mask);
  void read_layout();
  void pack();

  AnyArray array_;
  ImageView view_;
  DeviceImage device_;
  bool is_on_device_ = false;
  bool is_packed_ = true;
  bool is_reversed_ = false;
  std::unique_ptr<std::byte[]> copy_;
};

/// Throws Error(out_of_memory) if a copy of an image of so many bytes has no room in the host's memory.
void require_room(std::size_t bytes);

/// A mask: H×W in u8 or bool.
class ArrayMask : public ArrayImage {
 public:
  explicit ArrayMask(nanobind::handle object);
};

/// A matrix of bytes with 128 columns, packed. Throws Error(invalid_argument) for another shape or type.
std::span<const std::uint8_t> descriptors_of(const AnyArray& array, const char* what);

/// An array of this shape that owns `numbers`.
template <class Number>
nanobind::ndarray<nanobind::numpy, Number> numpy_of(std::vector<Number> numbers, std::vector<std::size_t> shape) {
  auto* const kept = new std::vector<Number>(std::move(numbers));
  const nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
  return {kept->data(), shape.size(), shape.data(), owner};
}

/// An array that owns the pixels of an image: H×W of one channel, otherwise H×W×C. `is_reversed`: it sees three
/// channels from the last one.
nanobind::ndarray<nanobind::numpy> numpy_of(Image image, bool is_reversed = false);

}  // namespace octavo::python
