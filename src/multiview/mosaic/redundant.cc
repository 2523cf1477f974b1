// The frames of a slow pan, and several exposures of one place, show again what others show. An image is left out where
// the images that overlap it cover nearly all of it, one of them most of it: this one holds its neighbours together. An
// overview does not show what a close-up shows.
// The cost of a mosaic then grows with the scene, not with the number of images.

#include "multiview/mosaic/redundant.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <cmath>
#include <optional>

#include "multiview/geometry/visible_part.h"

namespace octavo::mosaic {
namespace {

// The parts of an image that others must show, all of them together and one alone; guesses.
constexpr double covered_by_all = 0.98, covered_by_one = 0.75;
constexpr double least_scale = 0.7;  // of what shows an image: half of its pixels; a guess
constexpr int cells = 64;            // of the grid along each side, on which parts are measured; not tuned

// How badly an image is exposed: 0 if all of it is a middle grey, 1 if it is black or white (the well-exposedness of
// Mertens, Kautz and Van Reeth, "Exposure fusion", 2007), in steps of 0.05, so that noise does not decide.
double exposure_fault(const Stored& small) {
  constexpr double middle = 0.5, deviation = 0.2, step = 0.05;
  cv::Mat values, weight;
  small.colours.reshape(1).convertTo(values, CV_32F, 1 / 65535.0, -middle);
  cv::exp(values.mul(values) * (-0.5 / (deviation * deviation)), weight);
  return step * std::round((1 - cv::mean(weight)[0]) / step);
}

using Cells = std::bitset<static_cast<std::size_t>(cells) * cells>;

// The cells of an image that another shows, not much smaller.
Cells shown_by(const cv::Matx33d& other_from_image, ImageSize size, ImageSize other) {
  Cells shown;
  for (int row = 0; row < cells; ++row) {
    for (int column = 0; column < cells; ++column) {
      const cv::Vec3d p((column + 0.5) / cells * size.width - 0.5, (row + 0.5) / cells * size.height - 0.5, 1);
      const cv::Vec3d q = other_from_image * p;
      const double x = q[0] / q[2], y = q[1] / q[2];
      const bool is_inside = x >= -0.5 && y >= -0.5 && x <= other.width - 0.5 && y <= other.height - 0.5;
      const double area = std::abs(cv::determinant(planes::local_affinity(other_from_image, {p[0], p[1]})));
      shown.set(static_cast<std::size_t>(row) * cells + static_cast<std::size_t>(column),
                is_inside && area >= least_scale * least_scale);
    }
  }
  return shown;
}

double part_of(const Cells& shown) { return static_cast<double>(shown.count()) / (cells * cells); }

class Redundancy {
 public:
  Redundancy(const Images& images, const std::vector<const VerifiedPair*>& pairs)
      : images_(images), overlaps_(images.told.size()), kept_(images.told.size()) {
    for (std::size_t i = 0; i < kept_.size(); ++i) kept_[i] = is_wanted(images.told[i]);
    for (const VerifiedPair* pair : pairs) {
      const auto a = static_cast<std::size_t>(pair->report.a), b = static_cast<std::size_t>(pair->report.b);
      overlaps_[a].push_back({b, shown_by(pair->b_from_a, images.sizes[a], images.sizes[b])});
      overlaps_[b].push_back({a, shown_by(pair->b_from_a.inv(), images.sizes[b], images.sizes[a])});
    }
  }

  // Leaves an image out if it is redundant.
  void leave_out(std::size_t image) {
    kept_[image] = false;
    const std::optional<std::size_t> best = cover_of(image);
    // What was left out before must still be shown: else a pan would lose its ends, frame by frame.
    kept_[image] = !best || !has_another(*best, image) ||
                   !std::all_of(overlaps_[image].begin(), overlaps_[image].end(), [&](const Overlap& overlap) {
                     return kept_[overlap.other] || !is_to_be_shown(overlap.other) || cover_of(overlap.other);
                   });
  }

  [[nodiscard]] bool is_kept(std::size_t image) const { return kept_[image]; }

  // Of the images that are kept and show all of this one, the one that shows most; none if they do not.
  [[nodiscard]] std::optional<std::size_t> cover_of(std::size_t image) const {
    Cells all;
    double most = 0;
    std::size_t best = 0;
    for (const Overlap& overlap : overlaps_[image]) {
      // Where an image has holes it shows nothing.
      if (!kept_[overlap.other] || !images_.small[overlap.other].shown.empty()) continue;
      all |= overlap.shown;
      if (part_of(overlap.shown) <= most) continue;
      most = part_of(overlap.shown);
      best = overlap.other;
    }
    if (most < covered_by_one || part_of(all) < covered_by_all) return {};
    return best;
  }

 private:
  struct Overlap {
    std::size_t other;
    Cells shown;  // of this image, by the other
  };

  [[nodiscard]] bool is_to_be_shown(std::size_t image) const {
    return is_wanted(images_.told[image]) || images_.told[image].status == MosaicImageStatus::redundant;
  }

  // Whether an image overlaps another one that is kept.
  [[nodiscard]] bool has_another(std::size_t image, std::size_t than) const {
    return std::any_of(overlaps_[image].begin(), overlaps_[image].end(),
                       [&](const Overlap& overlap) { return overlap.other != than && kept_[overlap.other]; });
  }

  const Images& images_;
  std::vector<std::vector<Overlap>> overlaps_;
  std::vector<bool> kept_;
};

}  // namespace

std::vector<MosaicImage> with_redundant(const Images& images, const std::vector<const VerifiedPair*>& pairs) {
  std::vector<double> fault(images.told.size());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < images.told.size(); ++i) {
    if (!is_wanted(images.told[i])) continue;
    fault[i] = exposure_fault(images.small[i]);
    order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return fault[x] > fault[y]; });
  Redundancy redundancy(images, pairs);
  std::vector<MosaicImage> told = images.told;
  for (const std::size_t i : order) redundancy.leave_out(i);
  for (const std::size_t i : order) {
    if (!redundancy.is_kept(i)) told[i].status = MosaicImageStatus::redundant;
  }
  // What shows an image most may have been left out after it.
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (told[i].status != MosaicImageStatus::redundant) continue;
    told[i].reason =
        fmt::format("it adds nothing: '{}' and others show all of it", told[redundancy.cover_of(i).value()].name);
  }
  return told;
}

}  // namespace octavo::mosaic
