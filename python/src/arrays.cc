// The checks of arrays. What concerns pixels and sizes is left to the library, whose errors are the same in every
// language.

#include "arrays.h"

#include <nanobind/stl/string.h>

#include <array>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "octavo/device.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/option_table.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

bool is_on_cuda(const AnyArray& array) {
  return array.device_type() == nb::device::cuda::value || array.device_type() == nb::device::cuda_managed::value;
}

bool is_in_host_memory(const AnyArray& array) {
  constexpr int of_cuda = 3, of_rocm = 11;  // DLPack's kDLCUDAHost and kDLROCMHost: pinned memory
  const int type = array.device_type();
  return type == nb::device::cpu::value || type == of_cuda || type == of_rocm;
}

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::invalid_argument, sentence); }

std::string shape_text(const AnyArray& array) {
  std::string text = "(";
  for (std::size_t i = 0; i < array.ndim(); ++i) text += (i > 0 ? ", " : "") + std::to_string(array.shape(i));
  return text + (array.ndim() == 1 ? ",)" : ")");
}

std::string name_of(nb::dlpack::dtype type) {
  using Code = nb::dlpack::dtype_code;
  const std::string bits = std::to_string(type.bits);
  switch (static_cast<Code>(type.code)) {
    case Code::Int:
      return "int" + bits;
    case Code::UInt:
      return "uint" + bits;
    case Code::Float:
      return "float" + bits;
    case Code::Bfloat:
      return "bfloat" + bits;
    case Code::Complex:
      return "complex" + bits;
    case Code::Bool:
      return "bool";
    default:
      return "of an unknown type";
  }
}

// The object tells what to do about its type.
PixelType pixel_type_of(const AnyArray& array, nb::handle object, const char* what) {
  if (array.dtype() == nb::dtype<std::uint8_t>()) return PixelType::u8;
  if (array.dtype() == nb::dtype<std::uint16_t>()) return PixelType::u16;
  if (array.dtype() == nb::dtype<float>()) return PixelType::f32;
  nb::module_::import_("octavo._refuse").attr("refuse_type")(object, what, name_of(array.dtype()));  // raises
  return PixelType::u8;
}

int side_of(const AnyArray& array, std::size_t axis, const char* what) {
  if (array.shape(axis) <= static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return static_cast<int>(array.shape(axis));
  }
  refuse(std::string("the ") + what + " has the shape " + shape_text(array) + ", which is too large");
}

void refuse_channels(const AnyArray& array, const char* what) {
  const std::string sentence = std::string("the ") + what + " has the shape " + shape_text(array);
  if (array.shape(0) >= 1 && array.shape(0) <= 4) {
    refuse(sentence + ", which looks like channels x height x width; height x width x channels is needed: pass " +
           what + ".transpose(1, 2, 0) (in PyTorch " + what + ".permute(1, 2, 0))");
  }
  refuse(sentence + ", but must be height x width x channels with 1 to 4 channels");
}

}  // namespace

AnyArray array_of(nb::handle object, const std::string& what) {
  AnyArray array;
  if (!nb::try_cast(object, array, false)) {
    PyErr_Clear();
    nb::module_::import_("octavo._refuse").attr("refuse_array")(object, what);  // raises
  }
  if (!is_in_host_memory(array) && !is_on_cuda(array)) {
    refuse("the " + what + " lies on a device of DLPack's type " + std::to_string(array.device_type()) +
           ", but must be in host memory or on a CUDA device: pass " + what + ".cpu()");
  }
  return array;
}

AnyArray host_array_of(nb::handle object, const std::string& what) {
  AnyArray array = array_of(object, what);
  if (is_on_cuda(array)) {
    refuse("the " + what + " lies on a GPU, but must be in host memory: pass " + what + ".cpu()");
  }
  return array;
}

ChannelOrder order_of(const std::string& word) {
  constexpr std::array<std::string_view, 2> words{"rgb", "bgr"};
  if (word == words[0]) return ChannelOrder::rgb;
  if (word == words[1]) return ChannelOrder::bgr;
  refuse_word("order", word, words);
}

namespace {

nb::object on_stream(nb::handle object, nb::handle stream) try {
  return object.attr("__dlpack__")(nb::arg("stream") = stream);
} catch (nb::python_error& error) {
  if (!error.matches(PyExc_Exception)) throw;
  refuse("the image cannot be taken on a stream of CUDA, which is for tensors on a GPU: " +
         nb::cast<std::string>(nb::str(error.value())));
}

}  // namespace

ArrayImage::ArrayImage(nb::handle object, ChannelOrder order, nb::handle stream) {
  view_.order = order;
  if (stream.is_none()) {
    array_ = array_of(object, "image");
  } else {
    array_ = array_of(on_stream(object, stream), "image");
    device_.stream = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(stream));
  }
  read(object, "image", false);
}

ArrayImage::ArrayImage(AnyArray array, nb::handle object, const char* what, bool is_mask) : array_(std::move(array)) {
  read(object, what, is_mask);
}

void ArrayImage::read(nb::handle object, const char* what, bool is_mask) {
  read_shape(object, what, is_mask);
  read_layout();
  if (!is_on_device_) return;
  if (!is_packed_ || view_.stride < 0) {
    refuse(std::string("the ") + what + " lies on a GPU and its pixels are not packed; pass " + what +
           ".contiguous() (in CuPy cupy.ascontiguousarray(" + what + "))");
  }
  device_ = {view_.data, view_.width,  view_.height,   view_.channels,
             view_.type, view_.stride, device_.stream, view_.order};
}

void ArrayImage::read_shape(nb::handle object, const char* what, bool is_mask) {
  if (array_.ndim() != 2 && array_.ndim() != 3) {
    refuse(std::string("the ") + what + " has the shape " + shape_text(array_) +
           ", but must be height x width, or height x width x channels");
  }
  const bool is_bool = is_mask && array_.dtype() == nb::dtype<bool>();
  view_.type = is_bool ? PixelType::u8 : pixel_type_of(array_, object, what);
  if (array_.ndim() == 3 && (array_.shape(2) < 1 || array_.shape(2) > 4)) refuse_channels(array_, what);
  view_.height = side_of(array_, 0, what);
  view_.width = side_of(array_, 1, what);
  view_.channels = array_.ndim() == 3 ? static_cast<int>(array_.shape(2)) : 1;
}

void ArrayImage::read_layout() {
  view_.data = array_.data();
  const auto sample = static_cast<std::ptrdiff_t>(bytes_of(view_.type));
  const std::ptrdiff_t row = std::ptrdiff_t{view_.width} * view_.channels * sample;
  view_.stride = view_.height > 1 ? array_.stride(0) * sample : row;

  const bool are_rows_apart = std::abs(view_.stride) >= row;
  if (view_.channels == 3 && array_.stride(2) == -1 && (view_.width == 1 || array_.stride(1) == 3) && are_rows_apart) {
    // Packed pixels, seen from their last channel.
    view_.data = static_cast<const std::byte*>(view_.data) - 2 * sample;
    view_.order = view_.order == ChannelOrder::rgb ? ChannelOrder::bgr : ChannelOrder::rgb;
    is_reversed_ = true;
  }

  const bool is_channel_packed = is_reversed_ || view_.channels == 1 || array_.stride(2) == 1;
  const bool is_row_packed = view_.width == 1 || array_.stride(1) == view_.channels;
  is_packed_ = is_channel_packed && is_row_packed && are_rows_apart;

  is_on_device_ = is_on_cuda(array_);
}

const ImageView& ArrayImage::view() {
  if (!is_packed_) pack();
  return view_;
}

void ArrayImage::pack() {
  const std::size_t sample = bytes_of(view_.type), channels = static_cast<std::size_t>(view_.channels);
  const std::size_t row = static_cast<std::size_t>(view_.width) * channels * sample;
  const std::ptrdiff_t signed_sample = static_cast<std::ptrdiff_t>(sample);
  const std::ptrdiff_t to_column = array_.stride(1) * signed_sample;
  const std::ptrdiff_t to_channel = array_.ndim() == 3 ? array_.stride(2) * signed_sample : 0;
  const std::size_t bytes = row * static_cast<std::size_t>(view_.height);
  require_room(bytes);
  copy_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
  std::byte* out = copy_.get();
  for (int y = 0; y < view_.height; ++y) {
    const std::byte* pixel = view_.row(y);
    for (int x = 0; x < view_.width; ++x, pixel += to_column) {
      const std::byte* from = pixel;
      for (std::size_t c = 0; c < channels; ++c, from += to_channel, out += sample) std::memcpy(out, from, sample);
    }
  }
  view_.data = copy_.get();
  view_.stride = static_cast<std::ptrdiff_t>(row);
  is_packed_ = true;
}

void require_room(std::size_t bytes) {
  const AvailableMemory available = available_host_memory();
  if (bytes <= available.bytes) return;
  throw Error(ErrorCode::out_of_memory, "a copy of the image takes " + std::to_string(bytes) + " bytes, but " +
                                            std::to_string(available.bytes) + " are available (" + available.limit +
                                            ")");
}

ArrayMask::ArrayMask(nb::handle object) : ArrayImage(host_array_of(object, "mask"), object, "mask", true) {}

std::span<const std::uint8_t> descriptors_of(const AnyArray& array, const char* what) {
  const bool is_packed = array.size() == 0 ||
                         (array.ndim() == 2 && (array.shape(0) < 2 || array.stride(0) == 128) && array.stride(1) == 1);
  if (array.ndim() != 2 || array.shape(1) != 128 || array.dtype() != nb::dtype<std::uint8_t>() || !is_packed) {
    refuse(std::string(what) + " must be N x 128 in uint8 and packed, not " + shape_text(array) + " in " +
           name_of(array.dtype()));
  }
  return {static_cast<const std::uint8_t*>(array.data()), array.shape(0) * 128};
}

nb::ndarray<nb::numpy> numpy_of(Image image, bool is_reversed) {
  auto* const kept = new Image(std::move(image));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Image*>(p); });
  const std::size_t shape[]{static_cast<std::size_t>(kept->height()), static_cast<std::size_t>(kept->width()),
                            static_cast<std::size_t>(kept->channels())};
  const std::size_t axes = kept->channels() == 1 ? 2 : 3;
  const nb::dlpack::dtype type = kept->type() == PixelType::u8    ? nb::dtype<std::uint8_t>()
                                 : kept->type() == PixelType::u16 ? nb::dtype<std::uint16_t>()
                                                                  : nb::dtype<float>();
  if (!is_reversed) return {kept->row(0), axes, shape, owner, nullptr, type};
  const std::int64_t strides[]{std::int64_t{3} * kept->width(), 3, -1};
  return {kept->row(0) + 2 * bytes_of(kept->type()), axes, shape, owner, strides, type};
}

}  // namespace octavo::python
