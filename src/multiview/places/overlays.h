#pragma once

// What is laid over images says nothing of the place: a station's logo, subtitles, a banner, a date. Two frames share
// it at the same place of both, whatever else they show.

#include <span>
#include <vector>

#include "octavo/image_view.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"

namespace octavo::places {

/// A frame of a clip, or an image, that is matched. What it names must outlive it.
struct SeenFrame {
  const Features& features;
  ImageSize size;  ///< [pixel]
};

/// The matches without those of overlays, in their order: those of keypoints that stay (staying.h), and of what lies
/// between them.
std::vector<Match> without_overlays(const SeenFrame& a, const SeenFrame& b, const std::vector<Match>& matches);

/// Takes the keypoints of overlays out of the frames of a clip, which are given in the order of time and show something
/// else each: those that stay in the frame before or after, and what lies between them.
void take_out_overlays(std::span<Features* const> frames, ImageSize size);

}  // namespace octavo::places
