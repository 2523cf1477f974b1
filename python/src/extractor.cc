// Extractor in Python. Images in flight keep their features in the library, so only tickets cross the border.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "array_range.h"
#include "arrays.h"
#include "bindings.h"
#include "device_features.h"
#include "features.h"
#include "gil.h"
#include "octavo/detectors.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/image.h"
#include "on_first_use.h"
#include "option_values.h"
#include "watch.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

std::optional<ArrayMask> mask_of(nb::handle mask) {
  if (mask.is_none()) return std::nullopt;
  return std::optional<ArrayMask>(std::in_place, mask);
}

class PyExtractor {
 private:
  static void require_host(const ArrayImage& image) {
    if (!image.is_on_device()) return;
    throw Error(ErrorCode::invalid_argument, "the image lies on a GPU, but must be in host memory for this call");
  }

  // Calls `use` with an ImageView or a DeviceImage, and the mask.
  template <class Use>
  auto on_image(nb::handle image, nb::handle mask, nb::handle stream, const Use& use) {
    ArrayImage pixels(image, order_, stream);
    std::optional<ArrayMask> within = mask_of(mask);
    return watch_.run([&] {
      const ImageView* const view = within ? &within->view() : nullptr;
      if (pixels.is_on_device()) return use(pixels.on_device(), view);
      Image mapped;
      return use(range_.fit(pixels.view(), view, mapped), view);
    });
  }

 public:
  PyExtractor(const std::string& detector, const std::optional<std::string>& preset, const nb::dict& given,
              nb::object progress, const std::string& order, const ArrayRange& range)
      : watch_(std::move(progress)), order_(order_of(order)), range_(range), options_(detector_options(detector)) {
    if (preset) options_ = with_preset(options_, *preset);
    DeviceOptions device;
    Keywords keywords("Extractor", given);
    keywords.set(options_);
    keywords.set(device);
    keywords.finish();
    device.progress = watch_.sink();
    watch_.run(
        [&] { extractor_.emplace(device, [this](const DeviceOptions& on) { return make_extractor(options_, on); }); });
  }

  // Images in flight may tell their progress, for which they need the GIL.
  ~PyExtractor() {
    const WithoutGil release;
    extractor_.reset();
  }
  PyExtractor(const PyExtractor&) = delete;
  PyExtractor& operator=(const PyExtractor&) = delete;

  nb::tuple extract(nb::handle image, nb::handle mask, nb::handle stream) {
    return arrays_of(on_image(image, mask, stream, [&](const auto& pixels, const ImageView* within) {
      return extractor_->get().extract(pixels, within);
    }));
  }

  nb::tuple timed(nb::handle image, nb::handle mask) {
    std::vector<StageTime> times;
    ArrayImage pixels(image, order_);
    std::optional<ArrayMask> within = mask_of(mask);
    require_host(pixels);
    Features features = watch_.run([&] {
      const ImageView* const view = within ? &within->view() : nullptr;
      Image mapped;
      return extractor_->get().extract(range_.fit(pixels.view(), view, mapped), view, &times);
    });
    nb::list list;
    for (const StageTime& one : times) list.append(nb::make_tuple(one.stage, one.milliseconds));
    return nb::make_tuple(arrays_of(std::move(features)), list);
  }

  DeviceFeatures extract_on_device(nb::handle image, nb::handle mask, nb::handle stream) {
    return on_image(image, mask, stream, [&](const auto& pixels, const ImageView* within) {
      return extractor_->get().extract_on_device(pixels, within);
    });
  }

  Ticket submit(nb::handle image, nb::handle mask, bool on_device, nb::handle stream) {
    const Keep keep = on_device ? Keep::on_device : Keep::in_host_memory;
    return on_image(image, mask, stream, [&](const auto& pixels, const ImageView* within) {
      return extractor_->get().submit(pixels, within, keep);
    });
  }

  nb::tuple collect(Ticket ticket) {
    return arrays_of(watch_.run([&] { return extractor_->get().collect(ticket); }));
  }
  DeviceFeatures collect_on_device(Ticket ticket) {
    return watch_.run([&] { return extractor_->get().collect_on_device(ticket); });
  }

  nb::tuple describe(nb::handle image, nb::handle keypoints, bool from_image) {
    ArrayImage pixels(image, order_);
    require_host(pixels);
    const AnyArray array = host_array_of(keypoints, "keypoints");
    const OrientationFrom from = from_image ? OrientationFrom::image : OrientationFrom::keypoint;
    Description description = watch_.run([&] {
      Image mapped;
      return extractor_->get().describe(range_.fit(pixels.view(), nullptr, mapped), keypoints_of(array), from);
    });
    nb::list left_out;
    for (const LeftOut& one : description.left_out) {
      left_out.append(nb::make_tuple(one.input, sentence_of(one.reason)));
    }
    const std::size_t n = description.inputs.size();
    std::vector<std::int64_t> inputs(description.inputs.begin(), description.inputs.end());
    return nb::make_tuple(arrays_of(std::move(description.features)), numpy_of(std::move(inputs), {n}), left_out);
  }

  // What `ask` tells of the extractor on its device.
  template <class Ask>
  auto of_extractor(const Ask& ask) {
    if (extractor_->is_final()) return ask(std::as_const(extractor_->get()));
    return watch_.run([&] { return ask(std::as_const(extractor_->get())); });
  }

  nb::list estimate(nb::handle image, bool masked) {
    const ArrayImage shape(image);
    nb::list list;
    for (const MemoryEstimate& one :
         of_extractor([&](const Extractor& e) { return e.estimate(shape.shape(), masked); })) {
      list.append(dict_of(one));
    }
    return list;
  }
  nb::dict estimate_description(nb::handle image, std::size_t keypoints) {
    const ArrayImage shape(image);
    return dict_of(of_extractor([&](const Extractor& e) { return e.estimate_description(shape.shape(), keypoints); }));
  }

  void stop() { watch_.stop(); }

  void release() {
    watch_.run([&] { extractor_->get().release(); });
  }

  [[nodiscard]] nb::dict options() const { return dict_of(options_); }
  [[nodiscard]] std::string detector() const { return std::string(detector_of(options_).name); }

  Watch& watch() { return watch_; }

 private:
  Watch watch_;
  ChannelOrder order_;
  ArrayRange range_;
  DetectorOptions options_;
  std::optional<OnFirstUse<Extractor>> extractor_;
};

}  // namespace

void bind_extractor(nb::module_& m) {
  nb::class_<PyExtractor>(m, "Extractor", nb::type_slots(collectable<PyExtractor>), "See octavo.Extractor.")
      .def(nb::init<const std::string&, const std::optional<std::string>&, const nb::dict&, nb::object,
                    const std::string&, const ArrayRange&>(),
           nb::arg("detector"), nb::arg("preset").none(), nb::arg("options"), nb::arg("progress").none(),
           nb::arg("order"), nb::arg("range"))
      .def("extract", &PyExtractor::extract, nb::arg("image").none(), nb::arg("mask").none(), nb::arg("stream").none())
      .def("timed", &PyExtractor::timed, nb::arg("image").none(), nb::arg("mask").none())
      .def("extract_on_device", &PyExtractor::extract_on_device, nb::arg("image").none(), nb::arg("mask").none(),
           nb::arg("stream").none())
      .def("submit", &PyExtractor::submit, nb::arg("image").none(), nb::arg("mask").none(), nb::arg("on_device"),
           nb::arg("stream").none())
      .def("collect", &PyExtractor::collect, nb::arg("ticket"))
      .def("collect_on_device", &PyExtractor::collect_on_device, nb::arg("ticket"))
      .def("describe", &PyExtractor::describe, nb::arg("image").none(), nb::arg("keypoints").none(),
           nb::arg("from_image"))
      .def("estimate", &PyExtractor::estimate, nb::arg("image").none(), nb::arg("masked"))
      .def("estimate_description", &PyExtractor::estimate_description, nb::arg("image").none(),
           nb::arg("keypoints").none())
      .def("stop", &PyExtractor::stop)
      .def("release", &PyExtractor::release)
      .def_prop_ro("options", &PyExtractor::options)
      .def_prop_ro("detector", &PyExtractor::detector)
      .def_prop_ro("device",
                   [](PyExtractor& p) { return p.of_extractor([](const Extractor& e) { return e.device(); }); })
      .def_prop_ro("isa", [](PyExtractor& p) { return p.of_extractor([](const Extractor& e) { return e.isa(); }); })
      .def_prop_ro("threads",
                   [](PyExtractor& p) { return p.of_extractor([](const Extractor& e) { return e.threads(); }); })
      .def_prop_ro("best_in_flight", [](PyExtractor& p) {
        return p.of_extractor([](const Extractor& e) { return e.best_in_flight(); });
      });
}

}  // namespace octavo::python
