#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "octavo/api.h"
#include "octavo/io/image_formats.h"
#include "octavo/option_table.h"

// Files of videos: how they are decoded and encoded, and what is known of them. octavo/video/video.h reads the frames.

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
  /// of the first frame of a pipe; octavo/image_view.h); of others, and `full`: those that the format defines.
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

// What is known of a video beside its frames.

/// A fraction. The denominator is positive.
struct Ratio {
  std::int64_t numerator = 0, denominator = 1;
  bool operator==(const Ratio&) const = default;
};

/// What a video file says of its video stream. Of several streams the default one is taken, of several of those the
/// largest. Cover images and thumbnails are no video.
struct VideoFacts {
  std::string container;              ///< FFmpeg's name, e.g. "mov,mp4,m4a,3gp,3g2,mj2"
  std::string codec;                  ///< FFmpeg's name, e.g. "h264"
  std::string decoder;                ///< FFmpeg's, and its version: "h264 (libavcodec 59.37.100)", or "h264 (NVDEC)"
  std::string pixel_format;           ///< FFmpeg's name, e.g. "yuv420p"; empty if only the frames tell it
  int width = 0;                      ///< [pixel] as stored
  int height = 0;                     ///< [pixel] as stored
  Ratio pixel_aspect{1, 1};           ///< width by height of a stored pixel
  int rotation = 0;                   ///< [degree] clockwise, from the stored to the shown image: 0, 90, 180, 270
  bool mirrored = false;              ///< the stored image is mirrored, left to right, before it is turned
  std::string matrix;                 ///< FFmpeg's name of the colour matrix, e.g. "bt709", "smpte170m"; "gbr" for RGB
  bool matrix_assumed = false;        ///< the file does not say it: bt709 from 1280×577 on, smpte170m below
  bool limited_range = false;         ///< luma is stored from 16 to 235
  double black = 0, white = 0;        ///< values of samples that become black and white; both 0: as the format says
  Ratio time_base{1, 1};              ///< [second] a tick
  std::optional<std::int64_t> start;  ///< [tick] when the stream begins, by the file
  Ratio frame_rate{0, 1};             ///< [1/second] by the file; 0: unknown
  std::int64_t declared_frames = 0;   ///< the number of frames by the file; 0: unknown
  double declared_seconds = 0;        ///< [second] the duration by the file; 0: unknown
  /// The time code of the first frame by the file, "01:00:00:00"; with ';' before the frames of one that drops labels.
  /// Empty: the file has none.
  std::string time_code{};

  bool operator==(const VideoFacts&) const = default;
};

/// Whether a file is one image, such as a photograph, which is read as a video of one frame without a time: its length
/// is 0. A file that begins as those of read_image do is one, but a GIF, .mjpg and .apng.
bool is_image(const VideoFacts& facts);

/// Why a frame is junk.
enum class Junk : std::uint8_t {
  none,
  black,  ///< at least 98 % of its pixels are dark, at most 25 above black (FFmpeg's blackdetect: a tenth of the range)
  flat,   ///< 98 % of its pixels lie within 16 grey levels
  /// Bright text on a plain dark ground and nothing else: titles and credits. 70 % of the pixels lie within 16 dark
  /// levels. All but 0.2 % of the others are within 3 pixels of letters: eight or more groups of pixels that are far
  /// brighter, of like height and brightness, side by side in lines.
  title,
  bars,  ///< the colour bars of SMPTE or the EBU
};

/// "none", "black", "flat", "title" or "bars".
std::string_view name_of(Junk junk);

/// Something that a user should know of a video, but that does not stop the work.
struct VideoWarning {
  /// For programs: "damaged" (packets that cannot be decoded), "truncated" (the file ends too early), "size" (the size
  /// changes), "time" (times go back, or are missing), "aspect" (the shape of pixels is not believed), "rotation" (an
  /// angle between the quarter turns), "matrix" (an unknown colour matrix; the colours are those of bt709), "range"
  /// (values of a frame are beyond those that the clip uses by VideoOptions::range, and are cut off).
  std::string name;
  std::string sentence;  ///< for people; does not name the file
  bool operator==(const VideoWarning&) const = default;
};

/// Whether this is a device, such as a camera, whose frames come at their own time.
bool is_live(const std::filesystem::path& file);

/// Whether a file's name ends, in letters of either case, as those of videos: .mp4, .mov, .mkv, .avi, .webm, .mpg, …
/// The file is not looked at.
bool looks_like_video(const std::filesystem::path& file);

}  // namespace octavo
