// Parts of clips, placed on timelines in frames: what OpenTimelineIO, EDLs and FCPXML are written from.

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "io/json/json.h"
#include "octavo/video/video_archive.h"
#include "video/timelines/clip_frames.h"

namespace OCTAVO_INTERNAL_API octavo {
namespace timelines {

/// A clip that has parts on timelines, or an image, which stands for as long as each part of it.
struct Media {
  std::filesystem::path file;  ///< absolute
  ClipFacts facts;
  Json metadata = Json::object();
};

/// A time of a clip or of a timeline. [second] from its first frame
struct Span {
  double in = 0, out = 0;
};

/// A part of a clip on a track. Its lengths are one frame or more; they are whole frames, and may differ by a frame
/// from what the speed says.
struct PlacedPart {
  std::size_t media = 0;                           ///< index into Timelines::media
  std::int64_t begin = 0, length = 1;              ///< [frame of the timeline] from its first frame
  std::int64_t media_begin = 0, media_length = 1;  ///< [frame of the clip] from its first frame
  double speed = 1;    ///< seconds of the clip for a second of the timeline; below 0: the part is played from its end
  std::string note{};  ///< what people should know of it
  Json metadata = Json::object();

  [[nodiscard]] std::int64_t end() const { return begin + length; }
};

/// Parts that do not overlap, in the order of time.
struct PlacedTrack {
  std::string name;
  std::vector<PlacedPart> parts;
};

struct Sequence {
  std::string name;
  ClipFrames frames;        ///< of the timeline
  std::size_t media = 0;    ///< the clip whose size its images have
  bool has_clip = false;    ///< the first track is that clip as a whole, beside which the others are
  std::int64_t length = 1;  ///< [frame]
  std::vector<PlacedTrack> tracks;
  Json metadata = Json::object();
};

struct Timelines {
  std::string name;
  std::vector<Media> media;
  std::vector<Sequence> sequences;
  Json metadata = Json::object();
};

/// The part of a clip that is placed at `at` on a timeline.
PlacedPart placed_part(const ClipFrames& timeline, const Span& at, const ClipFrames& clip, const Span& of_clip);

/// The frames of a clip that is placed on a timeline. An image has those of the timeline, from 00:00:00:00 on.
ClipFrames frames_on(const ClipFrames& timeline, const Media& clip);

/// PlacedPart::speed in frames: those of the clip for a frame of the timeline.
double speed_in_frames(const PlacedPart& part, const ClipFrames& timeline, const ClipFrames& clip);

/// RFC 8089: a file as a URL.
std::string url_of(const std::filesystem::path& file);

/// The text as UTF-8. Bytes that are none become U+FFFD.
std::string as_utf8(const std::string& text);

/// OpenTimelineIO: one sequence follows the other, each as a stack of its tracks.
std::string otio_of(const Timelines& timelines);

/// FCPXML: an event with a project for each sequence.
std::string fcpxml_of(const Timelines& timelines);

/// An edit decision list (CMX 3600).
struct EditList {
  std::string file;  ///< its name, "NAME.edl": no two are the same
  std::string text;
};

struct EditLists {
  std::vector<EditList> lists;
  std::vector<std::string> left_out;  ///< sentences on parts that no list has, and why
};

/// Lists of the sequences without the tracks of their own clips. A list has one track and at most 999 parts, so parts
/// that overlap and further parts have further lists. Frames of a list are counted at one rate: what is counted at
/// another one is left out.
EditLists edit_lists_of(const Timelines& timelines);

}  // namespace timelines
}  // namespace octavo
