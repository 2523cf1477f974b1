// Measures feature codes (octavo/retrieval.h) on photographs and changed views of them. The features of a view and
// those of the photograph at the true place are right pairs; a view and the next photograph give wrong pairs. Prints
// for each change how the Hamming distances are distributed, and how often a right pair has the same word, or the word
// of the one among the near words of the other. For mirrored views the codes are those of mirrored descriptors.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <numbers>

#include "octavo/extractor.h"
#include "octavo/retrieval.h"
#include "octavo/sift_options.h"
#include "study/evaluate/distort.h"
#include "views.h"

namespace {

using octavo::FeatureCode;
using octavo::Features;
using octavo::Image;

constexpr std::array<std::size_t, 4> near{1, 4, 8, 16};

struct Coded {
  Features features;
  std::vector<FeatureCode> codes;
  std::vector<std::uint16_t> words;  // near.back() of each feature
};

struct Counts {
  std::array<std::size_t, octavo::feature_code_bits + 1> right{}, wrong{};
  std::array<std::size_t, near.size()> same{};
  std::size_t pairs = 0;
};

bool is_right(const octavo::Keypoint& a, const octavo::Keypoint& b, const std::array<double, 9>& h) {
  const double w = h[6] * a.x + h[7] * a.y + h[8];
  const double x = (h[0] * a.x + h[1] * a.y + h[2]) / w, y = (h[3] * a.x + h[4] * a.y + h[5]) / w;
  const double area = std::abs(h[0] * h[4] - h[1] * h[3]) / (w * w);
  const double ratio = b.scale / (a.scale * std::sqrt(area));
  if (std::hypot(x - b.x, y - b.y) > 2 || ratio < 0.8 || ratio > 1.25) return false;
  // The direction of the orientation, mapped.
  const double dx = h[0] * std::cos(a.orientation) + h[1] * std::sin(a.orientation);
  const double dy = h[3] * std::cos(a.orientation) + h[4] * std::sin(a.orientation);
  const double turn = std::remainder(std::atan2(dy, dx) - b.orientation, 2 * std::numbers::pi);
  return std::abs(turn) < 0.35;
}

void count(const Coded& a, const Coded& view, const Coded& other, const std::array<double, 9>& view_from_a,
           Counts& counts) {
  for (std::size_t i = 0; i < a.codes.size(); ++i) {
    for (std::size_t j = 0; j < view.codes.size(); ++j) {
      if (!is_right(a.features.keypoints[i], view.features.keypoints[j], view_from_a)) continue;
      ++counts.pairs;
      ++counts.right[static_cast<std::size_t>(octavo::hamming_distance(a.codes[i], view.codes[j]))];
      for (std::size_t k = 0; k < near.size(); ++k) {
        const auto first = view.words.begin() + static_cast<std::ptrdiff_t>(j * near.back());
        counts.same[k] += std::find(first, first + static_cast<std::ptrdiff_t>(near[k]), a.words[i * near.back()]) !=
                          first + static_cast<std::ptrdiff_t>(near[k]);
      }
    }
    for (const FeatureCode& one : other.codes) {
      ++counts.wrong[static_cast<std::size_t>(octavo::hamming_distance(a.codes[i], one))];
    }
  }
}

double share_up_to(std::span<const std::size_t> histogram, std::size_t distance) {
  double part = 0, all = 0;
  for (std::size_t d = 0; d < histogram.size(); ++d) {
    all += static_cast<double>(histogram[d]);
    if (d <= distance) part += static_cast<double>(histogram[d]);
  }
  return all > 0 ? part / all : 0;
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("Measures codes and words of features on photographs and changed views of them.");
  std::vector<std::string> photographs;
  octavo::SiftOptions sift{.first_octave = 0, .max_features = 256, .grid = 4};
  int side = 640;
  app.add_option("PHOTOGRAPH", photographs)->required();
  app.add_option("--side", side, "the longer side of the photographs [pixel]")->capture_default_str();
  app.add_option("--max-features", sift.max_features, "the most features of a view")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  octavo::Extractor extractor(sift);
  const auto coded = [&](const Image& image, bool mirrored) {
    Coded result;
    result.features = extractor.extract(image.view());
    result.codes = octavo::feature_codes(result.features.descriptors);
    result.words = octavo::nearest_words(result.features.descriptors, near.back());
    if (mirrored) {
      std::ranges::transform(result.codes, result.codes.begin(), octavo::mirrored_code);
      std::ranges::transform(result.words, result.words.begin(), octavo::mirrored_word);
    }
    return result;
  };
  std::vector<Image> images;
  std::vector<Coded> plain;
  for (const std::string& file : photographs) {
    images.push_back(octavo::bench::read_photograph(file, side));
    plain.push_back(coded(images.back(), false));
  }
  std::vector<octavo::bench::ViewChange> changes = octavo::bench::report_changes();
  std::erase_if(changes, [](const auto& change) { return change.name == "crop"; });
  changes.push_back({"mirror", 90});
  fmt::print("{:18} {:>7} | right pairs within 16 24 32 40 48 | wrong pairs 24 32 40 48 | word among the nearest",
             "change", "pairs");
  for (const std::size_t k : near) fmt::print(" {}", k);
  fmt::print("\n");
  for (const auto& change : changes) {
    Counts counts;
    for (std::size_t i = 0; i < images.size(); ++i) {
      const octavo::Distorted view = octavo::distort(images[i].view(), change.name, change.strength);
      count(plain[i], coded(view.image, change.name == "mirror"), plain[(i + 1) % plain.size()], view.b_from_a, counts);
    }
    fmt::print("{:18} {:7} |", fmt::format("{} {}", change.name, change.strength), counts.pairs);
    for (const std::size_t d : {16, 24, 32, 40, 48}) fmt::print(" {:.3f}", share_up_to(counts.right, d));
    fmt::print(" |");
    for (const std::size_t d : {24, 32, 40, 48}) fmt::print(" {:.1e}", share_up_to(counts.wrong, d));
    fmt::print(" |");
    for (const std::size_t n : counts.same) {
      fmt::print(" {:.3f}", static_cast<double>(n) / static_cast<double>(std::max<std::size_t>(1, counts.pairs)));
    }
    fmt::print("\n");
  }
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_measure_codes: {}\n", error.what());
  return 1;
}
