#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"

// The most similar pictures of each picture of a collection, by the products of their VLADs. The search is exact.

namespace OCTAVO_API octavo {

/// A picture that is similar to another one.
struct SimilarPicture {
  std::size_t picture = 0;   ///< its index in the collection
  std::int64_t product = 0;  ///< vlad_product of both
  friend bool operator==(const SimilarPicture&, const SimilarPicture&) = default;
};

/// For each picture the `count` most similar other ones, by descending product, those of equal products by index.
/// `vlads` are of VladEncoder::encode with one vocabulary. A picture whose VLAD is empty or zero, since it has no
/// features, has no similar pictures and is similar to none. The result is the same for any number of threads; of
/// `device` only `threads` and `progress` count. The work grows with the square of the number of pictures. Throws
/// Error(invalid_argument) for VLADs of different lengths and for a vector that is longer than a VLAD, and
/// Error(out_of_memory).
std::vector<std::vector<SimilarPicture>> most_similar_pictures(std::span<const std::vector<std::int16_t>> vlads,
                                                               std::size_t count, const DeviceOptions& device = {});

}  // namespace octavo
