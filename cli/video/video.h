#pragma once

// The commands below `octavo video`.

#include <CLI/App.hpp>

namespace octavo::cli {

void add_video_affinity(CLI::App& video);
void add_video_compare(CLI::App& video);
void add_video_frames(CLI::App& video, int& exit_code);
void add_video_keypoints(CLI::App& video, int& exit_code);
void add_video_index(CLI::App& video, int& exit_code);
void add_video_duplicates(CLI::App& video, int& exit_code);
void add_video_verdict(CLI::App& video);
void add_video_report(CLI::App& video, int& exit_code);
void add_video_search(CLI::App& video, int& exit_code);
void add_video_takes(CLI::App& video, int& exit_code);
void add_video_list(CLI::App& video);
void add_video_forget(CLI::App& video, int& exit_code);

}  // namespace octavo::cli
