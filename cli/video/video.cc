// octavo video: what is done with video files. Each of its commands has its own file.

#include "cli/video/video.h"

#include "cli/command.h"

namespace octavo::cli {

void add_video(Command& program, int& exit_code) {
  Command& video = add_command(program, "video", video_txt);
  require_command_below(video, "job");
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
