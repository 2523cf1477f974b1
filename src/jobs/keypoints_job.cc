// Four stages at a time: the decoder's process; a thread that reads its frames; the caller's thread, which extracts;
// and a thread that matches, draws and passes frames to the encoder's process. Between them a few frames wait. So the
// slowest stage alone decides about the rate, if there are cores enough.

#include "octavo/jobs/video_jobs.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <deque>
#include <exception>
#include <filesystem>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "engine/core/stopwatch.h"
#include "io/files/output_file.h"
#include "io/images/resize.h"
#include "io/json/json.h"
#include "jobs/channel.h"
#include "jobs/giving_up.h"
#include "octavo/extractor.h"
#include "octavo/image.h"
#include "octavo/video/video.h"
#include "video/frames/video_writer.h"
#include "video/report/report_json.h"

namespace octavo {
namespace jobs {
namespace {

namespace fs = std::filesystem;

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

bool is_to_standard_output(const KeypointFilm& film) { return film.standard_output >= 0 && film.output == "-"; }

void require_fitting_output(const KeypointFilm& film) {
  if (film.output.empty() || is_to_standard_output(film)) return;
  VideoWriter::require_writable(film.output);
  require_not_read(std::array<fs::path, 1>{film.output}, std::array<fs::path, 1>{film.clip});
}

Video opened_clip(const KeypointFilm& film) {
  VideoOptions options = film.video;
  options.colour = !film.grey && !film.output.empty();
  return film.standard_input && film.clip == "-" ? film.standard_input(options) : Video(fs::path(film.clip), options);
}

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
    if (is_to_standard_output(film_)) {
      writer_.emplace(film_.standard_output, "standard output", options);
    } else {
      writer_.emplace(fs::path(film_.output), options);
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
  FilmWork(Video& video, bool live, Extractor& extractor, FilmEnd& end, FilmReport& report, const JobContext& context)
      : video_(video),
        live_(live),
        extractor_(extractor),
        end_(end),
        report_(report),
        context_(context),
        decoded_(live ? waiting_live : waiting),
        extracted_(live ? waiting_live : waiting) {}

  // Throws the errors of the extraction and of the last stage. Of those of the video it tells report.error.
  void run() {
    std::thread reader([this] { read_frames(); });
    std::thread finisher([this] { finish_frames(); });
    std::exception_ptr failure;
    try {
      extract_frames();
    } catch (const GivenUp&) {  // the film has the frames that are done
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

  void extract_frames() {
    std::deque<FrameInFlight> in_flight;
    const auto collect = [&] {
      const Stopwatch watch;
      FrameInFlight one = std::move(in_flight.front());
      in_flight.pop_front();
      Features features = extractor_.collect(one.ticket);
      report_.extract_seconds += watch.milliseconds() / 1000;
      return extracted_.push({std::move(one.frame), std::move(features)});
    };
    while (!context_.stop.stop_requested()) {
      std::optional<VideoFrame> frame = decoded_.pop();
      if (!frame) break;
      octavo::report(context_.progress, "frames", static_cast<std::size_t>(frame->index),
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
  const JobContext& context_;
  Channel<VideoFrame> decoded_;
  Channel<ExtractedFrame> extracted_;
  std::exception_ptr end_failure_;
};

double followed_share(const TrackStatistics& tracks) {
  return tracks.possible_steps == 0 ? 0
                                    : static_cast<double>(tracks.steps) / static_cast<double>(tracks.possible_steps);
}

}  // namespace
}  // namespace jobs

double FilmReport::per_frame(double sum) const { return frames == 0 ? 0 : sum / static_cast<double>(frames); }
double FilmReport::frames_per_second() const { return static_cast<double>(frames) / std::max(seconds, 1e-9); }
double FilmReport::times_real_time() const { return clip_seconds / std::max(seconds, 1e-9); }

FilmReport make_film(const KeypointFilm& film, const JobContext& context) {
  validate(film.video);
  validate(film.track);
  jobs::require_fitting_output(film);
  report_item(context.progress, film.clip);
  DeviceOptions device = film.device;
  device.progress = jobs::giving_up(context);
  Extractor extractor = make_extractor(film.detector, device);
  FilmReport report;
  report.device = extractor.device();
  jobs::FilmEnd end(film, report);
  const Stopwatch watch;
  Video video = jobs::opened_clip(film);
  report.facts = video.facts();
  jobs::FilmWork(video, film.video.live, extractor, end, report, context).run();
  report_writing(context.progress, film.output);
  end.finish();
  report.seconds = watch.milliseconds() / 1000;
  report.decode_seconds = video.decoding_seconds();
  report.warnings = video.warnings();
  for (const VideoWarning& warning : report.warnings) {
    report_warning(context, fmt::format("warning: {}: {}", film.clip, warning.sentence));
  }
  if (!report.error.empty()) report_failure(context, report.error);
  return report;
}

std::string json_of(const KeypointFilm& film, const FilmReport& report) {
  Json json{{"clip", film.clip},
            {"output", text_or_null(film.output)},
            {"codec", text_or_null(report.codec)},
            {"width", report.size.width},
            {"height", report.size.height},
            {"device", report.device},
            {"frame_count", report.frames},
            {"live", film.video.live},
            {"dropped_frame_count", report.dropped},
            {"clip_seconds", report.clip_seconds},
            {"seconds", report.seconds},
            {"frames_per_second", report.frames_per_second()},
            {"times_real_time", report.times_real_time()}};
  json["per_frame"] = {{"keypoint_count", report.per_frame(static_cast<double>(report.keypoints))},
                       {"decode_seconds", report.per_frame(report.decode_seconds)},
                       {"extract_seconds", report.per_frame(report.extract_seconds)},
                       {"match_seconds", report.per_frame(report.match_seconds)},
                       {"draw_seconds", report.per_frame(report.draw_seconds)},
                       {"encode_seconds", report.per_frame(report.encode_seconds)}};
  json["tracking"] = Json();
  if (film.tracks) {
    json["tracking"] = {{"track_count", report.tracks.tracks},
                        {"mean_frame_count", report.tracks.mean_length()},
                        {"max_frame_count", report.tracks.longest},
                        {"followed_share", jobs::followed_share(report.tracks)}};
  }
  json["warnings"] = video_report::as_json(report.warnings);
  json["problems"] = video_report::problems_json(report.error);
  return json_text(json);
}

}  // namespace octavo
