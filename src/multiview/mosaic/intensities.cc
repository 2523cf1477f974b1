// Places that two images share, found by their intensities (Lucas and Kanade, 1981; Baker and Matthews,
// "Lucas-Kanade 20 years on", IJCV 2004, §3.2: the inverse way, with gain and offset). Features are rare where an
// image is smooth, and those of a large scale are inexact. A patch of 21 × 21 pixels on an edge has no place along
// the edge, but an exact one across it. So each patch has a matrix of what is known: the inverse covariance of its
// place, from its gradients and from the differences that remain (Förstner and Gülch, 1987). An adjustment of all
// images makes complete places of many such lines.
//
//     b(q(p + u) + d) = g·a(p + u) + o + s·u − ∇·δ
//
// for the offsets u of the patch, q the expected map, J its derivative, ∇ = J⁻ᵀ·∇a, and δ the step of the displacement
// d. The slope s is that of vignetting, which is steeper than what smooth shades have of their own. The normal matrix
// holds for all steps. Noise has gradients too: what it adds to the matrix is subtracted.

#include "multiview/mosaic/intensities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <opencv2/imgproc.hpp>

namespace octavo::mosaic {
namespace {

// The numbers of patches were chosen on the tiles of the wallpapers Patak and Canopee, for the most tiles placed and
// the least error of their corners (docs/mosaic.md), but for those that follow from others or are said to be guesses.
constexpr int half = 10, patch_side = 2 * half + 1,
              patch_pixels = patch_side * patch_side;  // [pixel] of a patch, on every level
constexpr int unknowns = 6;                            // shift, gain, offset, and a slope in x and y
constexpr int most_levels = 4;         // halves of halves: a patch of the last is 8 · 21 pixels of level 0 wide
constexpr double patch_smoothing = 1;  // [pixel] σ of level 0
constexpr int cell = 24;               // [pixel] of level 0, with one patch: little more than a patch
constexpr int grain = 1 << (most_levels - 1);  // [pixel] of level 0 that are one of the last level
constexpr double largest_step = 3;             // [pixel of a level] the usual size of a displacement
// [pixel] of level 0: the error of a place by interpolation and compression, whatever its gradients; a guess.
constexpr double least_patch_deviation = 0.05;
// The pixels of a smoothed image are not independent: 4·π·σ² of them patch_pixels as one.
constexpr double dependent = 4 * CV_PI * patch_smoothing * patch_smoothing;
// The squared gradient of smoothed noise, in parts of its variance; twice what theory says for σ = 1.
constexpr double noise_gradient = 1.0;
// Half a step of 8 bits, in units of 16 bits, on level 0; averages of more pixels know more.
constexpr double quantisation = 257.0 / 2;

double value(const cv::Mat& m, double x, double y) {
  const int left = static_cast<int>(x), top = static_cast<int>(y);
  const double u = x - left, v = y - top;
  const auto *p = m.ptr<std::uint16_t>(top) + left, *q = m.ptr<std::uint16_t>(top + 1) + left;
  return (1 - v) * ((1 - u) * p[0] + u * p[1]) + v * ((1 - u) * q[0] + u * q[1]);
}

bool is_inside(const cv::Mat& m, double x, double y) { return x >= 0 && y >= 0 && x < m.cols - 1 && y < m.rows - 1; }

using Places = std::array<cv::Point2d, patch_pixels>;

// Where a map takes the pixels of the patch around a pixel of level 0. A patch of a coarse level is as large as a sixth
// of an image, too large for one derivative.
template <class Map>
std::optional<Places> places_of_patch(const Map& expected, const cv::Point& p, int unit) {
  Places places;
  for (int i = 0; i < patch_pixels; ++i) {
    const auto q = expected(p + unit * cv::Point(i % patch_side - half, i / patch_side - half));
    if (!q) return {};
    places[static_cast<std::size_t>(i)] = *q / unit;
  }
  return places;
}

// What a patch tells on one level.
struct Found {
  cv::Vec2d shift;          // [pixel of the level]
  cv::Matx22d information;  // [1 / pixel² of the level]
};

// The symmetric matrix with the same eigenvectors and the changed eigenvalues.
template <class Change>
cv::Matx22d with_eigenvalues(const cv::Matx22d& symmetric, const Change& change) {
  cv::Vec2d values;
  cv::Matx22d vectors;
  cv::eigen(symmetric, values, vectors);
  cv::Matx22d result = cv::Matx22d::zeros();
  for (int k = 0; k < 2; ++k) {
    const cv::Vec2d v(vectors(k, 0), vectors(k, 1));
    result += change(values[k]) * (v * v.t());
  }
  return result;
}

cv::Matx22d information_of(const cv::Matx22d& gradients, double noise_share) {
  return with_eigenvalues(gradients, [&](double value) { return std::max(0.0, value - noise_share); });
}

// The deviation [pixel] that noise gives the place of a patch of level 0 in its better direction.
double expected_deviation(const GreyImage& image, const cv::Point& p) {
  const cv::Mat& a = image.levels[0];
  const double variance = 2 * image.noise * image.noise;  // of two images
  cv::Matx22d sum = cv::Matx22d::zeros();
  cv::Vec2d mean(0, 0);
  for (int y = p.y - half; y <= p.y + half; ++y) {
    const auto *row = a.ptr<std::uint16_t>(y), *above = a.ptr<std::uint16_t>(y - 1),
               *below = a.ptr<std::uint16_t>(y + 1);
    for (int x = p.x - half; x <= p.x + half; ++x) {
      const cv::Vec2d gradient((row[x + 1] - row[x - 1]) / 2.0, (below[x] - above[x]) / 2.0);
      sum += gradient * gradient.t();
      mean += gradient * (1.0 / patch_pixels);
    }
  }
  const cv::Matx22d information =
      information_of(sum - patch_pixels * (mean * mean.t()), patch_pixels * noise_gradient * variance / 2) *
      (1 / (variance * dependent));
  cv::Vec2d values;
  cv::eigen(information, values);
  return values[0] > 0 ? 1 / std::sqrt(values[0]) : far;
}

using Unknowns = cv::Vec<double, unknowns>;

// A patch of a as the left side of the equations, which holds for all steps.
struct Template {
  std::array<std::array<double, unknowns>, patch_pixels> rows;  // −∇x, −∇y, a, 1, x, y
  double mean = 0;                                              // of a
  cv::Matx44d inverse;                                          // of the normal matrix without the shift
  cv::Matx<double, 2, 4> cross;
  cv::Matx22d gradients;  // what is left of them when gain, offset and slope are free
};

double mean_of_patch(const cv::Mat& a, const cv::Point& p) {
  double mean = 0;
  for (int y = -half; y <= half; ++y) {
    for (int x = -half; x <= half; ++x) mean += a.at<std::uint16_t>(p.y + y, p.x + x);
  }
  return mean / patch_pixels;
}

// `jacobian` is the derivative of the map to b in the middle of the patch. None at the border, and for a patch whose
// deviation is below `least`.
std::optional<Template> template_of(const cv::Mat& a, const cv::Point& p, const cv::Matx22d& jacobian, double least) {
  if (p.x < half + 1 || p.y < half + 1 || p.x >= a.cols - half - 1 || p.y >= a.rows - half - 1) return {};
  const cv::Matx22d to_b = jacobian.inv().t();
  Template patch;
  patch.mean = mean_of_patch(a, p);
  cv::Matx<double, unknowns, unknowns> normal = cv::Matx<double, unknowns, unknowns>::zeros();
  double energy = 0;
  for (int i = 0; i < patch_pixels; ++i) {
    const int x = p.x + i % patch_side - half, y = p.y + i / patch_side - half;
    const auto at = [&](int column, int row) { return static_cast<double>(a.at<std::uint16_t>(row, column)); };
    const cv::Vec2d gradient = to_b * cv::Vec2d((at(x + 1, y) - at(x - 1, y)) / 2, (at(x, y + 1) - at(x, y - 1)) / 2);
    auto& row = patch.rows[static_cast<std::size_t>(i)];
    row = {-gradient[0],
           -gradient[1],
           at(x, y) - patch.mean,
           1,
           1.0 * (i % patch_side - half) / half,
           1.0 * (i / patch_side - half) / half};
    energy += std::pow(at(x, y) - patch.mean, 2);
    for (int k = 0; k < unknowns; ++k) {
      for (int l = 0; l < unknowns; ++l)
        normal(k, l) += row[static_cast<std::size_t>(k)] * row[static_cast<std::size_t>(l)];
    }
  }
  if (energy < patch_pixels * least * least) return {};
  patch.inverse = normal.get_minor<4, 4>(2, 2).inv();
  patch.cross = normal.get_minor<2, 4>(0, 2);
  patch.gradients = normal.get_minor<2, 2>(0, 0) - patch.cross * patch.inverse * patch.cross.t();
  return patch;
}

// The right side of the equations: what b shows at the places of the patch, for one shift.
struct Seen {
  Unknowns right;
  double sum = 0, squares = 0;
};

std::optional<Seen> seen_at(const cv::Mat& b, const Template& patch, const Places& expected, const cv::Vec2d& shift) {
  Seen seen;
  for (int i = 0; i < patch_pixels; ++i) {
    const cv::Point2d& q = expected[static_cast<std::size_t>(i)];
    const double x = q.x + shift[0], y = q.y + shift[1];
    if (!is_inside(b, x, y)) return {};
    const double v = value(b, x, y) - patch.mean;
    const auto& row = patch.rows[static_cast<std::size_t>(i)];
    for (int k = 0; k < unknowns; ++k) seen.right[k] += row[static_cast<std::size_t>(k)] * v;
    seen.sum += v;
    seen.squares += v * v;
  }
  return seen;
}

// `expected` has the places in b of the patch's pixels.
std::optional<Found> find_patch(const cv::Mat& b, const Template& patch, const Places& expected, cv::Vec2d shift,
                                double least) {
  const cv::Vec2d begin = shift;
  for (int iteration = 0; iteration < 12; ++iteration) {
    const std::optional<Seen> seen = seen_at(b, patch, expected, shift);
    if (!seen) return {};
    const auto& [right, sum, squares] = *seen;
    // The variance that gain, offset and slope alone leave is an upper bound that sets the weight of the prior.
    const cv::Vec4d colours(right[2], right[3], right[4], right[5]), line = patch.inverse * colours;
    const double gain = line[0];
    if (!(gain > 0.3 && gain < 3)) return {};
    const double variance = std::max(least * least, (squares - line.dot(colours)) / (patch_pixels - unknowns));
    const cv::Vec2d reduced = cv::Vec2d(right[0], right[1]) - patch.cross * line;
    const double prior = variance / (largest_step * largest_step);
    const cv::Matx22d damped = patch.gradients * (gain * gain) + prior * cv::Matx22d::eye();
    // A step δ changes b by +∇b·δ, ∇b ≈ g·∇; the rows have −∇.
    const cv::Vec2d step = damped.inv() * (reduced * gain - prior * (shift - begin));
    shift += step;
    if (!(cv::norm(shift - begin) < 2 * largest_step)) return {};
    constexpr double still = 0.003;  // [pixel of the level] far below the deviation of any patch
    if (cv::norm(step) >= still) continue;
    const double total = squares - sum * sum / patch_pixels;
    constexpr double least_share = 0.6;  // of the patch's variance that the other explains
    if (variance * (patch_pixels - unknowns) > (1 - least_share) * total) return {};
    return Found{shift, information_of(patch.gradients * (gain * gain), patch_pixels * noise_gradient * variance / 2) *
                            (1 / (variance * dependent))};
  }
  return {};
}

double trace(const cv::Matx22d& m) { return m(0, 0) + m(1, 1); }

// The weight of a place: usual_deviation · Σ^(−1/2), in pixels of the image, with Σ⁻¹ = information / pixel².
cv::Matx22d weight_of(const cv::Matx22d& information, double pixel) {
  return with_eigenvalues(information, [&](double value) {
    if (value <= 0) return 0.0;
    return usual_deviation / (pixel * std::sqrt(1 / value + least_patch_deviation * least_patch_deviation));
  });
}

}  // namespace

cv::Point2d GreyImage::level_from_pixel(const cv::Point2d& p) const {
  const double sx = static_cast<double>(levels[0].cols) / size.width;
  const double sy = static_cast<double>(levels[0].rows) / size.height;
  return {(p.x + 0.5) * sx - 0.5, (p.y + 0.5) * sy - 0.5};
}

cv::Point2d GreyImage::pixel_from_level(const cv::Point2d& p) const {
  const double sx = static_cast<double>(levels[0].cols) / size.width;
  const double sy = static_cast<double>(levels[0].rows) / size.height;
  return {(p.x + 0.5) / sx - 0.5, (p.y + 0.5) / sy - 0.5};
}

std::optional<cv::Point> GreyImage::patch_at(const cv::Point2d& pixel) const {
  const cv::Rect inner(half + 2, half + 2, levels[0].cols - 2 * half - 4, levels[0].rows - 2 * half - 4);
  const cv::Point at = level_from_pixel(pixel);
  // A pixel of all levels, so that no patch of a is interpolated.
  const cv::Point place((at.x + grain / 2) / grain * grain, (at.y + grain / 2) / grain * grain);
  if (!inner.contains(place)) return {};
  return place;
}

namespace {

// How good patches around the pixels of some rows are: corners are best, then edges.
cv::Mat scores_of(const cv::Mat& grey, const cv::Range& rows) {
  constexpr int margin = half + 1;  // of a patch's gradients
  const cv::Range wide(std::max(0, rows.start - margin), std::min(grey.rows, rows.end + margin));
  cv::Mat values;
  cv::cornerEigenValsAndVecs(grey.rowRange(wide), values, patch_side, 3);
  std::array<cv::Mat, 2> both;
  cv::extractChannel(values.rowRange(rows.start - wide.start, rows.end - wide.start), both[0], 0);
  cv::extractChannel(values.rowRange(rows.start - wide.start, rows.end - wide.start), both[1], 1);
  return cv::min(both[0], both[1]) + 0.02 * cv::max(both[0], both[1]);
}

// The centre of the best patch of each cell.
std::vector<cv::Point> patches_of(const GreyImage& image, const cv::Mat& grey) {
  constexpr int cells = 4;  // rows of them at a time: what is made of them stays in the cache
  const cv::Rect inner(half + 2, half + 2, grey.cols - 2 * half - 4, grey.rows - 2 * half - 4);
  std::vector<cv::Point> patches;
  for (int top = inner.y; top < inner.br().y && inner.width > 0; top += cells * cell) {
    const cv::Range rows(top, std::min(top + cells * cell, inner.br().y));
    const cv::Mat scores = scores_of(grey, rows);
    for (int y = top; y < rows.end; y += cell) {
      for (int x = inner.x; x < inner.br().x; x += cell) {
        const cv::Rect area = cv::Rect(x, y, cell, cell) & inner;
        double best = 0;
        cv::Point place;
        cv::minMaxLoc(scores(area - cv::Point(0, top)), nullptr, &best, nullptr, &place);
        if (!(best > 0)) continue;
        const std::optional<cv::Point> patch = image.patch_at(image.pixel_from_level(place + area.tl()));
        if (patch) patches.push_back(*patch);
      }
    }
  }
  return patches;
}

}  // namespace

GreyImage grey_image(const cv::Mat& colours, double most_pixels) {
  GreyImage image;
  image.size = {colours.cols, colours.rows};
  const double full = colours.depth() == CV_8U ? 255 : colours.depth() == CV_16U ? 65535 : 1;
  cv::Mat grey, scaled;
  cv::cvtColor(colours, grey, cv::COLOR_RGB2GRAY);
  grey.convertTo(grey, CV_32F, 65535 / full);
  const double factor = std::min(1.0, std::sqrt(most_pixels / static_cast<double>(grey.total())));
  const cv::Size size(std::max(1, static_cast<int>(std::lround(grey.cols * factor))),
                      std::max(1, static_cast<int>(std::lround(grey.rows * factor))));
  if (size != grey.size()) {
    cv::resize(grey, scaled, size, 0, 0, cv::INTER_AREA);
    cv::swap(grey, scaled);  // two images: an assignment would share the pixels
  }
  // Noise from differences that smooth shades and straight edges do not have (Immerkær, 1996), by their median.
  const cv::Matx33f kernel(1, -2, 1, -2, 4, -2, 1, -2, 1);
  cv::filter2D(grey, scaled, CV_32F, kernel);
  std::vector<float> differences(scaled.begin<float>(), scaled.end<float>());
  const auto middle = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 2);
  for (float& one : differences) one = std::abs(one);
  std::nth_element(differences.begin(), middle, differences.end());
  // The deviation that the kernel makes of noise of 1, √36, and the median of the absolute value of normal noise.
  constexpr double gain_of_kernel = 6, median_of_normal = 0.6745;
  const double raw = std::max<double>(quantisation, *middle / (gain_of_kernel * median_of_normal));
  image.noise = raw / (2 * std::sqrt(CV_PI) * patch_smoothing);
  cv::GaussianBlur(grey, grey, {}, patch_smoothing);
  grey.convertTo(scaled, CV_16U);
  image.levels.push_back(scaled);
  while (image.levels.size() < most_levels && std::min(scaled.cols, scaled.rows) > 4 * patch_side) {
    cv::Mat smaller;
    cv::pyrDown(scaled, smaller);
    image.levels.push_back(smaller);
    scaled = smaller;
  }
  image.patches = patches_of(image, grey);
  return image;
}

namespace {

// The map from level 0 of one image to level 0 of another.
class LevelMap {
 public:
  LevelMap(const GreyImage& a, const GreyImage& b, const PixelMap& b_from_a) : a_(a), b_(b), b_from_a_(b_from_a) {}

  std::optional<cv::Point2d> operator()(const cv::Point2d& p) const {
    const std::optional<cv::Point2d> q = b_from_a_(a_.pixel_from_level(p));
    return q ? std::optional(b_.level_from_pixel(*q)) : std::nullopt;
  }
  // Whether the patch around a pixel lies in the other image.
  [[nodiscard]] bool shows(const cv::Point& p) const {
    const std::optional<cv::Point2d> q = (*this)(p);
    const cv::Mat& level = b_.levels[0];
    return q && is_inside(level, q->x - half, q->y - half) && is_inside(level, q->x + half, q->y + half);
  }
  // None where an image is seen edge-on or enlarged beyond use.
  [[nodiscard]] std::optional<cv::Matx22d> jacobian(const cv::Point& p) const {
    constexpr int h = 8;                                    // [pixel] most of half a patch
    constexpr double least_area = 0.05, largest_norm = 20;  // bounds of areas and of lengths, guesses
    const auto q = (*this)(p), right = (*this)(p + cv::Point(h, 0)), below = (*this)(p + cv::Point(0, h));
    if (!q || !right || !below) return {};
    const cv::Matx22d slope((right->x - q->x) / h, (below->x - q->x) / h, (right->y - q->y) / h, (below->y - q->y) / h);
    const bool is_usable = std::abs(cv::determinant(slope)) > least_area && cv::norm(slope) < largest_norm;
    return is_usable ? std::optional(slope) : std::nullopt;
  }

 private:
  const GreyImage &a_, &b_;
  const PixelMap& b_from_a_;
};

// From coarse to fine. The level that tells most of the place is taken, in units of level 0.
std::optional<Found> find_on_levels(const GreyImage& a, const GreyImage& b, const cv::Point& p, const LevelMap& map,
                                    const cv::Matx22d& jacobian) {
  cv::Vec2d shift(0, 0);
  std::optional<Found> best;
  const int levels = static_cast<int>(std::min(a.levels.size(), b.levels.size()));
  for (int level = levels - 1; level >= 0; --level) {
    const auto at = static_cast<std::size_t>(level);
    const double unit = 1 << level;
    const std::optional<Places> expected = places_of_patch(map, p, 1 << level);
    if (!expected) continue;
    const std::optional<Template> patch = template_of(a.levels[at], p / (1 << level), jacobian, quantisation / unit);
    if (!patch) continue;
    const std::optional<Found> found =
        find_patch(b.levels[at], *patch, *expected, shift * (1 / unit), quantisation / unit);
    if (!found) continue;
    shift = found->shift * unit;
    const cv::Matx22d information = found->information * (1 / (unit * unit));
    if (!best || trace(information) >= trace(best->information)) best = {shift, information};
  }
  constexpr double largest_deviation = 1;  // [pixel of level 0] in the better direction
  if (best && trace(best->information) < 1 / (largest_deviation * largest_deviation)) return {};
  return best;
}

}  // namespace

PixelMap map_of(const cv::Matx33d& b_from_a, ImageSize size_b) {
  return [b_from_a, size_b](const cv::Point2d& p) -> std::optional<cv::Point2d> {
    const cv::Vec3d q = b_from_a * cv::Vec3d(p.x, p.y, 1);
    if (!(q[2] > 1e-9)) return {};
    const cv::Point2d at(q[0] / q[2], q[1] / q[2]);
    if (!(std::abs(at.x) < 2.0 * size_b.width && std::abs(at.y) < 2.0 * size_b.height)) return {};
    return at;
  };
}

IntensityMatches match_intensities(int a, int b, const GreyImage& grey_a, const GreyImage& grey_b,
                                   const PixelMap& b_from_a) {
  constexpr std::size_t most_patches = 250;  // of a pair: it bounds the time; not tuned
  constexpr double structured = 0.2;         // [pixel] of level 0, in the better direction: what counts as tried
  IntensityMatches matches{{a, b, {}, {}, {}, {}}, 0};
  const LevelMap map(grey_a, grey_b, b_from_a);
  std::vector<cv::Point> shown;
  std::ranges::copy_if(grey_a.patches, std::back_inserter(shown), [&](const cv::Point& p) { return map.shows(p); });
  const std::size_t wanted = std::min(most_patches, shown.size());
  const cv::Matx33d normalised_from_a = normalised_from_pixel(grey_a.size),
                    normalised_from_b = normalised_from_pixel(grey_b.size);
  const double pixel_a = static_cast<double>(grey_a.size.width) / grey_a.levels[0].cols;
  const double pixel_b = static_cast<double>(grey_b.size.width) / grey_b.levels[0].cols;
  const auto mapped_by = [](const cv::Matx33d& m, const cv::Point2d& at) {
    return cv::Point2d(m(0, 0) * at.x + m(0, 2), m(1, 1) * at.y + m(1, 2));
  };
  for (std::size_t k = 0; k < wanted; ++k) {
    const cv::Point p = shown[k * shown.size() / wanted];
    const std::optional<cv::Matx22d> jacobian = map.jacobian(p);
    if (!jacobian) continue;
    const cv::Point2d place = mapped_by(normalised_from_a, grey_a.pixel_from_level(p));
    if (expected_deviation(grey_a, p) <= structured) {
      ++matches.tried;
      matches.tried_in_a.push_back(place);
    }
    const std::optional<Found> found = find_on_levels(grey_a, grey_b, p, map, *jacobian);
    if (!found) continue;
    const cv::Point2d at_b = grey_b.pixel_from_level(*map(p) + cv::Point2d(found->shift));
    const cv::Matx22d in_b = weight_of(found->information, pixel_b);
    matches.points.in_a.push_back(place);
    matches.points.in_b.push_back(mapped_by(normalised_from_b, at_b));
    matches.points.weight_in_b.push_back(in_b);
    matches.points.weight_in_a.push_back(in_b * *jacobian * (pixel_b / pixel_a));
  }
  return matches;
}

}  // namespace octavo::mosaic
