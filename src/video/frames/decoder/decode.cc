#include "video/frames/decoder/decode.h"

extern "C" {
#include <libavutil/mathematics.h>
}

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <utility>

#include "video/frames/decoder/clip_range.h"
#include "video/frames/decoder/facts.h"
#include "video/frames/decoder/failure.h"
#include "video/frames/decoder/image.h"
#include "video/frames/decoder/leaps.h"
#include "video/frames/decoder/packet_stream.h"
#include "video/frames/decoder/stream.h"
#include "video/frames/levels.h"
#include "video/frames/messages.h"
#include "video/frames/parts.h"
#include "video/frames/sampling.h"
#include "video/frames/shown_size.h"

namespace octavo::video {
namespace {

class Decoding {
 public:
  Decoding(const Request& request, MessageOutput& output)
      : request_(request),
        options_(request.options),
        output_(output),
        stream_(output, request.options, request.packets != Packets::none) {}

  void run() {
    const AVFrame* frame = stream_.next();
    if (frame == nullptr) {
      throw DecodeFailure(fmt::format("no frame of its {} video can be decoded{}{}", stream_.codec_name(),
                                      last_message(), stream_.hint()));
    }
    facts_ = facts_of(stream_, *frame);
    set_range(*frame);
    Leaps leaps(stream_, *frame);
    const bool can_leap = !request_.parts.empty() && leaps.are_possible();
    if (request_.packets != Packets::none && can_leap) {
      facts_.decoder += ", not NVDEC: it is read in parts";
      stream_.drop_packets();
    } else if (request_.packets != Packets::none) {
      PacketStream packets(stream_, *frame, request_);
      if (packets.objection().empty()) return pass_on(packets, *frame);
      facts_.decoder += ", not NVDEC: " + packets.objection();
      stream_.drop_packets();
    }
    output_.send(facts_);
    if (!request_.parts.empty()) return take_parts(*frame, leaps);
    sampling_.emplace(options_.every, options_.fps, facts_.time_base);
    for (; frame != nullptr; frame = stream_.next()) {
      VideoFrame next = timed(*frame);
      if (sampling_->takes(next.ticks)) send(std::move(next), *frame);
    }
    tell_what_is_missing();
    end();
  }

 private:
  // What becomes black and white in all frames of the format of the first one.
  void set_range(const AVFrame& first) {
    range_ = range_of_clip(options_, output_, stream_, first);
    if (!range_) return;
    range_format_ = first.format;
    facts_.black = range_->low;
    facts_.white = range_->high;
  }

  void end() { output_.send(EndMessage{decoded_, decoded_ > 0 ? seconds_of(next_ticks_ - first_ticks_) : 0}); }

  // Sends the frames of the parts, with leaps between them where they are exact. The end may not be reached.
  void take_parts(const AVFrame& first, Leaps& leaps) try {
    PartChoice choice(request_.parts, facts_.time_base);
    std::unique_ptr<AVFrame, FreeFrame> before(av_frame_alloc());
    if (before == nullptr) throw std::bad_alloc();
    VideoFrame before_timed;
    for (const AVFrame* frame = &first; frame != nullptr; frame = leaps.next()) {
      VideoFrame next = timed(*frame);
      const PartChoice::Taken taken = choice.take(next.ticks);
      if (taken.before) send(std::move(before_timed), *before);
      av_frame_unref(before.get());
      if (taken.this_one) {
        send(std::move(next), *frame);
      } else {
        if (av_frame_ref(before.get(), frame) < 0) throw std::bad_alloc();
        before_timed = std::move(next);
      }
      if (choice.is_done()) break;
      const std::optional<std::int64_t> begin = choice.far_begin();
      if (begin && later_ == 0 && leaps.are_possible()) leaps.leap(*begin, ticks_);
    }
    if (choice.takes_last()) send(std::move(before_timed), *before);
    end();
  } catch (const NoLeap& reason) {
    output_.send(RefusalMessage{reason.what()});
  }

  // Sends packets in the place of frames. Their order is that of decoding, so the last frame is the latest one.
  void pass_on(PacketStream& packets, const AVFrame& first) {
    const ImageForm form = form_of(first);
    const bool is_timed = first.best_effort_timestamp != AV_NOPTS_VALUE;
    first_ticks_ = ticks_ = next_ticks_ =
        is_timed ? std::clamp(first.best_effort_timestamp, -most_ticks, most_ticks) : 0;
    bool is_begun = false;
    while (const std::optional<PacketMessage> packet = packets.next()) {
      if (!is_begun) {
        output_.send(facts_);
        output_.send(
            PacketsMessage{form.size.width, form.size.height, packets.depth(), usual_duration(), packets.header()});
        is_begun = true;
      }
      ++decoded_;
      ticks_ = std::max(ticks_, packet->ticks);
      const std::int64_t duration = packet->duration_ticks > 0 ? packet->duration_ticks : usual_duration();
      if (packet->ticks == ticks_) next_ticks_ = ticks_ + duration;
      output_.note(decoded_, seconds_of(ticks_ - first_ticks_));
      output_.send(*packet);
    }
    if (packets.objection().empty()) {
      tell_what_is_missing();
      return end();
    }
    if (!is_begun) output_.send(facts_);
    output_.send(RefusalMessage{packets.objection()});
  }

  // Each kind of warning once.
  void warn(const std::string& name, const std::string& sentence) {
    if (warned_.insert(name).second) output_.send(VideoWarning{name, sentence});
  }

  // The range is that of some frames. Others may have values far beyond.
  void warn_beyond(const ValueRange& range, const VideoFrame& taken, const AVFrame& frame) {
    if (warned_.contains("range")) return;
    constexpr double tolerance = 0.1;
    const ValueRange used = values_used(stored_samples(frame).view()).value_or(range);
    const double tolerated = tolerance * (range.high - range.low);
    if (used.high <= range.high + tolerated && used.low >= range.low - tolerated) return;
    warn("range",
         fmt::format("frame {} at {:.3f} s has values from {} to {}, but the frames that were looked at use {} to {}, "
                     "which become black and white; --black and --white set them",
                     taken.index, taken.seconds, used.low, used.high, range.low, range.high));
  }

  [[nodiscard]] double seconds_of(std::int64_t ticks) const {
    return static_cast<double>(ticks) * static_cast<double>(facts_.time_base.numerator) /
           static_cast<double>(facts_.time_base.denominator);
  }

  static std::int64_t duration_of(const AVFrame& frame) {
#if LIBAVUTIL_VERSION_MAJOR >= 58
    return std::clamp<std::int64_t>(frame.duration, 0, most_ticks);
#else
    return std::clamp<std::int64_t>(frame.pkt_duration, 0, most_ticks);
#endif
  }

  // [tick] from a frame to the next, where the file does not tell it.
  [[nodiscard]] std::int64_t usual_duration() const {
    const auto [n, d] = facts_.frame_rate;
    if (n <= 0) return 1;
    const AVRational frame{static_cast<int>(d), static_cast<int>(n)};
    return std::clamp<std::int64_t>(av_rescale_q(1, frame, stream_.stream().time_base), 1, most_ticks);
  }

  // The time of the next frame.
  std::int64_t ticks_of(const AVFrame& frame) {
    if (frame.best_effort_timestamp == AV_NOPTS_VALUE) return std::min(next_ticks_, most_ticks);
    const std::int64_t by_file = std::clamp(frame.best_effort_timestamp, -most_ticks, most_ticks);
    const std::int64_t ticks = std::clamp(by_file + later_, -most_ticks, most_ticks);
    if (decoded_ == 0 || ticks >= ticks_) return ticks;
    warn("time", fmt::format("times go back from {:.3f} s to {:.3f} s at frame {}", seconds_of(ticks_),
                             seconds_of(ticks), decoded_));
    if (!options_.ascending) return ticks;
    constexpr double small_step = 1;  // [second]
    if (seconds_of(ticks_ - ticks) < small_step) return ticks_;
    later_ = std::min(next_ticks_, most_ticks) - by_file;
    return std::min(next_ticks_, most_ticks);
  }

  // The next frame without its image.
  VideoFrame timed(const AVFrame& frame) {
    VideoFrame taken;
    taken.duration_ticks = duration_of(frame);
    taken.time_is_guessed = frame.best_effort_timestamp == AV_NOPTS_VALUE;
    taken.ticks = ticks_of(frame);
    taken.index = decoded_++;
    taken.seconds = seconds_of(taken.ticks);
    guessed_ += taken.time_is_guessed ? 1 : 0;
    if (taken.index == 0) first_ticks_ = taken.ticks;
    ticks_ = taken.ticks;
    next_ticks_ = ticks_ + (taken.duration_ticks > 0 ? taken.duration_ticks : usual_duration());
    output_.note(decoded_, seconds_of(ticks_ - first_ticks_));
    output_.beat();
    const ImageSize size{frame.width, frame.height};
    if (size_ && size != *size_) {
      warn("size", fmt::format("the size changes from {}x{} to {}x{} at frame {}", size_->width, size_->height,
                               size.width, size.height, taken.index));
    }
    size_ = size;
    taken.damaged = frame.decode_error_flags != 0 || (frame.flags & AV_FRAME_FLAG_CORRUPT) != 0;
    if (taken.damaged && damaged_++ == 0) first_damaged_ = taken.index;
    taken.stored_width = frame.width;
    taken.stored_height = frame.height;
    taken.key = frame.key_frame != 0;
    taken.interlaced = frame.interlaced_frame != 0;
    return taken;
  }

  void send(VideoFrame taken, const AVFrame& frame) {
    const ImageForm form = form_of(frame);
    if (form.range && !(options_.black < options_.white)) warn_beyond(*form.range, taken, frame);
    taken.grey = grey_image(frame, form);
    if (options_.colour) taken.colour = colour_image(frame, form);
    output_.send(std::move(taken));
  }

  ImageForm form_of(const AVFrame& frame) {
    ImageForm form;
    Ratio aspect = pixel_aspect_of(stream_, frame);
    if (!is_credible(aspect)) {
      warn("aspect",
           fmt::format("pixels of {}:{} are not believed and taken as square", aspect.numerator, aspect.denominator));
      aspect = {1, 1};
    }
    if (frame.width > 65535 || frame.height > 65535) {
      throw DecodeFailure(
          fmt::format("its frames have {}x{} pixels, but a side must be at most 65535", frame.width, frame.height));
    }
    form.size = shown_size({frame.width, frame.height}, aspect, options_.size);
    const auto pixels = static_cast<std::uint64_t>(form.size.width) * static_cast<std::uint64_t>(form.size.height);
    if (pixels > options_.max_pixels || form.size.width > 65535 || form.size.height > 65535) {
      throw DecodeFailure(fmt::format("its frames are shown with {}x{} pixels, more than {} or with a side above 65535",
                                      form.size.width, form.size.height, options_.max_pixels));
    }
    const FrameTurn turn = turn_of(stream_, frame);
    if (!turn.is_exact) warn("rotation", "its rotation is no quarter turn; the nearest one is taken");
    form.orientation = turn.orientation;
    form.colours = colours_of(frame);
    if (options_.colour && form.colours.matrix != "gbr" && !is_colour_matrix(form.colours.matrix)) {
      warn("matrix",
           fmt::format("the colour matrix {} is not known; the colours are those of bt709", form.colours.matrix));
    }
    if (frame.format == range_format_) form.range = range_;
    form.one_field = !options_.weave;
    form.stretch_luma = !options_.stored_luma;
    return form;
  }

  void tell_what_is_missing() {
    if (stream_.damaged_packets() > 0) {
      warn("damaged", fmt::format("packets that cannot be decoded: {}", stream_.damaged_packets()));
    } else if (damaged_ > 0) {
      warn("damaged", fmt::format("frames with damaged parts: {}, the first is frame {}", damaged_, first_damaged_));
    }
    if (guessed_ > 2) warn("time", fmt::format("{} frames have no time; it is taken from the frames before", guessed_));
    const std::int64_t declared = facts_.declared_frames;
    // Some containers count the length from the time 0.
    const double seconds = seconds_of(next_ticks_ - std::min<std::int64_t>(first_ticks_, 0));
    const double missing = facts_.declared_seconds - seconds;
    // An AVI counts frames that it leaves out, so that the time decides where it is known. Sound may be longer.
    const bool is_of_video = stream_.stream().duration > 0;
    const double tolerance =
        is_of_video ? std::max(0.5, 0.01 * facts_.declared_seconds) : std::max(2.0, 0.05 * facts_.declared_seconds);
    if (!stream_.stop_reason().empty()) {
      warn("truncated", fmt::format("it cannot be read beyond frame {} at {:.3f} s: {}", decoded_ - 1,
                                    seconds_of(ticks_), stream_.stop_reason()));
    } else if (!options_.fast && facts_.declared_seconds <= 0 && declared > decoded_ + 2) {
      warn("truncated", fmt::format("the file declares {} frames, but only {} can be decoded", declared, decoded_));
    } else if (missing > tolerance) {
      warn("truncated",
           fmt::format("the file declares {:.3f} s, but ends after {:.3f} s", facts_.declared_seconds, seconds));
    }
  }

  const Request& request_;
  const VideoOptions& options_;
  MessageOutput& output_;
  Stream stream_;
  VideoFacts facts_;
  std::optional<ValueRange> range_;
  int range_format_ = -1;  // an AVPixelFormat
  std::optional<Sampling> sampling_;
  std::set<std::string> warned_;
  std::optional<ImageSize> size_;
  std::int64_t decoded_ = 0, damaged_ = 0, first_damaged_ = 0, guessed_ = 0;
  std::int64_t first_ticks_ = 0, ticks_ = 0, next_ticks_ = 0;
  std::int64_t later_ = 0;  // [tick] added to the times of the file, so that they go on
};

}  // namespace

void decode(const Request& request, MessageOutput& output) { Decoding(request, output).run(); }

}  // namespace octavo::video
