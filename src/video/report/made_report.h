// Made reports, for tests.

#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "octavo/video/video_report.h"

namespace octavo {

/// A clip with this file, of 25 frames a second.
inline ReportClip made_report_clip(const std::string& file, double seconds, int width = 640,
                                   std::uint64_t size = 1000) {
  ReportClip clip;
  clip.clip.id = 1;
  clip.clip.content = "content of " + file;
  clip.clip.size = size;
  clip.clip.files = {file};
  clip.clip.facts = {.container = "avi",
                     .codec = "mpeg4",
                     .width = width,
                     .height = width / 2,
                     .frame_rate = {25, 1},
                     .seconds = seconds,
                     .frames = static_cast<std::int64_t>(25 * seconds),
                     .warnings = {},
                     .decoder = "mpeg4"};
  clip.readable = file;
  return clip;
}

inline CopySegment made_segment(double query_in, double query_out, double other_in, double other_out) {
  return {.query_in = query_in,
          .query_out = query_out,
          .other_in = other_in,
          .other_out = other_out,
          .speed = (other_out - other_in) / (query_out - query_in),
          .frames = 12,
          .inliers = 345,
          .score = 50,
          .ends_within = 0.02,
          .exact_ends = true};
}

inline ReportPair made_pair(std::size_t a, std::size_t b, std::vector<CopySegment> segments, double a_coverage = 1,
                            double b_coverage = 1) {
  return {.a = a,
          .b = b,
          .segments = std::move(segments),
          .a_coverage = a_coverage,
          .b_coverage = b_coverage,
          .score = 50,
          .verdict = {}};
}

}  // namespace octavo
