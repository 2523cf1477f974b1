// octavo video: what is done with video files. Each of its commands has its own file.

#include "cli/command.h"

namespace octavo::cli {

void define_video(Command& command) {
  command.add_commands(
      "job",
      {video_frames_command, video_compare_command, video_affinity_command, video_keypoints_command,
       video_index_command, video_search_command, video_duplicates_command, video_takes_command, video_places_command,
       video_verdict_command, video_report_command, video_review_command, video_list_command, video_forget_command});
}

}  // namespace octavo::cli
