#pragma once

// The commands below `octavo video`.

namespace octavo::cli {

class Command;

void add_video_affinity(Command& video, int& exit_code);
void add_video_compare(Command& video, int& exit_code);
void add_video_frames(Command& video, int& exit_code);
void add_video_keypoints(Command& video, int& exit_code);
void add_video_index(Command& video, int& exit_code);
void add_video_duplicates(Command& video, int& exit_code);
void add_video_verdict(Command& video);
void add_video_report(Command& video, int& exit_code);
void add_video_review(Command& video, int& exit_code);
void add_video_search(Command& video, int& exit_code);
void add_video_places(Command& video, int& exit_code);
void add_video_takes(Command& video, int& exit_code);
void add_video_list(Command& video);
void add_video_forget(Command& video, int& exit_code);

}  // namespace octavo::cli
