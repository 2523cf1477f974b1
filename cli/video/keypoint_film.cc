// Four stages at a time: the decoder's process; a thread that reads its frames; the caller's thread, which extracts;
// and a thread that matches, draws and passes frames to the encoder's process. Between them a few frames wait. So the
// slowest stage alone decides about the rate, if there are cores enough.

#include "cli/video/keypoint_film.h"

#include <unistd.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <filesystem>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "cli/interruption.h"
#include "cli/progress.h"
#include "cli/standard_streams.h"
#include "cli/video/channel.h"
#include "cli/video/clip.h"
#include "engine/core/stopwatch.h"
#include "io/images/resize.h"
#include "octavo/extractor.h"

namespace octavo::cli {
namespace {

constexpr std::size_t waiting = 4;       // frames between two stages
constexpr std::size_t waiting_live = 2;  // the same of a camera, where those that wait make the image late

struct FrameInFlight {
  VideoFrame frame;
  Ticket ticket{};
};

struct ExtractedFrame {
  VideoFrame frame;
  Features features;
};

double seconds_of(const VideoFacts& facts, std::int64_t ticks) {
  return static_cast<double>(ticks) * static_cast<double>(facts.time_base.numerator) /
         static_cast<double>(facts.time_base.denominator);
}

// The last stage: matches, draws and writes.
class FilmEnd {
 public:
  FilmEnd(const KeypointFilm& film, FilmReport& report) : film_(film), report_(report) {
    if (film.tracks) tracker_.emplace(film.track, film.device);
  }

  void take(ExtractedFrame one) {
    const ImageSize size{one.frame.grey.width(), one.frame.grey.height()};
    if (report_.frames++ == 0) {
      report_.size = size;
      first_ticks_ = one.frame.ticks;
    }
    report_.keypoints += one.features.size();
    const std::vector<Keypoint> keypoints = one.features.keypoints;
    std::span<const Track> tracks;
    if (tracker_) {
      const Stopwatch watch;
      tracks = tracker_->follow(std::move(one.features), size);
      report_.match_seconds += watch.milliseconds() / 1000;
      report_.tracks = tracker_->statistics();
    }
    if (!film_.output.empty()) draw(one.frame, keypoints, tracks);
    // As long as the file says if it is followed by the next one, otherwise as long as the frame before.
    const std::int64_t step = report_.frames > 1 ? std::max<std::int64_t>(one.frame.ticks - ticks_, 0) : 0;
    ticks_ = one.frame.ticks;
    const std::int64_t own = duration_of(one.frame);
    report_.clip_seconds = seconds_of(report_.facts, ticks_ - first_ticks_ + (own > 0 ? own : step));
  }

  void finish() {
    if (!writer_) return;
    writer_->finish();
    report_.encode_seconds = writer_->encoding_seconds();
  }

 private:
  [[nodiscard]] std::int64_t duration_of(const VideoFrame& frame) const {
    return film_.video.every == 1 ? frame.duration_ticks : 0;
  }

  void draw(const VideoFrame& frame, std::span<const Keypoint> keypoints, std::span<const Track> tracks) {
    const Stopwatch watch;
    const ImageView image = frame.colour.empty() ? frame.grey.view() : frame.colour.view();
    Image drawn = draw_tracks(image, keypoints, tracks);
    if (ImageSize{drawn.width(), drawn.height()} != report_.size) drawn = resize_and_crop(drawn.view(), report_.size);
    report_.draw_seconds += watch.milliseconds() / 1000;
    if (!writer_) open_writer();
    writer_->write(drawn.view(), frame.ticks, duration_of(frame));
  }

  void open_writer() {
    VideoWriterOptions options{.size = report_.size, .time_base = report_.facts.time_base, .codec = film_.codec};
    if (film_.video.every == 1 && report_.facts.frame_rate.numerator > 0) options.frame_rate = report_.facts.frame_rate;
    options.patience = film_.video.patience;
    if (is_standard_stream(film_.output)) {
      writer_.emplace(STDOUT_FILENO, "standard output", options);
    } else {
      writer_.emplace(std::filesystem::path(film_.output), options);
    }
    report_.codec = writer_->codec();
  }

  const KeypointFilm& film_;
  FilmReport& report_;
  std::optional<KeypointTracker> tracker_;
  std::optional<VideoWriter> writer_;
  std::int64_t first_ticks_ = 0, ticks_ = 0;
};

// The stages between the decoder and the last one.
class FilmWork {
 public:
  FilmWork(Video& video, bool live, Extractor& extractor, FilmEnd& end, FilmReport& report, Progress& progress)
      : video_(video),
        live_(live),
        extractor_(extractor),
        end_(end),
        report_(report),
        progress_(progress),
        decoded_(live ? waiting_live : waiting),
        extracted_(live ? waiting_live : waiting) {}

  // Throws the errors of the extraction and of the last stage. Of those of the video it tells report.error.
  void run(const Interruption& interruption) {
    std::thread reader([this] { read_frames(); });
    std::thread finisher([this] { finish_frames(); });
    std::exception_ptr failure;
    try {
      extract_frames(interruption);
    } catch (...) {
      failure = std::current_exception();
    }
    decoded_.cancel();
    extracted_.finish();
    reader.join();
    finisher.join();
    if (failure) std::rethrow_exception(failure);
    if (end_failure_) std::rethrow_exception(end_failure_);
  }

 private:
  void read_frames() {
    try {
      while (std::optional<VideoFrame> frame = video_.next()) {
        if (!pass_on(std::move(*frame))) break;
      }
    } catch (const std::exception& error) {
      report_.error = error.what();
    }
    decoded_.finish();
  }

  // Returns whether more frames are wanted.
  bool pass_on(VideoFrame frame) {
    if (!live_) return decoded_.push(std::move(frame));
    const std::optional<int> dropped = decoded_.push_newest(std::move(frame));
    report_.dropped += dropped.value_or(0);
    return dropped.has_value();
  }

  void extract_frames(const Interruption& interruption) {
    std::deque<FrameInFlight> in_flight;
    const auto collect = [&] {
      const Stopwatch watch;
      FrameInFlight one = std::move(in_flight.front());
      in_flight.pop_front();
      Features features = extractor_.collect(one.ticket);
      report_.extract_seconds += watch.milliseconds() / 1000;
      return extracted_.push({std::move(one.frame), std::move(features)});
    };
    while (!interruption.is_requested()) {
      std::optional<VideoFrame> frame = decoded_.pop();
      if (!frame) break;
      octavo::report(progress_.sink(), "frames", static_cast<std::size_t>(frame->index),
                     static_cast<std::size_t>(video_.facts().declared_frames));
      if (in_flight.size() >= static_cast<std::size_t>(extractor_.best_in_flight()) && !collect()) return;
      const Stopwatch watch;
      FrameInFlight one{.frame = std::move(*frame)};
      one.ticket = extractor_.submit(one.frame.grey.view());
      in_flight.push_back(std::move(one));
      report_.extract_seconds += watch.milliseconds() / 1000;
    }
    while (!in_flight.empty() && collect()) continue;
  }

  void finish_frames() {
    try {
      while (std::optional<ExtractedFrame> one = extracted_.pop()) end_.take(std::move(*one));
    } catch (...) {
      end_failure_ = std::current_exception();
      extracted_.cancel();
      decoded_.cancel();
    }
  }

  Video& video_;
  bool live_;
  Extractor& extractor_;
  FilmEnd& end_;
  FilmReport& report_;  // each of its members belongs to one thread
  Progress& progress_;
  Channel<VideoFrame> decoded_;
  Channel<ExtractedFrame> extracted_;
  std::exception_ptr end_failure_;
};

}  // namespace

FilmReport make_film(const KeypointFilm& film, const Interruption& interruption, Progress& progress) {
  DeviceOptions device = film.device;
  device.progress = progress.sink();
  Extractor extractor = make_extractor(film.detector, device);
  FilmReport report;
  report.device = extractor.device();
  FilmEnd end(film, report);
  const Stopwatch watch;
  Video video = open_video(film.clip, film.video);
  report.facts = video.facts();
  FilmWork(video, film.video.live, extractor, end, report, progress).run(interruption);
  end.finish();
  report.seconds = watch.milliseconds() / 1000;
  report.decode_seconds = video.decoding_seconds();
  report.warnings = video.warnings();
  return report;
}

}  // namespace octavo::cli
