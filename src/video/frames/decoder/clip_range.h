#pragma once

// What becomes black and white in a clip whose samples have more than 8 bits. Sensors give 10 or 12 bits in 16, and
// thermal cameras counts around some thousand: taken as 16 bits, such frames are black or flat. All frames of a clip
// have one range, or its brightness would flicker. It comes from frames at equal distances, found by leaps in the file,
// so that it does not depend on which parts of the clip are asked for, nor on how long the clip is.

extern "C" {
#include <libavutil/frame.h>
}

#include <optional>

#include "octavo/image_view.h"
#include "octavo/video/video_file.h"
#include "video/frames/decoder/message_output.h"
#include "video/frames/decoder/stream.h"

namespace octavo::video {

/// The samples that become black and white by VideoOptions::range, black and white; none where the format defines them.
/// `first` is the first frame of `stream`, which stays where it is: a file is opened once more.
std::optional<ValueRange> range_of_clip(const VideoOptions& options, MessageOutput& output, const Stream& stream,
                                        const AVFrame& first);

}  // namespace octavo::video
