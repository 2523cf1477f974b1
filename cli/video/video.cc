// octavo video: what is done with video files. Each of its commands has its own file.

#include "cli/command.h"

namespace octavo::cli {

void define_video(Command& command) {
  require_command_below(command, "job");
  command.add_command("frames", video_frames_txt, define_video_frames);
  command.add_command("compare", video_compare_txt, define_video_compare);
  command.add_command("affinity", video_affinity_txt, define_video_affinity);
  command.add_command("keypoints", video_keypoints_txt, define_video_keypoints);
  command.add_command("index", video_index_txt, define_video_index);
  command.add_command("search", video_search_txt, define_video_search);
  command.add_command("duplicates", video_duplicates_txt, define_video_duplicates);
  command.add_command("takes", video_takes_txt, define_video_takes);
  command.add_command("places", video_places_txt, define_video_places);
  command.add_command("verdict", video_verdict_txt, define_video_verdict);
  command.add_command("report", video_report_txt, define_video_report);
  command.add_command("review", video_review_txt, define_video_review);
  command.add_command("list", video_list_txt, define_video_list);
  command.add_command("forget", video_forget_txt, define_video_forget);
}

}  // namespace octavo::cli
