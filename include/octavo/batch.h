#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/extractor.h"
#include "octavo/image.h"
#include "octavo/keypoint.h"

namespace OCTAVO_API octavo {

/// An image of a batch in memory, with its mask.
struct LoadedImage {
  Image image;
  std::shared_ptr<const Image> mask{};  ///< as Extractor::extract takes it; null: none; several images may share one
};

/// An image that a batch has still to load.
struct BatchImage {
  std::string name;  ///< for people: what errors call the image, for example its file
  /// Makes the image, on a thread of the batch, beside the loading of other images. It is called again where memory ran
  /// short. What it throws is the failure of this image alone.
  std::function<LoadedImage()> load;
};

/// Gives the images of a batch one after the other, and none after the last. It is called on the thread that calls
/// Batch::next, a few images ahead of their results.
using BatchSource = std::function<std::optional<BatchImage>()>;

/// What became of one image of a batch.
struct BatchResult {
  std::size_t index = 0;         ///< of the image, from 0 in the order of the batch
  Image image{};                 ///< as it was loaded; empty if loading failed
  Features features{};           ///< those of Extractor::extract; none if it failed
  double load_milliseconds = 0;  ///< wall time of BatchImage::load
  double extract_milliseconds =
      0;  ///< wall time from submission to result, which contains waiting for images before it
  /// Why there are no features: a sentence for people, in which the name of the image occurs. Empty: it worked.
  std::string problem{};
  std::exception_ptr failure{};  ///< the same as it was thrown; null: it worked
};

/// How a `Batch` loads and extracts.
struct BatchOptions {
  int in_flight = 0;        ///< images submitted at a time, 0…1000; 0: Extractor::best_in_flight()
  int loads_at_a_time = 0;  ///< 0…1000; 0: as many as are in flight, and at most one for each processor
  std::stop_token stop{};   ///< once stop is requested the batch ends
};

/// Extracts the features of many images: loads the next ones, on threads of its own, while the device works on those
/// before, and keeps several in flight. Results come in the order of the images, one at each call of `next`. A failure
/// (of any type, std::bad_alloc too) concerns one image, the others are done. An image for which memory does not
/// suffice is done again while no other image is in memory. In memory are otherwise at most the images in flight and
/// those being loaded. To cancel, stop calling `next`, or request a stop from any thread.
class Batch {
 public:
  /// `extractor` must outlive the batch, which alone uses it meanwhile. Nothing is loaded before the first `next`.
  /// Throws Error(invalid_option).
  Batch(Extractor& extractor, BatchSource images, const BatchOptions& options = {});
  Batch(Extractor& extractor, std::vector<BatchImage> images, const BatchOptions& options = {});
  /// Waits for the loading that is under way and abandons what is in flight. The extractor can be used again.
  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  /// Waits for the next result. None after the last image, or once a stop is requested. What the source throws is
  /// thrown after the results of the images before.
  std::optional<BatchResult> next();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace octavo
