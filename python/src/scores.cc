// The scores of a pair of images in Python, where it is known which point of one belongs to which of the other.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "features.h"
#include "left_work.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/pair_scores.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

using Size = std::pair<int, int>;
using Matrix = std::array<double, 9>;
using Places = nb::ndarray<const double, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

ImageSize size_of(const Size& size) {
  if (size.first < 1 || size.second < 1) {
    throw Error(ErrorCode::invalid_argument, "the size of an image is " + std::to_string(size.first) + " x " +
                                                 std::to_string(size.second) + ", but must be at least 1 x 1");
  }
  return {size.first, size.second};
}

std::vector<Point> points_of(const Places& places) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < places.shape(0); ++i) points.push_back({places(i, 0), places(i, 1)});
  return points;
}

// The matches of an array of N×12 bytes.
std::vector<Match> matches_of(nb::handle object) {
  const AnyArray array = host_array_of(object, "matches");
  const auto row = static_cast<std::int64_t>(sizeof(Match));
  const bool is_packed = array.size() == 0 || (array.ndim() == 2 && array.stride(1) == 1 && array.stride(0) == row);
  if (array.ndim() != 2 || array.shape(1) != sizeof(Match) || array.dtype() != nb::dtype<std::uint8_t>() ||
      !is_packed) {
    throw Error(ErrorCode::invalid_argument, "matches must be N x 12 bytes, packed");
  }
  std::vector<Match> matches(array.shape(0));
  if (!matches.empty()) std::memcpy(matches.data(), array.data(), matches.size() * sizeof(Match));
  return matches;
}

template <class Number, std::size_t n>
auto array_of_numbers(const std::array<Number, n>& numbers) {
  return numpy_of(std::vector<Number>(numbers.begin(), numbers.end()), {n});
}

nb::dict dict_of(const PairScores& s) {
  nb::dict d;
  d["keypoints"] = nb::make_tuple(s.keypoints_a, s.keypoints_b);
  d["common"] = nb::make_tuple(s.common_a, s.common_b);
  d["points"] = nb::make_tuple(s.points_a, s.points_b);
  d["repeated_a"] = array_of_numbers(s.repeated_a);
  d["repeated_b"] = array_of_numbers(s.repeated_b);
  d["corresponding"] = s.corresponding;
  d["mutual_matches"] = s.mutual_matches;
  d["mutual_judged"] = s.mutual_judged;
  d["mutual_correct"] = array_of_numbers(s.mutual_correct);
  d["matches"] = s.matches;
  d["judged"] = s.judged;
  d["correct"] = array_of_numbers(s.correct);
  d["regions"] = nb::make_tuple(s.regions_a, s.regions_b);
  d["corresponding_regions"] = array_of_numbers(s.corresponding_regions);
  d["repeatability"] = array_of_numbers(repeatability(s));
  d["correspondence_share"] = correspondence_share(s);
  d["matching_accuracy"] = array_of_numbers(matching_accuracy(s));
  d["precision"] = array_of_numbers(precision(s));
  d["matching_score"] = matching_score(s);
  d["region_repeatability"] = array_of_numbers(region_repeatability(s));
  return d;
}

nb::dict count(nb::handle keypoints_a, nb::handle keypoints_b, nb::handle mutual, nb::handle matches,
               const Truth& truth, const Size& size_a, const Size& size_b) {
  return dict_of(
      run_or_leave([a = features_of(keypoints_a, nb::none()), b = features_of(keypoints_b, nb::none()),
                    neighbours = matches_of(mutual), judged = matches_of(matches), truth, of_a = size_of(size_a),
                    of_b = size_of(size_b)] { return count_pair(a, b, neighbours, judged, truth, of_a, of_b); }));
}

nb::object array_of_mask(const std::shared_ptr<Image>& mask) {
  return mask ? nb::cast(numpy_of(std::move(*mask))) : nb::none();
}

}  // namespace

void bind_scores(nb::module_& m) {
  nb::list errors;  // an array would import NumPy together with this module
  for (const double error : overlap_errors) errors.append(error);
  m.attr("overlap_errors") = nb::tuple(errors);
  m.def(
      "count_pair_by_homography",
      [](nb::handle a, nb::handle b, nb::handle mutual, nb::handle matches, const Matrix& b_from_a, const Size& size_a,
         const Size& size_b) { return count(a, b, mutual, matches, TrueHomography{b_from_a}, size_a, size_b); },
      nb::arg("keypoints_a").none(), nb::arg("keypoints_b").none(), nb::arg("mutual").none(), nb::arg("matches").none(),
      nb::arg("b_from_a"), nb::arg("size_a"), nb::arg("size_b"), "See octavo.score_pair.");
  m.def(
      "count_pair_by_points",
      [](nb::handle a, nb::handle b, nb::handle mutual, nb::handle matches, const Places& points_a,
         const Places& points_b, double radius, const Size& size_a, const Size& size_b) {
        const Correspondences truth{points_of(points_a), points_of(points_b), radius};
        return count(a, b, mutual, matches, truth, size_a, size_b);
      },
      nb::arg("keypoints_a").none(), nb::arg("keypoints_b").none(), nb::arg("mutual").none(), nb::arg("matches").none(),
      nb::arg("points_a"), nb::arg("points_b"), nb::arg("radius"), nb::arg("size_a"), nb::arg("size_b"),
      "See octavo.score_pair.");
  m.def(
      "covisible",
      [](const Matrix& b_from_a, const Size& size_a, const Size& size_b) {
        const Covisible seen = run_or_leave([truth = TrueHomography{b_from_a}, of_a = size_of(size_a),
                                             of_b = size_of(size_b)] { return covisible(truth, of_a, of_b); });
        return nb::make_tuple(array_of_mask(seen.a), array_of_mask(seen.b));
      },
      nb::arg("b_from_a"), nb::arg("size_a"), nb::arg("size_b"), "See octavo.covisible.");
  m.def(
      "corner_error",
      [](const Matrix& estimated, const Matrix& truth, const Size& size_a) {
        return corner_error(estimated, truth, size_of(size_a));
      },
      nb::arg("estimated"), nb::arg("truth"), nb::arg("size_a"), "See octavo.corner_error.");
}

}  // namespace octavo::python
