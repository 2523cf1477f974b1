#include "array_range.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "arrays.h"
#include "bindings.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/option_table.h"

namespace nb = nanobind;

namespace octavo::python {

ArrayRange::ArrayRange(const std::string& word, double black, double white) {
  constexpr std::array<std::string_view, 2> words{"image", "full"};
  if (std::find(words.begin(), words.end(), word) == words.end()) refuse_word("range", word, words);
  is_full_ = word == words[1];
  if (black == 0 && white == 0) return;
  if (is_full_) {
    throw Error(ErrorCode::invalid_option,
                InvalidOption{"range", "\"full\"", "must be image beside `black` and `white`, which are a range too"});
  }
  if (!(black < white)) {
    throw Error(ErrorCode::invalid_option,
                InvalidOption{"white", option_text(white), "must be above `black`, " + option_text(black)});
  }
  given_ = {black, white};
}

std::optional<ValueRange> ArrayRange::scale_of(const ImageView& view, const ImageView* mask) const {
  if (given_ && view.type == PixelType::u8) {
    throw Error(ErrorCode::invalid_argument,
                "`black` and `white` have no effect on an image of uint8, whose values are taken as they are; "
                "octavo.fit_range(image, black, white) stretches it");
  }
  // An array without pixels is the library's to refuse.
  if (is_full_ || view.type == PixelType::u8 || view.width < 1 || view.height < 1) return std::nullopt;
  if (given_) return given_;
  const bool is_masked = mask != nullptr && mask->width == view.width && mask->height == view.height;
  const std::optional<ValueRange> used = values_used(view, {}, is_masked ? mask : nullptr);
  if (!used && view.type == PixelType::f32) {
    throw Error(ErrorCode::invalid_argument, "all samples of the image are missing, infinite or not numbers");
  }
  const ValueRange scale = full_scale(view.type, used.value_or(ValueRange{}));
  const bool stays = view.type == PixelType::u16 && scale == full_scale(view.type, {});
  return stays ? std::nullopt : std::optional(scale);  // floats are clipped
}

ImageView ArrayRange::fit(const ImageView& view, const ImageView* mask, Image& mapped) const {
  const std::optional<ValueRange> scale = scale_of(view, mask);
  if (!scale) return view;
  mapped = copy_of(view);
  map_to_full_scale(mapped, *scale);
  return mapped.view();
}

Image copy_of(const ImageView& view) {
  require_room(static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.channels) * bytes_of(view.type) *
               static_cast<std::size_t>(view.height));
  Image image(view.width, view.height, view.channels, view.type, view.order);
  for (int y = 0; y < view.height; ++y) std::copy_n(view.row(y), image.stride(), image.row(y));
  return image;
}

void bind_array_range(nb::module_& m) {
  nb::class_<ArrayRange>(m, "ArrayRange", "Which values of an array become 0 and full scale.")
      .def(nb::init<const std::string&, double, double>(), nb::arg("range"), nb::arg("black"), nb::arg("white"))
      .def_prop_ro("is_full", &ArrayRange::is_full);
}

}  // namespace octavo::python
