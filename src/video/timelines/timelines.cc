// What the writers of timelines have in common.

#include "video/timelines/timelines.h"

#include <algorithm>
#include <string_view>

namespace octavo::timelines {

PlacedPart placed_part(const ClipFrames& timeline, const Span& at, const ClipFrames& clip, const Span& of_clip) {
  PlacedPart part;
  part.begin = timeline.at(at.in);
  part.length = std::max<std::int64_t>(1, timeline.at(at.out) - part.begin);
  part.media_begin = clip.at(of_clip.in);
  part.media_length = std::max<std::int64_t>(1, clip.at(of_clip.out) - part.media_begin);
  return part;
}

ClipFrames frames_on(const ClipFrames& timeline, const Media& clip) {
  return is_image(clip.facts) ? ClipFrames(timeline.rate(), "") : frames_of(clip.facts);
}

double speed_in_frames(const PlacedPart& part, const ClipFrames& timeline, const ClipFrames& clip) {
  return part.speed * clip.per_second() / timeline.per_second();
}

// All but unreserved characters and slashes are their bytes (RFC 3986).
std::string url_of(const std::filesystem::path& file) {
  constexpr std::string_view digits = "0123456789ABCDEF", marks = "-._~/";
  std::string url = "file://";
  for (const char c : file.string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_letter || marks.find(c) != std::string_view::npos) {
      url += c;
    } else {
      url += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
  }
  return url;
}

std::string as_utf8(const std::string& text) { return parse_json(json_text(Json(text))).string(); }

}  // namespace octavo::timelines
