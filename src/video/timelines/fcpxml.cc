// FCPXML 1.8, which editing programs read: files are assets, and each timeline is a project. Times are fractions of
// seconds, so that those of 29.97 frames a second are exact. An element that is within another one, in a lane beside
// it, has its `offset` in the time of that element; its `start` is the time of its own media. A timeMap tells which
// time of the media is shown when: `time` is on the timeline, counted from `start`, and `value` in the media.

#include <fmt/core.h>

#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "video/timelines/timelines.h"

namespace octavo::timelines {
namespace {

// A time as a fraction of seconds.
struct Fraction {
  std::int64_t numerator = 0, denominator = 1;
};

Fraction reduced(std::int64_t numerator, std::int64_t denominator) {
  const std::int64_t divisor = std::gcd(numerator, denominator);
  return {numerator / divisor, denominator / divisor};
}

Fraction time_of(std::int64_t frames, const ClipFrames& of) {
  return reduced(frames * of.rate().denominator, of.rate().numerator);
}

Fraction sum(const Fraction& a, const Fraction& b) {
  const std::int64_t denominator = std::lcm(a.denominator, b.denominator);
  return reduced(a.numerator * (denominator / a.denominator) + b.numerator * (denominator / b.denominator),
                 denominator);
}

std::string text_of(const Fraction& time) {
  return time.denominator == 1 ? fmt::format("{}s", time.numerator)
                               : fmt::format("{}/{}s", time.numerator, time.denominator);
}

// XML has no control characters but line breaks and tabulators, which stay in attributes as their numbers.
std::string escaped(const std::string& text) {
  constexpr std::string_view special = "&<>\"\n\r\t";
  std::string xml;
  for (const char c : as_utf8(text)) {
    if (special.find(c) != std::string_view::npos) {
      xml += fmt::format("&#{};", static_cast<int>(c));
    } else {
      xml += static_cast<unsigned char>(c) < 0x20 ? "\uFFFD" : std::string(1, c);
    }
  }
  return xml;
}

using Attributes = std::vector<std::pair<std::string_view, std::string>>;

// Writes elements into a text, each on a line of its own.
class XmlWriter {
 public:
  void open(std::string_view name, const Attributes& attributes = {}) {
    tag(name, attributes, ">\n");
    open_.emplace_back(name);
  }
  void close() {
    const std::string name = std::move(open_.back());
    open_.pop_back();
    text_ += fmt::format("{:{}}</{}>\n", "", 2 * open_.size(), name);
  }
  void empty(std::string_view name, const Attributes& attributes) { tag(name, attributes, "/>\n"); }
  void text(std::string_view name, const std::string& content) {
    tag(name, {}, fmt::format(">{}</{}>\n", escaped(content), name));
  }
  std::string finish() { return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE fcpxml>\n" + std::move(text_); }

 private:
  void tag(std::string_view name, const Attributes& attributes, std::string_view end) {
    text_ += fmt::format("{:{}}<{}", "", 2 * open_.size(), name);
    for (const auto& [key, value] : attributes) text_ += fmt::format(" {}=\"{}\"", key, escaped(value));
    text_ += end;
  }

  std::string text_;
  std::vector<std::string> open_;
};

bool is_same_rate(const ClipFrames& a, const ClipFrames& b) {
  return a.rate().numerator * b.rate().denominator == b.rate().numerator * a.rate().denominator;
}

// The name of a rate that a conform-rate may have; empty for others.
std::string_view name_of_rate(double per_second) {
  constexpr std::array<std::pair<double, std::string_view>, 10> names{{{24 / 1.001, "23.98"},
                                                                       {24, "24"},
                                                                       {25, "25"},
                                                                       {30 / 1.001, "29.97"},
                                                                       {30, "30"},
                                                                       {48 / 1.001, "47.95"},
                                                                       {48, "48"},
                                                                       {50, "50"},
                                                                       {60 / 1.001, "59.94"},
                                                                       {60, "60"}}};
  for (const auto& [rate, name] : names) {
    if (std::abs(per_second - rate) < 1e-3) return name;
  }
  return {};
}

std::string kind_of_labels(const ClipFrames& frames) { return frames.drops() ? "DF" : "NDF"; }

class FcpxmlWriter {
 public:
  explicit FcpxmlWriter(const Timelines& timelines) : timelines_(timelines) {}

  std::string write() {
    xml_.open("fcpxml", {{"version", "1.8"}});
    write_resources();
    xml_.open("event", {{"name", timelines_.name}});
    for (const Sequence& one : timelines_.sequences) write_project(one);
    xml_.close();
    xml_.close();
    return xml_.finish();
  }

 private:
  using Format = std::tuple<std::int64_t, std::int64_t, int, int>;  // rate and size

  static Format key_of(const Media& media, const ClipFrames& frames) {
    return {frames.rate().numerator, frames.rate().denominator, media.facts.width, media.facts.height};
  }
  [[nodiscard]] std::string format_of(const Media& media, const ClipFrames& frames) const {
    return formats_.at(key_of(media, frames));
  }
  [[nodiscard]] static std::string asset_of(std::size_t media) { return fmt::format("a{}", media + 1); }

  void add_format(const Media& media, const ClipFrames& frames) {
    const std::string id = fmt::format("f{}", formats_.size() + 1);
    if (!formats_.emplace(key_of(media, frames), id).second) return;
    Attributes attributes{{"id", id},
                          {"frameDuration", fmt::format("{}/{}s", frames.rate().denominator, frames.rate().numerator)},
                          {"width", std::to_string(media.facts.width)},
                          {"height", std::to_string(media.facts.height)}};
    if (is_image(media.facts)) attributes[1] = {"name", "FFVideoFormatRateUndefined"};
    xml_.empty("format", attributes);
  }

  void write_resources() {
    xml_.open("resources");
    for (const Media& media : timelines_.media) add_format(media, frames_of(media.facts));
    for (const Sequence& one : timelines_.sequences) add_format(timelines_.media[one.media], one.frames);
    for (std::size_t i = 0; i < timelines_.media.size(); ++i) {
      const Media& media = timelines_.media[i];
      const ClipFrames frames = frames_of(media.facts);
      xml_.empty("asset", {{"id", asset_of(i)},
                           {"name", media.file.filename().string()},
                           {"src", url_of(media.file)},
                           {"start", text_of(time_of(frames.first(), frames))},
                           {"duration", text_of(time_of(frames.at(media.facts.seconds), frames))},
                           {"hasVideo", "1"},
                           {"format", format_of(media, frames)}});
    }
    xml_.close();
  }

  // The own clip, or a gap, is as long as the sequence; the other tracks are lanes beside it.
  void write_project(const Sequence& sequence) {
    const std::string begin = text_of(time_of(sequence.frames.first(), sequence.frames));
    const std::string length = text_of(time_of(sequence.length, sequence.frames));
    xml_.open("project", {{"name", sequence.name}});
    xml_.open("sequence", {{"format", format_of(timelines_.media[sequence.media], sequence.frames)},
                           {"duration", length},
                           {"tcStart", begin},
                           {"tcFormat", kind_of_labels(sequence.frames)}});
    xml_.open("spine");
    if (sequence.has_clip) {
      open_part(sequence.tracks.front().parts.front(), sequence, 0);
    } else {
      xml_.open("gap", {{"name", "Gap"}, {"offset", begin}, {"start", begin}, {"duration", length}});
    }
    for (std::size_t t = sequence.has_clip ? 1 : 0; t < sequence.tracks.size(); ++t) {
      for (const PlacedPart& part : sequence.tracks[t].parts) {
        open_part(part, sequence, sequence.has_clip ? t : t + 1);
        xml_.close();
      }
    }
    for (int i = 0; i < 4; ++i) xml_.close();
  }

  // Of lane 0, which is the spine, there is no attribute.
  void open_part(const PlacedPart& part, const Sequence& sequence, std::size_t lane) {
    const Media& media = timelines_.media[part.media];
    const ClipFrames frames = frames_on(sequence.frames, media);
    const Fraction start = time_of(frames.first() + part.media_begin, frames);
    const Fraction length = time_of(part.length, sequence.frames);
    Attributes attributes{{"ref", asset_of(part.media)},
                          {"offset", text_of(time_of(sequence.frames.first() + part.begin, sequence.frames))},
                          {"name", media.file.filename().string()},
                          {"start", text_of(start)},
                          {"duration", text_of(length)}};
    if (lane > 0) attributes.emplace(attributes.begin() + 1, "lane", std::to_string(lane));
    if (!is_image(media.facts)) {
      attributes.emplace_back("format", format_of(media, frames));
      attributes.emplace_back("tcFormat", kind_of_labels(frames));
    }
    xml_.open(is_image(media.facts) ? "video" : "asset-clip", attributes);
    if (!part.note.empty()) xml_.text("note", part.note);
    if (!is_same_rate(frames, sequence.frames)) write_conform_rate(frames);
    if (part.speed == 1) return;
    Fraction first = start, last = time_of(frames.first() + part.media_begin + part.media_length, frames);
    if (part.speed < 0) std::swap(first, last);
    xml_.open("timeMap");
    xml_.empty("timept", {{"time", text_of(start)}, {"value", text_of(first)}, {"interp", "linear"}});
    xml_.empty("timept", {{"time", text_of(sum(start, length))}, {"value", text_of(last)}, {"interp", "linear"}});
    xml_.close();
  }

  // A second of the media is a second of the timeline, at whatever rate.
  void write_conform_rate(const ClipFrames& frames) {
    Attributes attributes{{"scaleEnabled", "0"}};
    const std::string_view name = name_of_rate(frames.per_second());
    if (!name.empty()) attributes.emplace_back("srcFrameRate", name);
    xml_.empty("conform-rate", attributes);
  }

  const Timelines& timelines_;
  std::map<Format, std::string> formats_;  // their ids
  XmlWriter xml_;
};

}  // namespace

std::string fcpxml_of(const Timelines& timelines) { return FcpxmlWriter(timelines).write(); }

}  // namespace octavo::timelines
