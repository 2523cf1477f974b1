#include "cli/extract_video.h"

#include <fmt/core.h>

#include <deque>
#include <exception>
#include <optional>
#include <utility>

#include "cli/complaint.h"
#include "cli/video/clip.h"
#include "octavo/imageio.h"
#include "octavo/output_file.h"
#include "octavo/stopwatch.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

// A frame whose features are being extracted.
struct FrameInFlight {
  VideoFrame frame;
  Ticket ticket{};
  Stopwatch since;
};

class ClipExtraction {
 public:
  ClipExtraction(const VideoExtraction& extraction, const std::string& clip, Extractor& extractor, const Image* mask,
                 Progress& progress, const TakeFeatures& take)
      : extraction_(extraction), clip_(clip), extractor_(extractor), mask_(mask), progress_(progress), take_(take) {}

  // Several frames are in flight at a time. Throws the errors of the video. Returns whether all frames went well.
  bool run(const Interruption& interruption) {
    Video video = open_video(clip_, extraction_.video);
    std::exception_ptr failure;
    try {
      while (goes_on_ && !interruption.is_requested()) {
        std::optional<VideoFrame> frame = video.next();
        if (!frame) break;
        if (in_flight_.size() >= static_cast<std::size_t>(extractor_.best_in_flight())) collect();
        submit(std::move(*frame));
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
    return all_well_;
  }

  [[nodiscard]] bool goes_on() const { return goes_on_; }

 private:
  static std::string with_index(const std::string& name, const VideoFrame& frame) {
    return fmt::format("{}#{}", name, frame.index);
  }

  void fail(const VideoFrame& frame, const std::exception& error) {
    all_well_ = false;
    progress_.clear();
    complain(fmt::format("{}: {}", with_index(clip_, frame), error.what()));
  }

  void submit(VideoFrame frame) {
    progress_.show(with_index(clip_, frame));
    try {
      FrameInFlight one{.frame = std::move(frame), .ticket = {}, .since = {}};
      one.ticket = extractor_.submit(one.frame.grey.view(), mask_ != nullptr ? &mask_->view() : nullptr);
      in_flight_.push_back(std::move(one));
    } catch (const std::exception& error) {
      fail(frame, error);
    }
  }

  void collect() {
    const FrameInFlight one = std::move(in_flight_.front());
    in_flight_.pop_front();
    try {
      const Features features = extractor_.collect(one.ticket);
      const double milliseconds = one.since.milliseconds();
      write(one.frame, features);
      progress_.clear();
      goes_on_ = take_(with_index(clip_, one.frame), features, milliseconds) && goes_on_;
    } catch (const std::exception& error) {
      fail(one.frame, error);
    }
  }

  void write(const VideoFrame& frame, const Features& features) const {
    if (extraction_.output.empty()) return;
    const fs::path file = extraction_.output / with_index(name_of_results(clip_), frame);
    const auto with_ending = [&](std::string_view ending) { return fs::path(file) += ending; };
    write_file(with_ending(ending_of(extraction_.format)),
               features_bytes(extraction_.format, with_index(clip_, frame), features));
    if (extraction_.draw) {
      write_image(with_ending(".keypoints.png"), draw_keypoints(frame.grey.view(), features.keypoints).view());
    }
  }

  const VideoExtraction& extraction_;
  const std::string& clip_;
  Extractor& extractor_;
  const Image* mask_;
  Progress& progress_;
  const TakeFeatures& take_;
  std::deque<FrameInFlight> in_flight_;
  bool all_well_ = true, goes_on_ = true;
};

}  // namespace

bool extract_videos(const VideoExtraction& extraction, Extractor& extractor, const Image* mask,
                    const Interruption& interruption, Progress& progress, const TakeFeatures& take) {
  bool all_well = true;
  for (const std::string& clip : extraction.clips) {
    if (interruption.is_requested()) break;
    progress.show(clip);
    try {
      ClipExtraction work(extraction, clip, extractor, mask, progress, take);
      all_well = work.run(interruption) && all_well;
      if (!work.goes_on()) break;
    } catch (const std::exception& error) {
      all_well = false;
      progress.clear();
      complain(error.what());
    }
  }
  progress.clear();
  return all_well;
}

}  // namespace octavo::cli
