// The inspection of an image in Python: what became of every candidate, and the images on the way, as arrays.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "array_range.h"
#include "arrays.h"
#include "bindings.h"
#include "features.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/inspect.h"
#include "option_values.h"
#include "watch.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

using Stages = std::optional<std::vector<std::string>>;

// A plane whose pixels are kept.
struct KeptPlane {
  StagePlane plane;
  Image pixels;
};

nb::list list_of_planes(std::vector<KeptPlane> planes) {
  nb::list list;
  for (KeptPlane& kept : planes) {
    const StagePlane& p = kept.plane;
    nb::dict plane;
    plane["stage"] = p.stage;
    plane["octave"] = p.octave;
    plane["level"] = p.level;
    plane["scale"] = p.scale;
    plane["sigma"] = p.sigma;
    plane["black"] = p.black;
    plane["white"] = p.white;
    plane["pixels"] = numpy_of(std::move(kept.pixels));
    list.append(plane);
  }
  return list;
}

nb::dict counts_of(const InspectedOctave& octave, const std::vector<CandidateVerdict>& verdicts) {
  nb::dict counts;
  for (const CandidateVerdict verdict : verdicts) {
    counts[std::string(name_of(verdict)).c_str()] = octave.verdicts[static_cast<std::size_t>(verdict)];
  }
  return counts;
}

nb::list list_of_octaves(const Inspection& inspection, const std::vector<CandidateVerdict>& verdicts) {
  nb::list list;
  for (const InspectedOctave& o : inspection.octaves) {
    nb::dict octave;
    octave["octave"] = o.octave;
    octave["width"] = o.width;
    octave["height"] = o.height;
    octave["sigmas"] = o.sigmas;
    octave["faint"] = o.faint;
    octave["verdicts"] = counts_of(o, verdicts);
    octave["keypoints"] = o.keypoints;
    list.append(octave);
  }
  return list;
}

nb::list list_of_scales(const Inspection& inspection) {
  nb::list list;
  for (const InspectedScale& s : inspection.scales) {
    nb::dict scale;
    scale["scale"] = s.scale;
    scale["sigma"] = s.sigma;
    scale["judged"] = s.judged;
    scale["below_threshold"] = s.below_threshold;
    scale["not_highest"] = s.not_highest;
    scale["passed"] = s.passed;
    list.append(scale);
  }
  return list;
}

nb::list list_of_kernels(Inspection& inspection) {
  nb::list list;
  for (BlurKernel& k : inspection.kernels) {
    const std::size_t n = k.weights.size();
    nb::dict kernel;
    kernel["level"] = k.level;
    kernel["sigma"] = k.sigma;
    kernel["weights"] = numpy_of(std::move(k.weights), {n});
    list.append(kernel);
  }
  return list;
}

nb::list list_of_filters(Inspection& inspection) {
  nb::list list;
  for (DirectionalFilter& f : inspection.filters) {
    const auto side = static_cast<std::size_t>(f.side);
    nb::dict filter;
    filter["scale"] = f.scale;
    filter["direction"] = f.direction;
    filter["weights"] = numpy_of(std::move(f.weights), {side, side});
    list.append(filter);
  }
  return list;
}

// N×44 bytes: the members of Candidate in their order, the verdict in the byte before three that mean nothing.
nb::object array_of_candidates(const std::vector<Candidate>& candidates) {
  static_assert(sizeof(Candidate) == 44);
  std::vector<std::uint8_t> bytes(candidates.size() * sizeof(Candidate));
  if (!bytes.empty()) std::memcpy(bytes.data(), candidates.data(), bytes.size());
  return nb::cast(numpy_of(std::move(bytes), {candidates.size(), sizeof(Candidate)}));
}

nb::dict dict_of(Inspection inspection, const DetectorOptions& options, std::vector<KeptPlane> planes) {
  nb::dict result;
  const std::vector<CandidateVerdict> verdicts = verdicts_of(options);
  const std::size_t n = inspection.candidates.size(), scales = inspection.scales.size();
  result["octaves"] = list_of_octaves(inspection, verdicts);
  result["scales"] = list_of_scales(inspection);
  result["candidates"] = array_of_candidates(inspection.candidates);
  result["responses"] = numpy_of(std::move(inspection.responses), {scales == 0 ? 0 : n, scales});
  result["kernels"] = list_of_kernels(inspection);
  result["filters"] = list_of_filters(inspection);
  result["contrast"] = inspection.contrast;
  result["features"] = arrays_of(std::move(inspection.features));
  result["planes"] = list_of_planes(std::move(planes));
  return result;
}

nb::dict inspect_image(nb::handle image, nb::handle mask, const std::string& detector,
                       const std::optional<std::string>& preset, const nb::dict& given, const Stages& stages,
                       nb::object progress, const std::string& order, const ArrayRange& range) {
  DetectorOptions options = detector_options(detector);
  if (preset) options = with_preset(options, *preset);
  DeviceOptions device;
  Keywords keywords("inspect", given);
  keywords.set(options);
  keywords.set(device);
  keywords.finish();
  ArrayImage pixels(image, order_of(order));
  if (pixels.is_on_device()) {
    throw Error(ErrorCode::invalid_argument, "the image lies on a GPU, but must be in host memory for this call");
  }
  std::optional<ArrayMask> within;
  if (!mask.is_none()) within.emplace(mask);

  std::vector<KeptPlane> planes;
  const auto keep = [&](const StagePlane& plane, const Inspection&) {
    if (stages && std::find(stages->begin(), stages->end(), plane.stage) == stages->end()) return;
    planes.push_back({plane, copy_of(plane.pixels)});
    planes.back().plane.pixels = {};
  };
  Watch watch(std::move(progress));
  device.progress = watch.sink();
  Inspection inspection = watch.run([&] {
    const ImageView* const view = within ? &within->view() : nullptr;
    Image mapped;
    return inspect(range.fit(pixels.view(), view, mapped), view, options, device, keep);
  });
  return dict_of(std::move(inspection), options, std::move(planes));
}

}  // namespace

void bind_inspection(nb::module_& m) {
  nb::list verdicts;
  for (std::size_t i = 0; i < verdict_count; ++i)
    verdicts.append(std::string(name_of(static_cast<CandidateVerdict>(i))));
  m.attr("verdicts") = nb::tuple(verdicts);
  m.def("inspect", &inspect_image, nb::arg("image").none(), nb::arg("mask").none(), nb::arg("detector"),
        nb::arg("preset").none(), nb::arg("options"), nb::arg("stages").none(), nb::arg("progress").none(),
        nb::arg("order"), nb::arg("range"), "See octavo.inspect.");
}

}  // namespace octavo::python
