// Edit decision lists in the form of CMX 3600: a line for each event with its number, the reel, the track, the kind of
// transition (C: a cut), and four time codes: in and out of the reel, in and out of the record. Outs are the frames
// after the last ones. A line M2 below an event tells its speed, as frames of the reel in a second of the record; below
// 0 the reel is played from its end. Lines that begin with * are for people, and for programs that look for files.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "io/files/one_line.h"
#include "video/timelines/timelines.h"

namespace octavo::timelines {
namespace {

constexpr int most_events = 999;         // their numbers have three digits
constexpr std::int64_t most_rate = 100;  // labels have two digits for frames
constexpr std::size_t reel_length = 8;
constexpr std::size_t longest_name = 200;  // [byte] of 255 that file names may have
constexpr std::size_t longest_title = 70;  // [byte]

std::int64_t counted_rate(const ClipFrames& frames) { return std::llround(frames.per_second()); }

// Text for a line of its own, in UTF-8.
std::string on_one_line(std::string text) { return as_utf8(io::on_one_line(std::move(text))); }

// The beginning of a text in UTF-8 of at most `most` bytes, without a part of a letter.
std::string cut(const std::string& text, std::size_t most) {
  std::size_t end = std::min(most, text.size());
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

// Capital letters and digits of the name of a file, as reels of tapes are called.
std::string reel_like(const std::filesystem::path& file) {
  std::string reel;
  for (const char c : file.stem().string()) {
    if (c >= 'a' && c <= 'z') reel += static_cast<char>(c - 'a' + 'A');
    if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) reel += c;
  }
  return reel.empty() ? "CLIP" : reel;
}

// Names of 8 characters, each of one file. Some stand for black, bars and what has no reel.
std::vector<std::string> reels_of(const std::vector<Media>& media) {
  std::set<std::string> used{"AX", "BL", "BLACK", "BARS"};
  std::vector<std::string> reels;
  for (const Media& one : media) {
    const std::string name = reel_like(one.file);
    std::string reel = name.substr(0, reel_length);
    for (int n = 2; !used.insert(reel).second; ++n) {
      const std::string number = std::to_string(n);
      reel = name.substr(0, reel_length - number.size()) + number;
    }
    reels.push_back(reel);
  }
  return reels;
}

std::string codes_of(const ClipFrames& frames, std::int64_t begin, std::int64_t length) {
  return frames.label(begin) + " " + frames.label(begin + length);
}

// The time code of the line has colons alone, as its programs expect; the mode of the list tells what they count.
std::string motion_line(const std::string& reel, double frames_per_second, std::string time_code) {
  std::ranges::replace(time_code, ';', ':');
  return fmt::format("M2   {:<8}   {}{:05.1f}                {}\n", reel, frames_per_second < 0 ? "-" : "",
                     std::abs(frames_per_second), time_code);
}

// Whether the speed differs from 1 to the tenth of a frame a second that a line tells, or makes more than a frame.
bool tells_speed(const PlacedPart& part, double speed, const ClipFrames& record) {
  if (speed == 1) return false;
  return std::abs(speed - 1) * record.per_second() >= 0.05 || std::abs(part.media_length - part.length) > 1;
}

std::string event_of(int number, const PlacedPart& part, const ClipFrames& record, const Media& media,
                     const std::string& reel) {
  const ClipFrames source = frames_on(record, media);
  const double speed = speed_in_frames(part, record, source);
  // What is told no speed has as many frames here as there.
  const bool has_speed = tells_speed(part, speed, record);
  const std::int64_t length = has_speed ? part.media_length : part.length;
  std::string text = fmt::format("{:03}  {:<8} V     C        {} {}\n", number, reel,
                                 codes_of(source, part.media_begin, length), codes_of(record, part.begin, part.length));
  if (has_speed) text += motion_line(reel, speed * record.per_second(), source.label(part.media_begin));
  text += fmt::format("* FROM CLIP NAME: {}\n* SOURCE FILE: {}\n", on_one_line(media.file.filename().string()),
                      on_one_line(media.file.string()));
  return part.note.empty() ? text : text + fmt::format("* {}\n", on_one_line(part.note));
}

// Why frames cannot be in a list that counts those of `record`; empty if they can.
std::string lack_of(const ClipFrames& frames, const ClipFrames& record) {
  if (!frames.has_labels()) return "its frame rate is not known";
  const std::int64_t rate = counted_rate(frames), wanted = counted_rate(record);
  if (rate > most_rate) return fmt::format("it counts {} frames a second, and an EDL at most {}", rate, most_rate);
  if (rate == wanted) return {};
  return fmt::format("it counts {} frames a second, and the list {}", rate, wanted);
}

class ListWriter {
 public:
  explicit ListWriter(const Timelines& timelines) : timelines_(timelines), reels_(reels_of(timelines.media)) {}

  void write(const Sequence& sequence) {
    lists_.clear();
    for (const PlacedPart& part : parts_of(sequence)) {
      const Media& media = timelines_.media[part.media];
      std::string lack = lack_of(sequence.frames, sequence.frames);
      if (lack.empty()) lack = lack_of(frames_on(sequence.frames, media), sequence.frames);
      if (lack.empty()) {
        add(part, sequence.frames, media);
      } else {
        leave_out(fmt::format("the EDL of '{}' is without '{}': {}", sequence.name, media.file.string(), lack));
      }
    }
    for (const List& list : lists_) {
      const std::string file = new_name(sequence.name);
      result_.lists.push_back(
          {file, fmt::format("TITLE: {}\nFCM: {}DROP FRAME\n", cut(on_one_line(sequence.name), longest_title),
                             sequence.frames.drops() ? "" : "NON-") +
                     list.events});
    }
  }

  EditLists finish() { return std::move(result_); }

 private:
  struct List {
    std::int64_t end = 0;  // [frame]
    int count = 0;
    std::string events;
  };

  // Those beside the clip of the sequence, in the order of time.
  static std::vector<PlacedPart> parts_of(const Sequence& sequence) {
    std::vector<PlacedPart> parts;
    for (std::size_t t = sequence.has_clip ? 1 : 0; t < sequence.tracks.size(); ++t) {
      parts.insert(parts.end(), sequence.tracks[t].parts.begin(), sequence.tracks[t].parts.end());
    }
    std::ranges::stable_sort(parts, {}, &PlacedPart::begin);
    return parts;
  }

  void add(const PlacedPart& part, const ClipFrames& record, const Media& media) {
    const auto has_room = [&](const List& list) { return list.end <= part.begin && list.count < most_events; };
    auto list = std::ranges::find_if(lists_, has_room);
    if (list == lists_.end()) list = lists_.emplace(lists_.end());
    list->events += event_of(++list->count, part, record, media, reels_[part.media]);
    list->end = part.end();
  }

  void leave_out(const std::string& sentence) {
    if (told_.insert(sentence).second) result_.left_out.push_back(sentence);
  }

  // "NAME.edl", "NAME-2.edl" ...
  std::string new_name(const std::string& of) {
    const std::string name = cut(of, longest_name);
    std::string file = name + ".edl";
    for (int n = 2; !names_.insert(file).second; ++n) file = fmt::format("{}-{}.edl", name, n);
    return file;
  }

  const Timelines& timelines_;
  std::vector<std::string> reels_;  // of the media
  std::vector<List> lists_;         // of the sequence
  std::set<std::string> names_, told_;
  EditLists result_;
};

}  // namespace

EditLists edit_lists_of(const Timelines& timelines) {
  ListWriter writer(timelines);
  for (const Sequence& one : timelines.sequences) writer.write(one);
  return writer.finish();
}

}  // namespace octavo::timelines
