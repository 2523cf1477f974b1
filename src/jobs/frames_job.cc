// Videos, one after the other: their frames on the way to images, list and sheet.

#include "octavo/jobs/video_jobs.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <optional>

#include "io/files/output_file.h"
#include "jobs/frame_list.h"
#include "octavo/error.h"
#include "octavo/io/image_formats.h"
#include "octavo/video/video.h"
#include "video/frames/contact_sheet.h"
#include "video/frames/content.h"

namespace octavo {
namespace jobs {
namespace {

namespace fs = std::filesystem;

bool is_standard_input(const FramesJob& job, const std::string& clip) { return job.standard_input && clip == "-"; }

// What the images of a video are called.
std::string name_of_clip(const FramesJob& job, const std::string& clip) {
  return is_standard_input(job, clip) ? "stdin" : fs::path(clip).filename().string();
}

VideoOptions options_of(const FramesJob& job) {
  VideoOptions options = job.video;
  options.colour = !job.grey && (!job.output.empty() || !job.contact_sheet.empty());
  return options;
}

void count_frame(const ListedFrame& listed, TakenFrames& counts) {
  const Junk junk = listed.content.junk;
  ++counts.taken;
  counts.black += junk == Junk::black ? 1 : 0;
  counts.flat += junk == Junk::flat ? 1 : 0;
  counts.titles += junk == Junk::title ? 1 : 0;
  counts.bars += junk == Junk::bars ? 1 : 0;
  counts.repeats += listed.repeats ? 1 : 0;
  counts.interlaced += listed.frame.interlaced ? 1 : 0;
}

class ClipFrames {
 public:
  ClipFrames(const FramesJob& job, const std::string& clip, FrameList& list, const JobContext& context)
      : job_(job),
        list_(list),
        context_(context),
        video_(is_standard_input(job, clip) ? job.standard_input(options_of(job))
                                            : Video(fs::path(clip), options_of(job))),
        taken_{.clip = clip, .facts = video_.facts()} {}

  // Throws the errors of the video and of the files.
  void run() {
    list_.begin(taken_.clip, taken_.facts);
    std::string error;
    std::exception_ptr failure;
    try {
      while (!context_.stop.stop_requested() && !list_.is_broken()) {
        const std::optional<VideoFrame> frame = video_.next();
        if (!frame) break;
        take(*frame);
      }
    } catch (const std::exception& caught) {
      error = caught.what();
      failure = std::current_exception();
    }
    runs_.finish();
    list_ended_runs();
    list_.end(video_, error);
    taken_.decoded = video_.decoded();
    if (job_.take) job_.take(taken_);
    for (const VideoWarning& warning : video_.warnings()) {
      report_warning(context_, fmt::format("warning: {}: {}", taken_.clip, warning.sentence));
    }
    write_sheet();
    if (failure) std::rethrow_exception(failure);
  }

 private:
  void take(const VideoFrame& frame) {
    tell_progress();
    const bool is_stored = job_.video.stored_luma && taken_.facts.limited_range;
    const FrameContent content = content_of(frame.grey.view(), is_stored ? 16 : 0);
    const bool repeats = runs_.add(frame.grey.view(), frame.index, frame.seconds);
    list_ended_runs();
    const ImageView image = frame.colour.empty() ? frame.grey.view() : frame.colour.view();
    fs::path file;
    if (!job_.output.empty()) {
      file = job_.output /
             fmt::format("{}_{:07}_{:.3f}s.png", name_of_clip(job_, taken_.clip), frame.index, frame.seconds);
      write_image(file, image);
    }
    if (!job_.contact_sheet.empty()) sheet_.add(image, frame.seconds, content, repeats);
    const ListedFrame listed{frame, content, repeats, file.string()};
    count_frame(listed, taken_);
    list_.add(listed);
  }

  void list_ended_runs() {
    for (const FrameRun& run : runs_.take_ended()) list_.add(run);
  }

  void tell_progress() {
    const VideoFacts& facts = taken_.facts;
    if (facts.declared_frames > 0) {
      report(context_.progress, "frames", static_cast<std::size_t>(video_.decoded()),
             static_cast<std::size_t>(facts.declared_frames));
    } else {
      report(context_.progress, "seconds", static_cast<std::size_t>(std::max(video_.seconds_done(), 0.0)),
             static_cast<std::size_t>(facts.declared_seconds));
    }
  }

  void write_sheet() {
    if (job_.contact_sheet.empty() || sheet_.size() == 0) return;
    const VideoFacts& facts = taken_.facts;
    const std::string heading =
        fmt::format("{}   {} {}x{}", name_of_clip(job_, taken_.clip), facts.codec, facts.width, facts.height);
    write_image(job_.contact_sheet, sheet_.draw(heading).view());
  }

  const FramesJob& job_;
  FrameList& list_;
  const JobContext& context_;
  Video video_;
  TakenFrames taken_;
  FrameRuns runs_;
  ContactSheet sheet_;
};

// Videos of the same name would overwrite each other's images.
void require_distinct_clips(const FramesJob& job) {
  std::map<std::string, std::string> clips;
  for (const std::string& clip : job.clips) {
    const auto [other, is_new] = clips.emplace(name_of_clip(job, clip), clip);
    if (is_new) continue;
    throw Error(ErrorCode::invalid_option,
                InvalidOption{"output", fmt::format("\"{}\"", job.output.string()),
                              fmt::format("{} and {} have the same name, and their images would overwrite each other; "
                                          "give them one call each",
                                          other->second, clip)});
  }
}

void prepare_outputs(const FramesJob& job) {
  if (!job.output.empty()) {
    require_distinct_clips(job);
    require_writable_folder(job.output);
  }
  if (!job.contact_sheet.empty()) {
    if (job.clips.size() > 1) {
      throw Error(ErrorCode::invalid_option,
                  InvalidOption{"contact_sheet", fmt::format("\"{}\"", job.contact_sheet.string()),
                                "it shows one video, and several are given"});
    }
    const std::array<fs::path, 1> sheet{job.contact_sheet};
    require_writable_images(sheet, true, "contact_sheet");
    require_not_read(sheet, std::vector<fs::path>(job.clips.begin(), job.clips.end()), "contact_sheet");
  }
  if (!job.output.empty()) make_folder(job.output);
}

}  // namespace
}  // namespace jobs

void take_frames(const FramesJob& job, const JobContext& context) {
  validate(job.video);
  jobs::prepare_outputs(job);
  jobs::FrameList list(job.list, job.clips.size() > 1);
  for (std::size_t i = 0; i < job.clips.size(); ++i) {
    if (context.stop.stop_requested() || list.is_broken()) break;
    report_item(context.progress, job.clips[i], i, job.clips.size());
    try {
      jobs::ClipFrames(job, job.clips[i], list, context).run();
    } catch (const std::exception& error) {
      report_failure(context, error.what());
    }
  }
  list.finish();
}

}  // namespace octavo
