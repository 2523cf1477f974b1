// Matches between two images, as lines on a page.

#include "study/evaluate/example_pair.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "io/drawing/page_image.h"
#include "study/evaluate/metric_tables.h"

namespace octavo::evaluation {
namespace {

// Lines of one kind (right, wrong, not judged), at most so many: every n-th. Wrong ones are the ones to look at.
constexpr std::array<std::size_t, 3> most_lines{100, 250, 50};

PageImagePair::Layer layer_of(const Configuration& configuration, const MatchExample& example,
                              const std::vector<JudgedMatch>& matches, double right_within) {
  const auto kind_of = [=](const JudgedMatch& match) {
    if (std::isnan(match.error)) return PageLine::Kind::unknown;
    return match.error <= right_within ? PageLine::Kind::right : PageLine::Kind::wrong;
  };
  std::array<std::vector<const JudgedMatch*>, 3> by_kind;
  for (const JudgedMatch& match : matches) by_kind[static_cast<std::size_t>(kind_of(match))].push_back(&match);
  const double scale_a = static_cast<double>(example.a.width()) / example.size_a.width;
  const double scale_b = static_cast<double>(example.b.width()) / example.size_b.width;
  const auto placed = [](double x, double scale) { return (x + 0.5) * scale - 0.5; };
  PageImagePair::Layer layer;
  std::vector<std::string> drawn;
  for (std::size_t k = 0; k < by_kind.size(); ++k) {
    const std::vector<const JudgedMatch*>& same = by_kind[k];
    const std::size_t count = std::min(same.size(), most_lines[k]);
    constexpr std::array names{"right", "wrong", "unjudged"};
    if (count < same.size()) drawn.push_back(fmt::format("{} of the {} ones", count, names[k]));
    for (std::size_t i = 0; i < count; ++i) {
      const JudgedMatch& m = *same[i * same.size() / count];
      layer.lines.push_back({.kind = kind_of(m),
                             .left_x = placed(m.a.x, scale_a),
                             .left_y = placed(m.a.y, scale_a),
                             .right_x = placed(m.b.x, scale_b),
                             .right_y = placed(m.b.y, scale_b),
                             .hover = std::isnan(m.error) ? "not judged: the truth says nothing about this point"
                                                          : fmt::format("error {:.1f} px", m.error)});
    }
  }
  const std::size_t right = by_kind[0].size(), wrong = by_kind[1].size(), unknown = by_kind[2].size();
  layer.caption = fmt::format("{}: {}, {} right, {} wrong", configuration.name, counted(matches.size(), "match", "es"),
                              right, wrong);
  if (unknown > 0) layer.caption += fmt::format(", {} not judged", unknown);
  if (right + wrong > 0) {
    layer.caption += fmt::format(" (precision {} %)", percent(double(right) / double(right + wrong)));
  }
  if (!drawn.empty()) layer.caption += fmt::format("; {} are drawn", fmt::join(drawn, " and "));
  return layer;
}

}  // namespace

PageImagePair image_pair_of(const MatchExample& example, std::span<const Configuration> configurations,
                            double right_within) {
  PageImagePair pair;
  pair.left = io::page_image(example.a.view(), "");
  pair.right = io::page_image(example.b.view(), "");
  for (std::size_t c = 0; c < example.matches.size(); ++c) {
    pair.layers.push_back(layer_of(configurations[c], example, example.matches[c], right_within));
  }
  return pair;
}

}  // namespace octavo::evaluation
