// Matcher in Python.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "device_features.h"
#include "features.h"
#include "gil.h"
#include "octavo/matcher.h"
#include "on_first_use.h"
#include "option_values.h"
#include "watch.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

class PyMatcher {
 public:
  PyMatcher(const nb::dict& given, nb::object progress) : watch_(std::move(progress)) {
    DeviceOptions device;
    Keywords keywords("Matcher", given);
    keywords.set(options_);
    keywords.set(device);
    keywords.finish();
    device.progress = watch_.sink();
    watch_.run([&] { matcher_.emplace(device, [this](const DeviceOptions& on) { return Matcher(options_, on); }); });
  }
  ~PyMatcher() {
    const WithoutGil release;
    matcher_.reset();
  }
  PyMatcher(const PyMatcher&) = delete;
  PyMatcher& operator=(const PyMatcher&) = delete;

  nb::object match(nb::handle a, nb::handle b) {
    const AnyArray of_a = host_array_of(a, "descriptors"), of_b = host_array_of(b, "descriptors");
    const auto bytes_a = descriptors_of(of_a, "descriptors a"), bytes_b = descriptors_of(of_b, "descriptors b");
    return array_of_matches(watch_.run([&] { return matcher_->get().match(bytes_a, bytes_b); }));
  }

  nb::object match_features(nb::handle points_a, nb::handle a, nb::handle points_b, nb::handle b) {
    const Features of_a = features_of(points_a, a), of_b = features_of(points_b, b);
    return array_of_matches(watch_.run([&] { return matcher_->get().match(of_a, of_b); }));
  }

  nb::object match_on_device(const DeviceFeatures& a, const DeviceFeatures& b) {
    return array_of_matches(watch_.run([&] { return matcher_->get().match(a, b); }));
  }

  nb::object match_guided(nb::handle points_a, nb::handle a, nb::handle points_b, nb::handle b, const nb::dict& given,
                          const std::vector<double>& b_from_a) {
    Guide guide;
    Keywords keywords("guide", given);
    keywords.set(guide);
    keywords.finish();
    std::copy_n(b_from_a.begin(), std::min<std::size_t>(b_from_a.size(), 9), guide.b_from_a);
    const Features of_a = features_of(points_a, a), of_b = features_of(points_b, b);
    return array_of_matches(watch_.run([&] { return matcher_->get().match(of_a, of_b, guide); }));
  }

  nb::list match_all(nb::handle a, const nb::list& collection) {
    const auto without_points = [](nb::handle descriptors) {
      const AnyArray array = host_array_of(descriptors, "descriptors");
      const auto bytes = descriptors_of(array, "descriptors");
      return Features{std::vector<Keypoint>(bytes.size() / descriptor_length), {bytes.begin(), bytes.end()}};
    };
    const Features of_a = without_points(a);
    std::vector<Features> others;
    for (const nb::handle one : collection) others.push_back(without_points(one));
    std::vector<const Features*> pointers;
    for (const Features& one : others) pointers.push_back(&one);
    nb::list lists;
    for (std::vector<Match>& one : watch_.run([&] { return matcher_->get().match(of_a, pointers); })) {
      lists.append(array_of_matches(std::move(one)));
    }
    return lists;
  }

  nb::tuple nearest_two(nb::handle a, nb::handle b) {
    const AnyArray of_a = host_array_of(a, "descriptors"), of_b = host_array_of(b, "descriptors");
    const auto bytes_a = descriptors_of(of_a, "descriptors a"), bytes_b = descriptors_of(of_b, "descriptors b");
    const std::vector<NearestTwo> nearest = watch_.run([&] { return matcher_->get().nearest_two(bytes_a, bytes_b); });
    std::vector<std::int32_t> indices;
    std::vector<std::uint32_t> distances;
    for (const NearestTwo& one : nearest) {
      indices.insert(indices.end(), one.index, one.index + 2);
      distances.insert(distances.end(), one.distance2, one.distance2 + 2);
    }
    return nb::make_tuple(numpy_of(std::move(indices), {nearest.size(), 2}),
                          numpy_of(std::move(distances), {nearest.size(), 2}));
  }

  [[nodiscard]] const MatchOptions& options() const { return options_; }
  // What `ask` tells of the matcher on its device.
  template <class Ask>
  auto of_matcher(const Ask& ask) {
    if (matcher_->is_final()) return ask(std::as_const(matcher_->get()));
    return watch_.run([&] { return ask(std::as_const(matcher_->get())); });
  }
  Watch& watch() { return watch_; }

 private:
  Watch watch_;
  MatchOptions options_;
  std::optional<OnFirstUse<Matcher>> matcher_;
};

}  // namespace

void bind_matcher(nb::module_& m) {
  nb::class_<PyMatcher>(m, "Matcher", nb::type_slots(collectable<PyMatcher>), "See octavo.Matcher.")
      .def(nb::init<const nb::dict&, nb::object>(), nb::arg("options"), nb::arg("progress").none())
      .def("match", &PyMatcher::match, nb::arg("a").none(), nb::arg("b").none())
      .def("match_features", &PyMatcher::match_features, nb::arg("keypoints_a").none(), nb::arg("a").none(),
           nb::arg("keypoints_b").none(), nb::arg("b").none())
      .def("match_on_device", &PyMatcher::match_on_device, nb::arg("a"), nb::arg("b"))
      .def("match_guided", &PyMatcher::match_guided, nb::arg("keypoints_a").none(), nb::arg("a").none(),
           nb::arg("keypoints_b").none(), nb::arg("b").none(), nb::arg("options"), nb::arg("b_from_a"))
      .def("match_all", &PyMatcher::match_all, nb::arg("a").none(), nb::arg("collection"))
      .def("nearest_two", &PyMatcher::nearest_two, nb::arg("a").none(), nb::arg("b").none())
      .def(
          "estimate",
          [](PyMatcher& p, std::size_t n, std::size_t k) {
            return dict_of(p.of_matcher([&](const Matcher& made) { return made.estimate(n, k); }));
          },
          nb::arg("n"), nb::arg("m"))
      .def_prop_ro("options", [](const PyMatcher& p) { return dict_of(p.options()); })
      .def_prop_ro("device",
                   [](PyMatcher& p) { return p.of_matcher([](const Matcher& made) { return made.device(); }); })
      .def_prop_ro("isa", [](PyMatcher& p) { return p.of_matcher([](const Matcher& made) { return made.isa(); }); })
      .def_prop_ro("threads",
                   [](PyMatcher& p) { return p.of_matcher([](const Matcher& made) { return made.threads(); }); });
}

}  // namespace octavo::python
