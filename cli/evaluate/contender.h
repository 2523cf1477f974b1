#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
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

/// What an image is called.
struct ImageName {
  std::filesystem::path path;  ///< below the data set's root
  std::string told;            ///< for people: the file that they can open, in quotes, and what was made of it
};

/// A setting at work.
class Contender {
 public:
  Contender(const Setting& setting, const DeviceOptions& device);

  /// The features of an image, of those whose nearest pixel is not 0 in the mask, if there is one, as many as the
  /// budget allows. Throws Error.
  Features features(const Image& image, const std::optional<Image>& mask, const ImageName& name);

  /// What its keypoints and matches are worth. Imported keypoints without descriptors match nothing.
  PairScores score(const Features& a, const Features& b, const Truth& truth, ImageSize size_a, ImageSize size_b,
                   const RobustOptions& robust);

  [[nodiscard]] const Setting& setting() const { return setting_; }

  /// A sentence, naming the setting, about images in which it found less than the budget; empty if there are none.
  [[nodiscard]] std::string shortage() const;

 private:
  Features read_features(const Image& image, const std::optional<Image>& mask, const ImageName& name) const;

  Setting setting_;
  std::optional<Extractor> extractor_;
  Matcher mutual_, matcher_;
  std::map<std::string, std::size_t> found_;  ///< the fewest features of an image, as it is told
};

}  // namespace octavo::cli
