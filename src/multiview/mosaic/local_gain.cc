// What gains and vignetting leave of the differences between images: a camera that renders its images maps light to
// values by a curve, and chooses the curve and the white of each image alone, so that skies differ where roofs agree.
// Each image has a smooth gain that differs from place to place: with d the logarithm of the quotient of two images'
// colours in the part that a cell of one shares with a cell of the other, and f the logarithm of a cell's gain, it
// minimises Σ w·(d − f_a + f_b)² + smoothness·Σ (f − f_neighbour)² + retreat·Σ f². The weight w of cells is low where
// their pixels disagree with each other, or with what surrounds them (Geman and McClure's weights): a person who walks
// by has no colour of the light. Far from other images the gain is 1.

#include "multiview/mosaic/local_gain.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "multiview/mosaic/median.h"
#include "multiview/mosaic/neutral.h"

namespace octavo::mosaic {
namespace {

using Part = MosaicPlan::Details::Part;

// Cells along the longer side of an image. A sky and a roof are several cells; noise and small things are less than
// one.
constexpr int longer_side = 12;
// Weights of the differences of neighbours, and of the gain's own size: it falls to a third in seven cells. Guesses.
constexpr double smoothness = 0.25, retreat = 0.005;
// The disagreement of two cells, a logarithm, at which their weight is half: cameras disagree by less on one light, and
// things by more; a guess.
constexpr double spread = 0.15;
// Added to colours (0…1), so that noise in the dark tells nothing; a guess.
constexpr float floor_of_colours = 0.02F;
// Gains that are nearer to 1 are not seen: half a grey level of 8 bits.
constexpr double least_gain = 0.002;

// The cells of the images; their numbers are those of the unknowns.
struct CellNumbers {
  struct Grid {
    int first = 0, columns = 0, rows = 0;
  };
  std::vector<Grid> grids;
  int count = 0;

  [[nodiscard]] int at(int image, const cv::Vec2f& place) const {
    const Grid& grid = grids[static_cast<std::size_t>(image)];
    const int column = std::clamp(static_cast<int>(place[0] * static_cast<float>(grid.columns)), 0, grid.columns - 1);
    const int row = std::clamp(static_cast<int>(place[1] * static_cast<float>(grid.rows)), 0, grid.rows - 1);
    return grid.first + row * grid.columns + column;
  }
};

CellNumbers cells_of(const std::vector<Part>& parts, std::size_t images) {
  CellNumbers cells{std::vector<CellNumbers::Grid>(images), 0};
  for (const Part& part : parts) {
    CellNumbers::Grid& grid = cells.grids[static_cast<std::size_t>(part.image)];
    if (grid.columns > 0) continue;
    const double shape = part.size.width / static_cast<double>(part.size.height);
    const auto side = [](double length) { return std::max(1, static_cast<int>(std::lround(longer_side * length))); };
    grid = {cells.count, side(std::min(1.0, shape)), side(std::min(1.0, 1 / shape))};
    cells.count += grid.columns * grid.rows;
  }
  return cells;
}

// What a cell of one image and a cell of another share.
struct Shared {
  int a = 0, b = 0;
  double weight = 0;
  Eigen::RowVector3d difference;  // of the logarithms
};

// The logarithms of the quotients of two parts' colours, by the cells that share them.
using Quotients = std::map<std::pair<int, int>, std::array<std::vector<double>, 3>>;

Quotients quotients_of(const Part& a, const Part& b, bool is_a_neutral, bool is_b_neutral, const CellNumbers& cells) {
  constexpr int step = 2;  // [pixel] of the small canvas: it bounds the time; not tuned
  const cv::Rect common = a.place & b.place;
  Quotients quotients;
  for (int y = common.y; y < common.br().y; y += step) {
    for (int x = common.x; x < common.br().x; x += step) {
      const cv::Point p(x - a.place.x, y - a.place.y), q(x - b.place.x, y - b.place.y);
      if (a.inside.at<unsigned char>(p) == 0 || b.inside.at<unsigned char>(q) == 0) continue;
      const auto logarithm = [](float value) { return std::log(std::max(0.0F, value) + floor_of_colours); };
      const auto [in_a, in_b] =
          comparable({a.colours.at<cv::Vec3f>(p), b.colours.at<cv::Vec3f>(q)}, is_a_neutral, is_b_neutral);
      auto& list = quotients[{cells.at(a.image, a.at.at<cv::Vec2f>(p)), cells.at(b.image, b.at.at<cv::Vec2f>(q))}];
      for (int c = 0; c < 3; ++c) list[static_cast<std::size_t>(c)].push_back(logarithm(in_a[c]) - logarithm(in_b[c]));
    }
  }
  return quotients;
}

std::vector<Shared> shared_cells(const std::vector<Part>& parts, const std::vector<bool>& neutral,
                                 const CellNumbers& cells) {
  constexpr double least = 16;  // pixels that tell anything, and for a weight of 1; guesses
  constexpr double enough = 200;
  const auto is_neutral_image = [&](const Part& part) { return neutral[static_cast<std::size_t>(part.image)]; };
  std::vector<Shared> list;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      const Part &a = parts[i], &b = parts[j];
      if ((a.place & b.place).empty() || a.image == b.image) continue;
      for (const auto& [pair, quotients] : quotients_of(a, b, is_neutral_image(a), is_neutral_image(b), cells)) {
        const auto pixels = static_cast<double>(quotients[0].size());
        if (pixels < least) continue;
        Shared shared{pair.first, pair.second, 0, {}};
        double disorder = 0;
        for (int c = 0; c < 3; ++c) {
          std::vector<double> values = quotients[static_cast<std::size_t>(c)];
          shared.difference[c] = median_of(values);
          for (double& value : values) value = std::abs(value - shared.difference[c]);
          disorder += median_of(values) / 3;
        }
        shared.weight = std::min(1.0, pixels / enough) / (1 + disorder * disorder / (spread * spread));
        list.push_back(shared);
      }
    }
  }
  return list;
}

// The logarithms of the gains of all cells, one row each.
Eigen::MatrixX3d solved(const CellNumbers& cells, const std::vector<Shared>& list) {
  using Triplet = Eigen::Triplet<double>;
  std::vector<Triplet> smooth;
  const auto couple = [](std::vector<Triplet>& to, int a, int b, double weight) {
    to.insert(to.end(), {{a, a, weight}, {b, b, weight}, {a, b, -weight}, {b, a, -weight}});
  };
  for (const CellNumbers::Grid& grid : cells.grids) {
    for (int i = 0; i < grid.columns * grid.rows; ++i) {
      const int own = grid.first + i;
      smooth.emplace_back(own, own, retreat);
      if (i % grid.columns + 1 < grid.columns) couple(smooth, own, own + 1, smoothness);
      if (i / grid.columns + 1 < grid.rows) couple(smooth, own, own + grid.columns, smoothness);
    }
  }
  constexpr int rounds = 4;  // of the weights; not tuned
  Eigen::MatrixX3d logarithms = Eigen::MatrixX3d::Zero(cells.count, 3);
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> cholesky;
  Eigen::SparseMatrix<double> normal(cells.count, cells.count);
  for (int round = 0; round < rounds; ++round) {
    std::vector<Triplet> terms = smooth;
    Eigen::MatrixX3d right = Eigen::MatrixX3d::Zero(cells.count, 3);
    for (const Shared& one : list) {
      const Eigen::RowVector3d error = one.difference - logarithms.row(one.a) + logarithms.row(one.b);
      const double agreement = 1 / (1 + error.squaredNorm() / (3 * spread * spread));
      const double weight = one.weight * agreement * agreement;
      couple(terms, one.a, one.b, weight);
      right.row(one.a) += weight * one.difference;
      right.row(one.b) -= weight * one.difference;
    }
    normal.setFromTriplets(terms.begin(), terms.end());
    logarithms = cholesky.compute(normal).solve(right);
  }
  return logarithms;
}

}  // namespace

std::vector<cv::Mat> local_gains(const std::vector<Part>& parts, std::size_t images) {
  const CellNumbers cells = cells_of(parts, images);
  const std::vector<bool> neutral = neutral_images(parts, images);
  Eigen::MatrixX3d logarithms = solved(cells, shared_cells(parts, neutral, cells));
  std::vector<cv::Mat> gains(images);
  for (std::size_t i = 0; i < images; ++i) {
    const CellNumbers::Grid& grid = cells.grids[i];
    auto own = logarithms.middleRows(grid.first, grid.columns * grid.rows);
    if (neutral[i]) own.colwise() = Eigen::VectorXd(own.rowwise().mean());
    if (own.size() == 0 || own.cwiseAbs().maxCoeff() < least_gain) continue;
    gains[i].create(grid.rows, grid.columns, CV_32FC3);
    for (int k = 0; k < grid.columns * grid.rows; ++k) {
      const Eigen::RowVector3f colour = own.row(k).cast<float>();
      gains[i].at<cv::Vec3f>(k / grid.columns, k % grid.columns) = {colour[0], colour[1], colour[2]};
    }
  }
  return gains;
}

void correct_locally(cv::Mat& colours, const cv::Mat& at, const cv::Mat& local_gain) {
  if (local_gain.empty()) return;
  // Remap counts 32nds of a cell: smaller cells make its steps too small to be seen.
  constexpr double smaller = 16;
  cv::Mat fine, there;
  cv::resize(local_gain, fine, {}, smaller, smaller, cv::INTER_CUBIC);
  std::array<cv::Mat, 2> places;
  cv::split(at, places.data());
  cv::remap(fine, there, cv::Mat(places[0] * fine.cols - 0.5), cv::Mat(places[1] * fine.rows - 0.5), cv::INTER_LINEAR,
            cv::BORDER_REPLICATE);
  cv::exp(-there, there);
  cv::multiply(colours, there, colours);
}

}  // namespace octavo::mosaic
