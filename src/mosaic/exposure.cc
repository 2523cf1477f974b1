// Gains of the pictures and one vignetting of the lens, from the colours of points that two pictures show (Goldman,
// "Vignette and exposure calibration and compensation", PAMI 2010). With I the colour of a scene point, picture i has
// I·g_i·exp(v₀·r² + v₁·r⁴) there, r the distance from its centre. The logarithm of the quotient of two pictures is
// linear in log g and v, and is solved for each channel by least squares, weighted again and again for outliers
// (Cauchy's weights). The geometric mean of the gains is 1. What overlaps do not determine stays near 0.
//
// OpenCV's block gains follow the difference of two pictures everywhere, but each block alone, and know no lens.

#include "mosaic/exposure.h"

#include <algorithm>
#include <cmath>

namespace octavo::mosaic {
namespace {

struct Sample {
  int a, b;
  cv::Vec3f in_a, in_b;
  double radius2_a, radius2_b;
};

std::vector<Sample> samples_of(const std::vector<MosaicPlan::Details::Part>& parts) {
  constexpr int wanted = 600;  // of each pair
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      const auto &a = parts[i], &b = parts[j];
      const cv::Rect common = a.place & b.place;
      if (common.empty() || a.picture == b.picture) continue;
      const int step = std::max(1, static_cast<int>(std::sqrt(common.area() / static_cast<double>(wanted))));
      for (int y = common.y + step / 2; y < common.br().y; y += step) {
        for (int x = common.x + step / 2; x < common.br().x; x += step) {
          const cv::Point p(x - a.place.x, y - a.place.y), q(x - b.place.x, y - b.place.y);
          if (a.mask.at<unsigned char>(p) == 0 || b.mask.at<unsigned char>(q) == 0) continue;
          samples.push_back({a.picture, b.picture, a.colours.at<cv::Vec3f>(p), b.colours.at<cv::Vec3f>(q),
                             a.radius2.at<float>(p), b.radius2.at<float>(q)});
        }
      }
    }
  }
  return samples;
}

// log g of each picture, then v₀ and v₁.
std::vector<double> solve(const std::vector<Sample>& samples, int pictures, int channel, bool with_vignetting) {
  const int n = pictures + (with_vignetting ? 2 : 0);
  std::vector<double> solution(static_cast<std::size_t>(pictures) + 2);
  constexpr double darkest = 0.03, brightest = 0.97;  // clipped colours tell nothing
  constexpr double spread = 0.04;                     // of the logarithm, of samples that agree
  for (int round = 0; round < 6; ++round) {
    cv::Mat normal = cv::Mat::zeros(n, n, CV_64F), right = cv::Mat::zeros(n, 1, CV_64F), x;
    double total = 0;
    for (const Sample& sample : samples) {
      const double p = sample.in_a[channel], q = sample.in_b[channel];
      if (std::min(p, q) < darkest || std::max(p, q) > brightest) continue;
      const std::array<int, 4> index{sample.a, sample.b, pictures, pictures + 1};
      const double ra = sample.radius2_a, rb = sample.radius2_b;
      const std::array<double, 4> factor{1, -1, ra - rb, ra * ra - rb * rb};
      const double value = std::log(p / q);
      double error = value;
      for (std::size_t k = 0; k < 4; ++k) error -= factor[k] * solution[static_cast<std::size_t>(index[k])];
      const double weight = round == 0 ? 1 : 1 / (1 + error * error / (spread * spread));
      total += weight;
      const std::size_t used = with_vignetting ? 4 : 2;
      for (std::size_t k = 0; k < used; ++k) {
        for (std::size_t l = 0; l < used; ++l) normal.at<double>(index[k], index[l]) += weight * factor[k] * factor[l];
        right.at<double>(index[k]) += weight * factor[k] * value;
      }
    }
    if (total == 0) return solution;
    for (int k = 0; k < n; ++k) normal.at<double>(k, k) += total * (k < pictures ? 1e-5 / pictures : 1e-5);
    if (!cv::solve(normal, right, x, cv::DECOMP_CHOLESKY)) return solution;
    std::copy_n(x.ptr<double>(), n, solution.begin());
  }
  return solution;
}

}  // namespace

void estimate_exposure(MosaicPlan& plan, const std::vector<MosaicPlan::Details::Part>& parts) {
  const std::vector<Sample> samples = samples_of(parts);
  const int pictures = static_cast<int>(plan.pictures.size());
  for (int channel = 0; channel < 3; ++channel) {
    const auto c = static_cast<std::size_t>(channel);
    std::vector<double> x = solve(samples, pictures, channel, true);
    const double v0 = x[static_cast<std::size_t>(pictures)], v1 = x[static_cast<std::size_t>(pictures) + 1];
    // A lens darkens the corners, at most to a fifth; another result comes from overlaps that do not determine it.
    const double corner = v0 + v1, halfway = v0 / 4 + v1 / 16;
    const bool is_lens = corner < 0.1 && corner > -1.6 && halfway < 0.1 && halfway > corner - 0.1;
    if (!is_lens) x = solve(samples, pictures, channel, false);
    plan.vignetting[c] = {x[static_cast<std::size_t>(pictures)], x[static_cast<std::size_t>(pictures) + 1]};
    for (std::size_t i = 0; i < plan.pictures.size(); ++i) plan.pictures[i].gain[c] = std::exp(x[i]);
  }
}

}  // namespace octavo::mosaic
