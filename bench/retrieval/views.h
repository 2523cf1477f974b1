#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "octavo/image_view.h"
#include "octavo/io/image_files.h"

namespace octavo::bench {

/// A change of a photograph, by the name and strength of study/evaluate/distortion.h; or "crop", whose strength is the
/// part of each side that stays.
struct ViewChange {
  std::string name;
  double strength = 0;
};

/// The changes that a vocabulary is trained with, beside the photograph itself.
const std::vector<ViewChange>& training_changes();

/// The changes by which retrieval is measured. Their strengths are others than those of the training.
const std::vector<ViewChange>& report_changes();

/// A photograph of which the longer side has `side` pixels, or its own size if it is smaller.
Image read_photograph(const std::filesystem::path& file, int side);

/// The photograph, changed.
Image view_of(const ImageView& photograph, const ViewChange& change);

}  // namespace octavo::bench
