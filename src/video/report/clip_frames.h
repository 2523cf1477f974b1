#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/json/json.h"
#include "octavo/video/video_archive.h"
#include "video/frames/time_code.h"

namespace octavo::video_report {

/// The frames of a clip, counted at the rate of its file, and their time codes.
class ClipFrames {
 public:
  explicit ClipFrames(const ArchivedClip& clip);

  /// [1/second] counting_rate.
  [[nodiscard]] double rate() const { return rate_; }
  /// The frame at a time from the first one on.
  [[nodiscard]] std::int64_t at(double seconds) const;
  /// The number of the first frame by the time code of the file; 0 without one.
  [[nodiscard]] std::int64_t first() const { return code_ ? code_->first() : 0; }
  /// The time code of the frame at that time; without one in the file counted from 00:00:00:00. Empty: the rate is not
  /// known.
  [[nodiscard]] std::string label(double seconds) const;

 private:
  double rate_;
  std::optional<TimeCode> code_;
};

/// Puts the frames and the time codes of a segment's ends into its JSON: "in_frame_a", "in_time_code_a" and so on, null
/// where the rate of the clip is not known.
void add_frames(Json& json, const std::string& side, const ArchivedClip& clip, double in, double out);

}  // namespace octavo::video_report
