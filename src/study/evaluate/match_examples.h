#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/image.h"
#include "octavo/multiview/geometry.h"
#include "study/evaluate/comparison.h"

// Some pairs of a comparison with their matches, to look at.

namespace OCTAVO_INTERNAL_API octavo {

struct JudgedMatch {
  Point a, b;        ///< [pixel of the images in full size]
  double error = 0;  ///< [pixel of B] infinite for a point that the truth maps to infinity; NaN: the truth does not say
};

/// A pair of a comparison, with the matches of every pipeline.
struct MatchExample {
  std::size_t pair = 0;                           ///< index into Comparison::pairs
  std::size_t rank = 0;                           ///< its place in the order by precision; 0 is the best
  std::size_t ranked = 0;                         ///< the number of pairs in that order
  Image a, b;                                     ///< u8, RGB, reduced
  ImageSize size_a, size_b;                       ///< of the images in full size
  std::vector<std::vector<JudgedMatch>> matches;  ///< of each pipeline
};

/// An example without matches, of images that are reduced to `longest_side` [pixel].
MatchExample example_of_images(const Image& a, const Image& b, int longest_side);

/// Which examples are made, and how.
struct ExampleMaker {
  /// Called before each pair: how many of how many are done, and which is next.
  std::function<void(std::size_t done, std::size_t total, std::size_t pair)> begin;
  std::function<MatchExample(std::size_t pair)> make;
};

/// Of pairs in an order those at equal steps from the first to the last, at most `count`; of one, the middle. A pair
/// whose images cannot be read any more is left out. What `begin` throws is thrown.
std::vector<MatchExample> spread_examples(std::span<const std::size_t> order, std::size_t count,
                                          const ExampleMaker& maker);

struct ExampleOptions {
  std::size_t examples = 3;
  int longest_side = 640;       ///< [pixel] larger images are reduced to this
  bool covisible_only = false;  ///< as in the comparison
  /// Called before each pair: how many of how many pairs are done, and the second image of the next one.
  std::function<void(std::size_t done, std::size_t total, const ImageName& next)> progress{};
};

/// Pairs of the whole range of precision: pairs with matches are ordered by their precision at 3 pixels, the mean over
/// the pipelines, and of these `examples` are taken at equal steps. Three are the best, the median and the worst pair.
/// One is the median. Finds and matches the features of these pairs again. A pair whose images cannot be read any more
/// is left out. Throws Error(invalid_argument) if the pipelines are not those of the comparison.
std::vector<MatchExample> match_examples(const Comparison& comparison, std::span<const KnownScene> scenes,
                                         std::span<Pipeline> pipelines, const ExampleOptions& options = {});

}  // namespace octavo
