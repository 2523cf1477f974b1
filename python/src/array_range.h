// Which values of an array become 0 and full scale: the range of images from files (octavo/image_view.h), so that an
// array gives the features of the file that holds it.

#pragma once

#include <optional>
#include <string>

#include "octavo/image_view.h"

namespace octavo::python {

class ArrayRange {
 public:
  /// `word` is "image" or "full"; `black` and `white`, unless both are 0, are the range in its place. Throws
  /// Error(invalid_option).
  ArrayRange(const std::string& word, double black, double white);

  [[nodiscard]] bool is_full() const { return is_full_; }
  /// The values that become 0 and full scale; none: the samples stay as they are. `mask` may be null. Throws
  /// Error(invalid_argument) for floats of which none counts.
  [[nodiscard]] std::optional<ValueRange> scale_of(const ImageView& view, const ImageView* mask) const;
  /// The image, or its copy with the mapped samples, which `mapped` keeps. Throws what scale_of throws.
  ImageView fit(const ImageView& view, const ImageView* mask, Image& mapped) const;

 private:
  bool is_full_;
  std::optional<ValueRange> given_;
};

/// A copy of the pixels, packed.
Image copy_of(const ImageView& view);

}  // namespace octavo::python
