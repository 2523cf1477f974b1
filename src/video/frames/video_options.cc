// The table of the options of video, and the endings of the names of videos.

#include <algorithm>
#include <array>
#include <system_error>

#include "engine/core/option_rows.h"
#include "engine/core/range_option.h"
#include "io/files/ending.h"
#include "octavo/video/video_file.h"
#include "video/frames/sampling_facts.h"

namespace octavo {

template <>
const OptionTable<VideoOptions>& option_table<VideoOptions>() {
  constexpr std::string_view group = "Video options";
  static constexpr std::array<std::string_view, 3> engines{"auto", "cpu", "nvdec"};
  static const OptionTable<VideoOptions> table{
      .name = "video",
      .title = "Video",
      .options =
          {
              option<&VideoOptions::every>(video::every_facts(group)),
              option<&VideoOptions::fps>(video::fps_facts(group)),
              option<&VideoOptions::size>({.name = "size",
                                           .group = group,
                                           .sentence = "Reduce larger frames to this longest side. 0: no limit.",
                                           .symbol = "L",
                                           .unit = "pixel",
                                           .low = 0,
                                           .high = 65535}),
              option<&VideoOptions::engine>({.name = "engine",
                                             .group = group,
                                             .sentence =
                                                 "Decode on the CPU or by the video engine of an NVIDIA GPU. "
                                                 "auto: nvdec where the work is done on a CUDA device and the codec "
                                                 "is exact (H.264, HEVC, VP9, AV1).",
                                             .symbol = "E",
                                             .words = engines}),
              option<&VideoOptions::fast>({.name = "fast",
                                           .group = group,
                                           .sentence =
                                               "Decode faster, less exactly: without the loop filter and without "
                                               "the frames that no other frame is made of (B-frames)."}),
              option<&VideoOptions::stored_luma>({.name = "stored_luma",
                                                  .group = group,
                                                  .sentence =
                                                      "Keep the luma values of the file, 16 to 235 in most files, "
                                                      "instead of stretching them to 0 to 255."}),
              option<&VideoOptions::weave>({.name = "weave",
                                            .group = group,
                                            .sentence =
                                                "Show both fields of interlaced frames, instead of the field that "
                                                "comes first."}),
              option<&VideoOptions::patience>({.name = "patience",
                                               .group = group,
                                               .sentence = "End the decoder after this time without progress.",
                                               .symbol = "S",
                                               .unit = "second",
                                               .low = 0.1,
                                               .high = 86400}),
              option<&VideoOptions::max_pixels>({.name = "max_pixels",
                                                 .group = group,
                                                 .sentence =
                                                     "Refuse frames of more than N pixels, before memory is taken "
                                                     "for them.",
                                                 .symbol = "N",
                                                 .low = 1,
                                                 .high = 1 << 30}),
              option<&VideoOptions::range>(
                  range_facts(group,
                              "The values of samples of more than 8 bits that become black and "
                              "white: of grey and RGB those that the clip uses, by some of its "
                              "frames, or those that the format defines (full).")),
              option<&VideoOptions::black>(
                  black_facts(group,
                              "The value of samples of more than 8 bits that becomes black, in place of `range`; with "
                              "`white`.")),
              option<&VideoOptions::white>(white_facts(group)),
          },
      .check_together = check_range<VideoOptions>};
  return table;
}

void validate(const VideoOptions& options) { option_table<VideoOptions>().validate(options); }

bool is_live(const std::filesystem::path& file) {
  std::error_code unknown;
  return std::filesystem::is_character_file(file, unknown);
}

bool looks_like_video(const std::filesystem::path& file) {
  static constexpr std::array<std::string_view, 26> endings = {
      ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".m2v", ".ts",   ".m2ts", ".mts", ".vob",
      ".wmv", ".asf", ".flv", ".3gp", ".3g2",  ".ogv", ".mxf", ".dv",   ".y4m", ".h264", ".264",  ".265", ".hevc"};
  const std::string ending = io::ending_of(file);
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

}  // namespace octavo
