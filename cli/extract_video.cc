#include "cli/extract_video.h"

#include <fmt/core.h>

#include <deque>
#include <exception>
#include <optional>
#include <utility>

#include "cli/complaint.h"
#include "cli/interruption.h"
#include "cli/progress.h"
#include "cli/standard_streams.h"
#include "cli/video/clip.h"
#include "octavo/stopwatch.h"

namespace octavo::cli {
namespace {

// A frame whose features are being extracted.
struct FrameInFlight {
  VideoFrame frame;
  Ticket ticket{};
  Stopwatch since;
};

class ClipExtraction {
 public:
  ClipExtraction(const VideoExtraction& extraction, const std::string& clip, Extractor& extractor, const Image* mask,
                 Progress& progress, const VideoReport& report)
      : extraction_(extraction),
        clip_(clip),
        extractor_(extractor),
        mask_(mask),
        progress_(progress),
        report_(report) {}

  // Several frames are in flight at a time. Throws the errors of the video. Returns whether it came to its end.
  bool run(const Interruption& interruption) {
    Video video = open_video(clip_, extraction_.video);
    if (extraction_.output != nullptr) {
      source_ = is_standard_stream(clip_) ? ResultSource{.file = name_of_results(clip_)} : source_at(clip_);
    }
    bool is_done = false;
    std::exception_ptr failure;
    try {
      while (goes_on_ && !interruption.is_requested()) {
        std::optional<VideoFrame> frame = video.next();
        is_done = !frame;
        if (!frame) break;
        if (in_flight_.size() >= static_cast<std::size_t>(extractor_.best_in_flight())) collect();
        begin(std::move(*frame));
      }
    } catch (...) {
      failure = std::current_exception();
    }
    while (!in_flight_.empty()) collect();
    for (const VideoWarning& warning : video.warnings()) {
      progress_.clear();
      complain(fmt::format("warning: {}: {}", clip_, warning.sentence));
    }
    if (failure) std::rethrow_exception(failure);
    return is_done;
  }

 private:
  // What a frame is called, and its files.
  [[nodiscard]] PictureFile picture_of(const VideoFrame& frame) const {
    return {fmt::format("{}#{}", clip_, frame.index), fmt::format("{}#{}", name_of_results(clip_), frame.index)};
  }

  void fail(const VideoFrame& frame, const std::exception& error) {
    report_.fail(fmt::format("{}: {}", picture_of(frame).file.string(), error.what()));
  }

  // Frames that are up to date are told after those before them.
  void begin(VideoFrame frame) {
    const PictureFile picture = picture_of(frame);
    progress_.show(picture.file.string());
    if (extraction_.skip_existing) {
      if (const ResultRecord* const record = extraction_.output->up_to_date(picture, source_)) {
        while (!in_flight_.empty()) collect();
        return report_.skip(picture, record->keypoints);
      }
    }
    try {
      FrameInFlight one{.frame = std::move(frame), .ticket = {}, .since = {}};
      one.ticket = extractor_.submit(one.frame.grey.view(), mask_ != nullptr ? &mask_->view() : nullptr,
                                     Keep::in_host_memory, Pixels::until_collected);
      in_flight_.push_back(std::move(one));
    } catch (const std::exception& error) {
      fail(frame, error);
    }
  }

  void collect() {
    FrameInFlight one = std::move(in_flight_.front());
    in_flight_.pop_front();
    try {
      BatchResult result{.features = extractor_.collect(one.ticket)};
      const double milliseconds = one.since.milliseconds();
      result.image = std::move(one.frame.grey);
      const PictureFile picture = picture_of(one.frame);
      if (extraction_.output != nullptr) extraction_.output->write(picture, source_, result);
      progress_.clear();
      goes_on_ = report_.take(picture, result.features, milliseconds) && goes_on_;
    } catch (const std::exception& error) {
      fail(one.frame, error);
    }
  }

  const VideoExtraction& extraction_;
  const std::string& clip_;
  Extractor& extractor_;
  const Image* mask_;
  Progress& progress_;
  const VideoReport& report_;
  ResultSource source_;
  std::deque<FrameInFlight> in_flight_;
  bool goes_on_ = true;
};

}  // namespace

bool extract_videos(const VideoExtraction& extraction, Extractor& extractor, const Image* mask,
                    const Interruption& interruption, Progress& progress, const VideoReport& report) {
  for (const std::string& clip : extraction.clips) {
    if (interruption.is_requested()) return false;
    progress.show(clip);
    try {
      ClipExtraction work(extraction, clip, extractor, mask, progress, report);
      if (!work.run(interruption)) return false;
    } catch (const std::exception& error) {
      report.fail(error.what());
    }
  }
  progress.clear();
  return true;
}

}  // namespace octavo::cli
