#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "octavo/api.h"

// What is known of a video beside its frames. octavo/video/video.h reads it.

namespace OCTAVO_API octavo {

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
