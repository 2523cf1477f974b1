// Frames at times, of files of all kinds: asked for a time, a reader gives the frame that is shown then. Each frame
// has its number as a picture, so that no container and no decoder tells which one it is.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "video/frames/frames_at.h"
#include "video/frames/video_parts.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

constexpr int numbers_width = 160, numbers_height = 32, bits = 10;
constexpr double made_rate = 25;           // frames a second, before a clip is made
constexpr std::int64_t made_frames = 900;  // frames

// Ten bars, black or white: the number in binary digits.
std::string picture_of(std::int64_t number) {
  std::string row;
  for (int x = 0; x < numbers_width; ++x) row += (number >> x * bits / numbers_width & 1) != 0 ? '\xeb' : '\x10';
  std::string picture;
  for (int y = 0; y < numbers_height; ++y) picture += row;
  return picture;
}

std::int64_t number_of(const ImageView& grey) {
  std::int64_t number = 0;
  for (int bar = 0; bar < bits; ++bar) {
    const int x = (2 * bar + 1) * grey.width / (2 * bits);
    if (std::to_integer<int>(grey.row(grey.height / 2)[x]) >= 128) number |= std::int64_t{1} << bar;
  }
  return number;
}

// How a clip is made of the numbered frames, and which it shows when.
struct ClipForm {
  std::string name, options;
  std::function<bool(std::int64_t)> is_kept = [](std::int64_t) { return true; };
  std::int64_t first = 0;  ///< number of its first frame
};

class ShownFrames : public testing::Test {
 protected:
  void SetUp() override {
    options_.decoder = OCTAVO_DECODE;
    if (std::system("command -v ffmpeg > /dev/null") != 0) GTEST_SKIP() << "lacks ffmpeg, which makes the clips";
    std::ofstream text(folder_ / "numbers.y4m", std::ios::binary);
    text << "YUV4MPEG2 W160 H32 F25:1 Ip Cmono\n";
    for (std::int64_t i = 0; i < made_frames; ++i) text << "FRAME\n" << picture_of(i);
  }

  fs::path encoded(const std::string& from, const std::string& to, const std::string& options) {
    const std::string command =
        "ffmpeg -v error -y -i '" + (folder_ / from).string() + "' " + options + " '" + (folder_ / to).string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return folder_ / to;
  }

  // What is shown `seconds` after the first frame.
  static std::int64_t shown(const ClipForm& form, double seconds) {
    std::int64_t number = form.first + static_cast<std::int64_t>(std::floor(seconds * made_rate + 0.01));
    while (!form.is_kept(number)) --number;
    return number;
  }

  // Early, at a border, in the middle of a frame, and in the last one.
  [[nodiscard]] static std::vector<double> times(const ClipForm& form) {
    const double end = static_cast<double>(made_frames - form.first) / made_rate;
    return {0, 0.98, 1, 9.3, 27.3, end - 0.06, end - 0.04, end - 0.02, end - 0.005};
  }

  std::vector<std::int64_t> read(const fs::path& clip, const std::vector<double>& seconds) {
    std::vector<std::int64_t> numbers;
    std::vector<FrameRequest> requests;
    for (const double t : seconds) {
      requests.push_back(
          {t, [&](const VideoFrame& frame, double) { numbers.push_back(number_of(frame.grey.view())); }});
    }
    read_frames_at(clip, std::move(requests), options_);
    return numbers;
  }

  void check(const ClipForm& form, const fs::path& clip) {
    const std::vector<double> wanted = times(form);
    std::vector<std::int64_t> expected;
    for (const double t : wanted) expected.push_back(shown(form, t));
    EXPECT_EQ(read(clip, wanted), expected) << "all at once";
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_EQ(read(clip, {wanted[i]}), std::vector{expected[i]}) << wanted[i] << " s alone";
      EXPECT_EQ(in_part(clip, wanted[i]), expected[i]) << wanted[i] << " s as a part";
    }
  }

  void check_forms(const std::vector<ClipForm>& forms) {
    for (const ClipForm& form : forms) {
      SCOPED_TRACE(form.name);
      check(form, encoded("numbers.y4m", form.name, form.options));
    }
  }

  // The frame that is shown when a part begins which has no length.
  std::int64_t in_part(const fs::path& clip, double seconds) {
    video::VideoParts video(clip, options_, {{1, 1.2}, {seconds, seconds}});
    std::optional<double> first;
    std::int64_t number = -1;
    while (const std::optional<VideoFrame> frame = video.next()) {
      if (!first) first = frame->seconds;
      if (frame->seconds - *first <= seconds + 1e-4) number = number_of(frame->grey.view());
    }
    return number;
  }

  const TestFolder folder_;
  VideoOptions options_{.engine = VideoEngine::cpu};
};

constexpr auto h264 = "-c:v libx264 -preset veryfast -crf 20 -bf 3 -g 250 -pix_fmt yuv420p";

// Frames of uneven times, by their numbers, and FFmpeg's option for them.
bool is_uneven(std::int64_t n) { return n % 7 > 2 || n % 50 == 0; }
constexpr auto vary = " -vf select='gt(mod(n\\,7)\\,2)+not(mod(n\\,50))' -vsync vfr";

TEST_F(ShownFrames, AreThoseOfTheTimeInEachKindOfFile) {
  check_forms({{"a.mp4", h264},
               {"open.mp4", std::string(h264) + " -g 50 -x264-params open-gop=1:scenecut=0"},
               {"uneven.mkv", std::string(h264) + vary + " -g 50", is_uneven},
               {"a.ts", std::string(h264) + " -g 50"},
               {"a.avi", "-c:v mpeg4 -q:v 3 -g 50"}});
}

// Slow: x265 and libvpx encode, and key frames lie otherwise in files as those above.
TEST_F(ShownFrames, AreThoseOfTheTimeInMoreKindsOfFile) {
  check_forms({{"often.mp4", std::string(h264) + " -g 25"},
               {"one.mp4", std::string(h264) + " -g 2000 -keyint_min 2000 -x264-params scenecut=0"},
               {"later.mkv", std::string(h264) + " -g 50 -output_ts_offset 7"},
               {"uneven.mp4", std::string(h264) + vary, is_uneven},
               {"a.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 100 -pix_fmt yuv420p"},
               {"hevc.mp4", "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=50 -pix_fmt yuv420p"},
               {"slow.mp4", std::string(h264) + " -g 6 -vf select='not(mod(n\\,25))' -r 1",
                [](std::int64_t n) { return n % 25 == 0; }}});
}

// A clip that is cut without encoding: its list of edits begins within a group of frames.
TEST_F(ShownFrames, AreThoseOfTheTimeInAFileWithAnEditList) {
  encoded("numbers.y4m", "all.mp4", std::string(h264) + " -g 50");
  const ClipForm form{.name = "cut.mp4", .options = {}, .first = 63};
  const std::string command = "ffmpeg -v error -y -ss 2.52 -i '" + (folder_ / "all.mp4").string() + "' -c copy '" +
                              (folder_ / form.name).string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  check(form, folder_ / form.name);
}

}  // namespace
}  // namespace octavo
