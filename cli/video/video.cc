// octavo video: what is done with video files. Each of its commands has its own file.

#include "cli/video/video.h"

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/wrong_call.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(frames and keypoints of videos, and where clips are found again

Reads videos with FFmpeg's libraries. Each command has its own manual.)";

constexpr auto footer = R"(Examples:
  octavo video frames clip.mp4 -o frames
  octavo video frames clip.mp4 --contact-sheet sheet.png
  octavo video keypoints clip.mp4 -o drawn.mp4
  octavo video compare copy.mp4 original.mp4
  octavo video affinity a.mp4 b.mp4 -o affinity.png
  octavo video index /films --index archive
  octavo video search part.mp4 --index archive
  octavo video report --index archive -o report.html
  octavo video review --index archive
  octavo video takes rushes1.mov rushes2.mov -o sheet.jpg
  octavo video places clips/ images/ -o places.html

Exit codes:
  0  done
  1  at least one video failed, see the error stream; the others are processed
  2  the call was wrong)";

}  // namespace

void add_video(Command& program, int& exit_code) {
  Command& video = add_command(program, "video", description, footer);
  video.callback([&video] {
    if (video.chosen() == nullptr) throw WrongCall("no job given (see octavo video --help)");
  });
  add_video_frames(video, exit_code);
  add_video_compare(video, exit_code);
  add_video_affinity(video, exit_code);
  add_video_keypoints(video, exit_code);
  add_video_index(video, exit_code);
  add_video_search(video, exit_code);
  add_video_duplicates(video, exit_code);
  add_video_takes(video, exit_code);
  add_video_places(video, exit_code);
  add_video_verdict(video);
  add_video_report(video, exit_code);
  add_video_review(video, exit_code);
  add_video_list(video);
  add_video_forget(video, exit_code);
}

}  // namespace octavo::cli
