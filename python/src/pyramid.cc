// The images of SIFT's scale space in Python.

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
#include "octavo/pyramid.h"
#include "option_values.h"
#include "watch.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

class PyPyramid {
 public:
  PyPyramid(const std::string& preset, const nb::dict& given, bool gaussians, bool differences, nb::object progress,
            const std::string& order, const ArrayRange& range)
      : watch_(std::move(progress)), order_(order_of(order)), range_(range), options_(octavo::preset(preset)) {
    DeviceOptions device;
    Keywords keywords("Pyramid", given);
    keywords.set(options_);
    keywords.set(device);
    keywords.finish();
    device.progress = watch_.sink();
    const PyramidOptions wanted{.gaussians = gaussians, .differences = differences};
    watch_.run([&] { pyramid_.emplace(options_, device, wanted); });
  }
  ~PyPyramid() {
    const WithoutGil release;
    pyramid_.reset();
  }
  PyPyramid(const PyPyramid&) = delete;
  PyPyramid& operator=(const PyPyramid&) = delete;

  // (octave, Gaussian images, differences) for each octave.
  nb::list make(nb::handle image) {
    ArrayImage pixels(image, order_);
    if (pixels.is_on_device()) {
      throw Error(ErrorCode::invalid_argument, "the image lies on a GPU, but must be in host memory for this call");
    }
    nb::list octaves;
    const auto make = [&] {
      Image mapped;
      return pyramid_->make(range_.fit(pixels.view(), nullptr, mapped));
    };
    for (PyramidOctave& one : watch_.run(make)) {
      octaves.append(nb::make_tuple(one.octave, arrays_of(one.gaussians), arrays_of(one.differences)));
    }
    return octaves;
  }

  nb::dict estimate(nb::handle image) const { return dict_of(pyramid_->estimate(ArrayImage(image).shape())); }
  [[nodiscard]] const Pyramid& pyramid() const { return *pyramid_; }
  [[nodiscard]] nb::dict options() const { return dict_of(options_); }
  Watch& watch() { return watch_; }

 private:
  static nb::list arrays_of(std::vector<Image>& images) {
    nb::list arrays;
    for (Image& one : images) arrays.append(numpy_of(std::move(one)));
    return arrays;
  }

  Watch watch_;
  ChannelOrder order_;
  ArrayRange range_;
  SiftOptions options_;
  std::optional<Pyramid> pyramid_;
};

}  // namespace

void bind_pyramid(nb::module_& m) {
  nb::class_<PyPyramid>(m, "Pyramid", nb::type_slots(collectable<PyPyramid>), "See octavo.Pyramid.")
      .def(nb::init<const std::string&, const nb::dict&, bool, bool, nb::object, const std::string&,
                    const ArrayRange&>(),
           nb::arg("preset"), nb::arg("options"), nb::arg("gaussians"), nb::arg("differences"),
           nb::arg("progress").none(), nb::arg("order"), nb::arg("range"))
      .def("make", &PyPyramid::make, nb::arg("image").none())
      .def("estimate", &PyPyramid::estimate, nb::arg("image").none())
      .def(
          "sigma", [](const PyPyramid& p, int level) { return p.pyramid().sigma(level); }, nb::arg("level"))
      .def_prop_ro("options", &PyPyramid::options)
      .def_prop_ro("device", [](const PyPyramid& p) { return p.pyramid().device(); })
      .def_prop_ro("isa", [](const PyPyramid& p) { return p.pyramid().isa(); })
      .def_prop_ro("threads", [](const PyPyramid& p) { return p.pyramid().threads(); });
}

}  // namespace octavo::python
