#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/evaluate/setting.h"
#include "octavo/device.h"
#include "octavo/evaluate.h"
#include "octavo/extractor.h"
#include "octavo/image.h"
#include "octavo/matcher.h"

namespace octavo::cli {

/// A setting at work.
class Contender {
 public:
  Contender(const Setting& setting, const DeviceOptions& device);

  /// The features of an image; `name` is its path below the data set's root. Throws Error.
  Features features(const Image& image, const std::filesystem::path& name);

  /// What its matches are worth.
  PairScores score(const Features& a, const Features& b, const Truth& truth, ImageSize size_a, ImageSize size_b,
                   const RobustOptions& robust);

  [[nodiscard]] const Setting& setting() const { return setting_; }

  /// A sentence about images in which it found less than the budget; empty if there are none.
  [[nodiscard]] std::string shortage() const;

 private:
  Features read_features(const Image& image, const std::filesystem::path& name) const;

  Setting setting_;
  std::optional<Extractor> extractor_;
  Matcher mutual_, matcher_;
  std::size_t images_ = 0, short_images_ = 0, fewest_ = 0;
  std::string fewest_of_;
};

}  // namespace octavo::cli
