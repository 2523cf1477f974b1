// The range of values of images in Python.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>
#include <utility>

#include "array_range.h"
#include "arrays.h"
#include "bindings.h"
#include "gil.h"
#include "octavo/image.h"
#include "octavo/image_view.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

nb::ndarray<nb::numpy> fit_range(nb::handle array, std::optional<double> black, std::optional<double> white,
                                 std::optional<double> no_data, nb::handle mask) {
  ArrayImage pixels(array);
  std::optional<ArrayMask> within;
  if (!mask.is_none()) within.emplace(mask);
  const ImageView* const shown = within ? &within->view() : nullptr;
  Image image;
  {
    const WithoutGil release;
    const ImageView& view = pixels.view();
    ValueRange range{black.value_or(0), white.value_or(0)};
    if (!black || !white) {
      const auto used = values_used(view, no_data, shown);
      const ValueRange whole = full_scale(view.type, used.value_or(ValueRange{}));
      range = {black.value_or(whole.low), white.value_or(whole.high)};
    }
    image = copy_of(view);
    map_to_full_scale(image, range);
  }
  return numpy_of(std::move(image), pixels.is_reversed());
}

std::optional<std::string> why_empty(nb::handle array, nb::handle mask, const ArrayRange& range) {
  ArrayImage pixels(array);
  if (pixels.is_on_device()) return std::nullopt;
  std::optional<ArrayMask> within;
  if (!mask.is_none()) within.emplace(mask);
  const ImageView* const view = within ? &within->view() : nullptr;
  Image mapped;
  const WithoutGil release;
  return why_no_keypoints(range.fit(pixels.view(), view, mapped), view);
}

}  // namespace

void bind_value_range(nb::module_& m) {
  m.def("fit_range", &fit_range, nb::arg("image"), nb::arg("black").none(), nb::arg("white").none(),
        nb::arg("no_data").none(), nb::arg("mask").none());
  m.def("why_no_keypoints", &why_empty, nb::arg("image"), nb::arg("mask").none(), nb::arg("range"));
}

}  // namespace octavo::python
