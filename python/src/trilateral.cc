// The trilateral filter in Python.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <utility>

#include "array_range.h"
#include "arrays.h"
#include "bindings.h"
#include "features.h"
#include "gil.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/trilateral.h"
#include "option_values.h"
#include "watch.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

class PyTrilateral {
 public:
  PyTrilateral(const nb::dict& given, nb::object progress, const std::string& order, const ArrayRange& range)
      : watch_(std::move(progress)), order_(order_of(order)), range_(range) {
    DeviceOptions device;
    Keywords keywords("Trilateral", given);
    keywords.set(options_);
    keywords.set(device);
    keywords.finish();
    device.progress = watch_.sink();
    watch_.run([&] { filter_.emplace(options_, device); });
  }
  ~PyTrilateral() {
    const WithoutGil release;
    filter_.reset();
  }
  PyTrilateral(const PyTrilateral&) = delete;
  PyTrilateral& operator=(const PyTrilateral&) = delete;

  nb::ndarray<nb::numpy> filter(nb::handle image) {
    ArrayImage pixels(image, order_);
    if (pixels.is_on_device()) {
      throw Error(ErrorCode::invalid_argument, "the image lies on a GPU, but must be in host memory for this call");
    }
    const auto filter = [&] {
      const std::optional<ValueRange> scale = range_.scale_of(pixels.view(), nullptr);
      if (!scale) return filter_->filter(pixels.view());
      Image mapped = copy_of(pixels.view());
      map_to_full_scale(mapped, *scale);
      Image filtered = filter_->filter(mapped.view());
      map_from_full_scale(filtered, *scale);
      return filtered;
    };
    return numpy_of(watch_.run(filter), pixels.is_reversed());
  }

  nb::dict estimate(nb::handle image) const { return dict_of(filter_->estimate(ArrayImage(image).shape())); }
  [[nodiscard]] const Trilateral& trilateral() const { return *filter_; }
  [[nodiscard]] nb::dict options() const { return dict_of(options_); }
  Watch& watch() { return watch_; }

 private:
  Watch watch_;
  ChannelOrder order_;
  ArrayRange range_;
  TrilateralOptions options_;
  std::optional<Trilateral> filter_;
};

}  // namespace

void bind_trilateral(nb::module_& m) {
  nb::class_<PyTrilateral>(m, "Trilateral", nb::type_slots(collectable<PyTrilateral>), "See octavo.Trilateral.")
      .def(nb::init<const nb::dict&, nb::object, const std::string&, const ArrayRange&>(), nb::arg("options"),
           nb::arg("progress").none(), nb::arg("order"), nb::arg("range"))
      .def("filter", &PyTrilateral::filter, nb::arg("image").none())
      .def("estimate", &PyTrilateral::estimate, nb::arg("image").none())
      .def_prop_ro("options", &PyTrilateral::options)
      .def_prop_ro("device", [](const PyTrilateral& t) { return t.trilateral().device(); })
      .def_prop_ro("isa", [](const PyTrilateral& t) { return t.trilateral().isa(); })
      .def_prop_ro("threads", [](const PyTrilateral& t) { return t.trilateral().threads(); });
}

}  // namespace octavo::python
