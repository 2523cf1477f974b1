// Gains of the images and one vignetting of the lens, from the colours of points that two images show (Goldman,
// "Vignette and exposure calibration and compensation", PAMI 2010). With I the colour of a scene point, image i has
// I·g_i·exp(v₀·r² + v₁·r⁴) there, r the distance from its centre. The logarithm of the quotient of two images is
// linear in log g and v. It is solved by least squares, weighted again and again for outliers (Cauchy's weights): the
// gains for each channel, the vignetting for all of them, since a lens darkens all colours alike. The geometric mean of
// the gains is 1.
//
// Images of one view show no vignetting, however different their exposures are: r is the same in both. So the
// vignetting has as many terms as its deviation allows, two, one or none.
//
// OpenCV's block gains follow the difference of two images everywhere, but each block alone, and know no lens.

#include "multiview/mosaic/exposure.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "multiview/mosaic/neutral.h"
#include "multiview/mosaic/warp.h"

namespace octavo::mosaic {
namespace {

struct Sample {
  int a, b;
  cv::Vec3f in_a, in_b;
  double radius2_a, radius2_b;
};

// `neutral` tells which images have no colours.
std::vector<Sample> samples_of(const std::vector<MosaicPlan::Details::Part>& parts, const std::vector<bool>& neutral) {
  constexpr int wanted = 600;  // samples of each pair: it bounds the time; not tuned
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      const auto &a = parts[i], &b = parts[j];
      const cv::Rect common = a.place & b.place;
      if (common.empty() || a.image == b.image) continue;
      const int step = std::max(1, static_cast<int>(std::sqrt(common.area() / static_cast<double>(wanted))));
      for (int y = common.y + step / 2; y < common.br().y; y += step) {
        for (int x = common.x + step / 2; x < common.br().x; x += step) {
          const cv::Point p(x - a.place.x, y - a.place.y), q(x - b.place.x, y - b.place.y);
          if (a.mask.at<unsigned char>(p) == 0 || b.mask.at<unsigned char>(q) == 0) continue;
          const auto [in_a, in_b] =
              comparable({a.colours.at<cv::Vec3f>(p), b.colours.at<cv::Vec3f>(q)},
                         neutral[static_cast<std::size_t>(a.image)], neutral[static_cast<std::size_t>(b.image)]);
          samples.push_back({a.image, b.image, in_a, in_b, squared_radius(a.at.at<cv::Vec2f>(p), a.size),
                             squared_radius(b.at.at<cv::Vec2f>(q), b.size)});
        }
      }
    }
  }
  return samples;
}

// Colours outside of these, in parts of full scale, may be clipped, and tell nothing; guesses.
constexpr double darkest = 0.03, brightest = 0.97;

// Logarithms of the gains, and the vignetting with the deviations that follow from what the samples do not agree on.
struct Exposure {
  std::array<std::vector<double>, 3> log_gain;
  std::array<double, 2> vignetting{};
  double corner_deviation = 0;

  [[nodiscard]] double darkening(double radius2) const {
    return vignetting[0] * radius2 + vignetting[1] * radius2 * radius2;
  }
  // Samples that lie near each other, and channels, err alike.
  [[nodiscard]] bool is_determined() const {
    constexpr double least_ratio = 4;  // in deviations: 1 of 16 000 by chance, if errors were normal
    return corner_deviation * least_ratio < std::abs(darkening(1));
  }
  // A lens darkens the corners, at most to a fifth.
  [[nodiscard]] bool is_of_a_lens() const {
    const double corner = darkening(1), halfway = darkening(0.25);
    return corner < 0 && corner > -1.6 && halfway < 0.1 && halfway > corner - 0.1;
  }
};

// The normal equations of one channel: those of the gains, those of the vignetting, and what couples them.
// By Eigen: OpenCV gives large matrices to LAPACK, where there is one, whose threads may add in another order each
// time.
struct Normal {
  Eigen::MatrixXd gains, coupling, vignetting;
  Eigen::VectorXd gains_right, vignetting_right;
  double weight = 0, squares = 0;
};

Normal normal_of(const std::vector<Sample>& samples, int images, int channel, const Exposure& now, bool is_first,
                 int terms) {
  // Of the logarithm of a colour's ratio, of samples that agree: noise of 4 %. Others weigh less; a guess.
  constexpr double spread = 0.04;
  const int columns = std::max(1, terms);  // no terms are one that is 0
  Normal normal{Eigen::MatrixXd::Zero(images, images), Eigen::MatrixXd::Zero(images, columns),
                Eigen::MatrixXd::Zero(columns, columns), Eigen::VectorXd::Zero(images), Eigen::VectorXd::Zero(columns)};
  const std::vector<double>& log_gain = now.log_gain[static_cast<std::size_t>(channel)];
  for (const Sample& sample : samples) {
    const double p = sample.in_a[channel], q = sample.in_b[channel];
    if (std::min(p, q) < darkest || std::max(p, q) > brightest) continue;
    const double ra = sample.radius2_a, rb = sample.radius2_b, value = std::log(p / q);
    const double error = value - log_gain[static_cast<std::size_t>(sample.a)] +
                         log_gain[static_cast<std::size_t>(sample.b)] - now.darkening(ra) + now.darkening(rb);
    const double weight = is_first ? 1 : 1 / (1 + error * error / (spread * spread));
    normal.weight += weight;
    normal.squares += weight * error * error;
    normal.gains(sample.a, sample.a) += weight;
    normal.gains(sample.b, sample.b) += weight;
    normal.gains(sample.a, sample.b) -= weight;
    normal.gains(sample.b, sample.a) -= weight;
    normal.gains_right(sample.a) += weight * value;
    normal.gains_right(sample.b) -= weight * value;
    const std::array<double, 2> factor{ra - rb, ra * ra - rb * rb};
    for (int k = 0; k < terms; ++k) {
      const double weighted = weight * factor[static_cast<std::size_t>(k)];
      normal.coupling(sample.a, k) += weighted;
      normal.coupling(sample.b, k) -= weighted;
      normal.vignetting_right(k) += weighted * value;
      for (int l = 0; l < terms; ++l) {
        normal.vignetting(k, l) += weighted * factor[static_cast<std::size_t>(l)];
      }
    }
  }
  // What overlaps do not determine stays near 0.
  normal.gains.diagonal().array() += normal.weight * 1e-5 / images;
  normal.vignetting.diagonal().array() += normal.weight * 1e-5;
  return normal;
}

// One round of the weights: the gains are eliminated, which leaves the equations of the vignetting.
void refine(Exposure& exposure, const std::array<Normal, 3>& channels) {
  const Eigen::Index terms = channels[0].vignetting_right.size();
  Eigen::MatrixXd vignetting = Eigen::MatrixXd::Zero(terms, terms);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(terms);
  std::array<Eigen::VectorXd, 3> of_gains;
  std::array<Eigen::MatrixXd, 3> of_coupling;
  double weight = 0, squares = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const Normal& one = channels[c];
    if (one.weight == 0) continue;
    const Eigen::LLT<Eigen::MatrixXd> cholesky(one.gains);
    of_gains[c] = cholesky.solve(one.gains_right);
    of_coupling[c] = cholesky.solve(one.coupling);
    vignetting += one.vignetting - one.coupling.transpose() * of_coupling[c];
    right += one.vignetting_right - one.coupling.transpose() * of_gains[c];
    weight += one.weight;
    squares += one.squares;
  }
  if (weight == 0) return;
  // The deviation of a logarithm that is supposed at least, and the samples of a pair of which one counts as
  // independent. Guesses that the tests of lenses hold: one view shows no vignetting, tiles show theirs (lens_test.cc).
  constexpr double least_spread = 0.02, alike = 90;
  const Eigen::MatrixXd covariance = vignetting.llt().solve(Eigen::MatrixXd::Identity(terms, terms));
  const Eigen::VectorXd x = covariance * right;
  std::ranges::copy(x, exposure.vignetting.begin());
  const double variance = std::max(squares / weight, least_spread * least_spread) * alike;
  exposure.corner_deviation = std::sqrt(variance * covariance.sum());
  for (std::size_t c = 0; c < 3; ++c) {
    if (of_gains[c].size() == 0) continue;
    const Eigen::VectorXd gains = of_gains[c] - of_coupling[c] * x;
    exposure.log_gain[c].assign(gains.begin(), gains.end());
  }
}

Exposure solve(const std::vector<Sample>& samples, int images, int terms) {
  Exposure exposure;
  exposure.log_gain.fill(std::vector<double>(static_cast<std::size_t>(images)));
  for (int round = 0; round < 6; ++round) {
    std::array<Normal, 3> channels;
    for (int c = 0; c < 3; ++c) {
      channels[static_cast<std::size_t>(c)] = normal_of(samples, images, c, exposure, round == 0, terms);
    }
    refine(exposure, channels);
  }
  return exposure;
}

// With as many terms of the vignetting as are determined. One that is no lens's comes from other differences.
Exposure exposure_of(const std::vector<Sample>& samples, int images) {
  for (const int terms : {2, 1}) {
    Exposure exposure = solve(samples, images, terms);
    if (!exposure.is_determined()) continue;
    if (!exposure.is_of_a_lens()) break;
    return exposure;
  }
  return solve(samples, images, 0);
}

}  // namespace

void estimate_exposure(MosaicPlan& plan, const std::vector<MosaicPlan::Details::Part>& parts) {
  const std::vector<bool> neutral = neutral_images(parts, plan.images.size());
  const Exposure exposure = exposure_of(samples_of(parts, neutral), static_cast<int>(plan.images.size()));
  plan.vignetting = exposure.vignetting;
  for (std::size_t i = 0; i < plan.images.size(); ++i) {
    const auto& [red, green, blue] = exposure.log_gain;
    const double mean = (red[i] + green[i] + blue[i]) / 3;
    for (std::size_t c = 0; c < 3; ++c) plan.images[i].gain[c] = std::exp(neutral[i] ? mean : exposure.log_gain[c][i]);
  }
}

}  // namespace octavo::mosaic
