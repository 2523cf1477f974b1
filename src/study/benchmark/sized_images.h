#pragma once

#include <string>
#include <vector>

#include "octavo/image.h"
#include "octavo/progress.h"
#include "study/benchmark/work_benchmarks.h"

namespace octavo {

struct SizedImage {
  std::string name;  ///< its file
  Image image;

  /// "photo.jpg at 640x480".
  [[nodiscard]] std::string subject() const;
};

/// The images of an input: a list for each of its sizes, or one list in their own sizes.
std::vector<std::vector<SizedImage>> images_by_size(const BenchmarkInput& input, const ProgressSink& progress);

}  // namespace octavo
