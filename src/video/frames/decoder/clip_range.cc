#include "video/frames/decoder/clip_range.h"

extern "C" {
#include <libavutil/mathematics.h>
}

#include <cstdint>
#include <set>

#include "video/frames/decoder/image.h"

namespace octavo::video {
namespace {

constexpr int wanted_frames = 16;

// The values that some frames of a clip use together.
class ValuesOfClip {
 public:
  explicit ValuesOfClip(const AVFrame& first) : format_(first.format) { add(first); }

  void add(const AVFrame& frame) {
    if (frame.format != format_) return;
    const std::optional<ValueRange> used = values_used(stored_samples(frame).view());
    if (!used || !(used->low < used->high)) return;  // a black frame says nothing
    used_ = used_ ? joined(*used_, *used) : *used;
  }
  [[nodiscard]] const std::optional<ValueRange>& used() const { return used_; }

 private:
  int format_;
  std::optional<ValueRange> used_;
};

// [tick] By the file; 0: unknown.
std::int64_t length_of(const Stream& stream) {
  if (stream.stream().duration > 0) return stream.stream().duration;
  if (stream.format().duration <= 0) return 0;
  return av_rescale_q(stream.format().duration, AVRational{1, AV_TIME_BASE}, stream.stream().time_base);
}

// Adds the key frames at equal distances. False if the file has no more than a few, or cannot leap.
bool add_key_frames(ValuesOfClip& values, MessageOutput& output, const VideoOptions& options) {
  constexpr std::size_t few = wanted_frames / 2;
  Stream stream(output, options, false);
  const std::int64_t length = length_of(stream);
  const std::int64_t start = stream.stream().start_time != AV_NOPTS_VALUE ? stream.stream().start_time : 0;
  std::set<std::int64_t> seen;
  for (int i = 0; i < wanted_frames && length > 0; ++i) {
    if (stream.seek(start + av_rescale(length, i, wanted_frames)) == nullptr) break;
    const AVFrame* const frame = stream.next();
    if (frame != nullptr && seen.insert(frame->best_effort_timestamp).second) values.add(*frame);
  }
  return seen.size() > few;
}

// Adds frames of the beginning, at equal distances.
void add_first_frames(ValuesOfClip& values, MessageOutput& output, const VideoOptions& options) {
  constexpr int distance = 16;
  Stream stream(output, options, false);
  for (int i = 0; i < wanted_frames * distance; ++i) {
    const AVFrame* const frame = stream.next();
    if (frame == nullptr) break;
    output.beat();
    if (i % distance == 0) values.add(*frame);
  }
}

}  // namespace

std::optional<ValueRange> range_of_clip(const VideoOptions& options, MessageOutput& output, const Stream& stream,
                                        const AVFrame& first) {
  if (options.black < options.white && depth_of_samples(first) > 8) return ValueRange{options.black, options.white};
  if (options.range == InputRange::full || !has_open_range(first)) return std::nullopt;
  ValuesOfClip values(first);
  if (stream.is_file() && !options.live && !add_key_frames(values, output, options)) {
    add_first_frames(values, output, options);
  }
  if (!values.used()) return std::nullopt;
  const ValueRange range = full_scale(PixelType::u16, *values.used());
  const double most = (1 << depth_of_samples(first)) - 1;
  return range == ValueRange{0, most} ? std::nullopt : std::optional(range);
}

}  // namespace octavo::video
