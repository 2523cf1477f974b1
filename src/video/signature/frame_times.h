// When the frames of a signature are shown.

#pragma once

#include <cstdint>

#include "octavo/video/clip_signature.h"
#include "octavo/video/video_file.h"

namespace octavo {

/// [second] No frame of a signature stands for longer. Older files have frames that do.
constexpr double longest_stand = 3600;

/// [second] The distance of the frames that were looked at: ClipSignature::step, or the median of the times for which
/// frames stand.
double usual_step(const ClipSignature& clip);

/// [second] The distance of the frames that these options take of a clip of this frame rate.
double step_of(const SignatureOptions& options, const Ratio& frame_rate);

/// The frame that is shown at this time: the last one that does not begin later; the first one before the clip.
std::int32_t frame_at(const ClipSignature& clip, double seconds);

}  // namespace octavo
