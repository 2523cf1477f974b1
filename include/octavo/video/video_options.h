#pragma once

#include <cstdint>
#include <string>

#include "octavo/api.h"
#include "octavo/io/read_options.h"
#include "octavo/option_table.h"

// How videos are decoded, and how they are encoded. octavo/video/video.h reads them.

namespace OCTAVO_API octavo {

/// What decodes a video. Frames are the same where the codec is exact: H.264, HEVC, VP9, AV1.
enum class VideoEngine {
  automatic,  ///< NVDEC if the work is done on a CUDA device that has it and the codec is exact; the CPU otherwise
  cpu,        ///< FFmpeg's decoders
  nvdec,      ///< the video engine of an NVIDIA GPU, also for MPEG-1, 2 and 4, whose frames may differ from the CPU's
};

/// Which frames of a video are taken, and in which form.
struct VideoOptions {
  /// Take every n-th frame, beginning with the first. 0: by `fps`.
  std::int64_t every = 0;
  /// Frames a second to take: the first frame of each interval of 1/fps seconds, counted from the first frame. An
  /// interval without a frame gives none. Rounded to a thousandth.
  double fps = 2;
  /// [pixel] The longest side of a frame that is larger; smaller frames keep their size. 0: no limit.
  std::int64_t size = 640;
  /// Decode faster, less exactly: FFmpeg's decoders leave out frames that no other frame is made of (skip_frame =
  /// AVDISCARD_NONREF, in most files the B-frames) and the loop filter (skip_loop_filter = AVDISCARD_ALL; H.264, HEVC,
  /// VP8). Frames that are left out are not counted. The same file gives the same frames every time.
  bool fast = false;
  /// Keep the luma values of the file, 16 (black) to 235 (white) in most files. Otherwise they are stretched to 0…255.
  bool stored_luma = false;
  /// Show both fields of an interlaced frame. Otherwise only the field that comes first is taken.
  bool weave = false;
  /// The video comes from a camera through a pipe: begin with the first frame that can be decoded, and do not read some
  /// seconds first to learn the frame rate. Devices are always read so.
  bool live = false;
  /// Times that go back, as in broadcasts that were joined, go on instead: from a step back of a second or more on, all
  /// times are later, so that the frame follows the end of the one before. After a smaller step back, frames have the
  /// latest time so far until theirs are later. Signatures of clips have such times.
  bool ascending = false;
  /// What decodes. NVDEC takes files whose frames are progressive 4:2:0 of 8 to 12 bits with a time each, and gives
  /// grey images. Everything else is decoded on the CPU; VideoFacts::decoder tells why. A file that turns out to be
  /// of this kind later is decoded on the CPU from its beginning, and goes on where it was.
  VideoEngine engine = VideoEngine::automatic;
  /// The CUDA device of NVDEC, "cuda:0". Empty: VideoEngine::automatic takes the CPU, VideoEngine::nvdec "cuda:0".
  std::string gpu{};
  /// Which values of samples of more than 8 bits become black and white, the same for all frames of a clip. `image`: of
  /// grey and RGB of full range, those that the clip uses (full_scale(values_used) of 16 frames at equal distances, or
  /// of the first frame of a pipe; octavo/value_range.h); of others, and `full`: those that the format defines.
  InputRange range = InputRange::image;
  /// Values of such samples, as stored, that become black and white, in place of `range`. Both 0: of `range`.
  double black = 0, white = 0;
  /// Give a colour image of each frame too.
  bool colour = false;
  /// [second] The decoder is ended after this time without progress.
  double patience = 30;
  /// Frames of more pixels, as stored or as shown, are an error, 1 to 2^30.
  std::uint64_t max_pixels = std::uint64_t{1} << 28;
  /// The program `octavo-decode`. Empty: the environment variable OCTAVO_DECODER names it; if this is not set either,
  /// it is in the folder of the running program, in that of the programs beside Octavo's shared library (PREFIX/bin of
  /// PREFIX/lib), in bin of the prefix that Octavo was configured for, or in a folder of PATH.
  std::string decoder{};

  bool operator==(const VideoOptions&) const = default;
};

/// All options but `live`, `ascending`, `gpu`, `colour` and `decoder`.
template <>
const OptionTable<VideoOptions>& option_table<VideoOptions>();

/// Throws Error(invalid_option), which names the option.
void validate(const VideoOptions& options);

/// How a video is encoded.
enum class VideoCodec {
  automatic,  ///< H.264 if FFmpeg has an encoder of it (libx264, libopenh264), otherwise MPEG-4
  h264,
  mpeg4,  ///< MPEG-4 part 2
};

}  // namespace octavo
