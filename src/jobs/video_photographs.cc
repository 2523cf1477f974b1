// A video is read twice: small, for the choice of frames, and at full size for those.

#include "jobs/video_photographs.h"

#include <fmt/core.h>

#include <string>
#include <system_error>
#include <vector>

#include "io/files/content_digest.h"
#include "io/files/output_file.h"
#include "io/files/read_bytes.h"
#include "io/files/whole_folder.h"
#include "io/json/json.h"
#include "jobs/read_input.h"
#include "jobs/thinned.h"
#include "jobs/video_views.h"
#include "octavo/error.h"
#include "octavo/io/image_formats.h"
#include "octavo/video/video_file.h"
#include "video/frames/matchable_views.h"

namespace octavo::jobs {
namespace {

namespace fs = std::filesystem;

constexpr auto note_name = "frames.json";

[[noreturn]] void refuse_video(const VideoPhotographs& job, const char* why) {
  throw Error(ErrorCode::file_error, fmt::format("'{}' {}", job.video.string(), why));
}

// What the frames depend on. Empty after a stop.
std::string note_of(const VideoPhotographs& job, const JobContext& context) {
  const std::string digest = content_digest(job.video, context.stop);
  if (digest.empty()) return {};
  return json_text(Json{{"octavo_frames", 1}, {"video_digest", digest}, {"max_frames", job.most}}) + "\n";
}

// Whether the folder has the frames that the note says.
bool has_frames(const fs::path& folder, const std::string& note) {
  if (!fs::exists(folder)) return false;
  std::error_code unknown;
  if (fs::is_regular_file(folder / note_name, unknown) && io::read_text(folder / note_name) == note) return true;
  throw Error(ErrorCode::file_error,
              fmt::format("'{}' is there, and has not the frames of this video with these options: give another folder "
                          "for the model",
                          folder.string()));
}

std::vector<double> choose_times(const VideoPhotographs& job, const JobContext& context) {
  VideoOptions options;
  options.max_pixels = job.max_pixels;
  auto [times, warnings] = video::choose_matchable_views(job.video, options, as_items(context.progress), context.stop);
  if (context.stop.stop_requested()) return {};
  for (const VideoWarning& warning : warnings) {
    report_warning(context, fmt::format("{}: {}", job.video.string(), warning.sentence));
  }
  if (times.empty()) refuse_video(job, "shows nothing that could be matched: no frame has texture");
  if (times.size() == 1) refuse_video(job, "shows one view alone: a model needs a camera that moves");
  if (job.most == 0 || times.size() <= job.most) return times;
  report_warning(context,
                 fmt::format("'{}' shows {} views, of which {} are taken: they overlap less than is good for matching",
                             job.video.string(), times.size(), job.most));
  return thinned(times, job.most);
}

}  // namespace

bool write_photographs(const VideoPhotographs& job, const JobContext& context) {
  const std::string note = note_of(job, context);
  if (note.empty()) return false;
  if (has_frames(job.folder, note)) return true;
  const std::vector<double> times = choose_times(job, context);
  if (context.stop.stop_requested()) return false;
  const WholeFolder whole(job.folder);
  const auto take = [&](const ImageView& image, double seconds) {
    write_image(whole.partial() / fmt::format("frame-{:09.3f}s.jpg", seconds), image);
  };
  read_views(job.video, times, job.max_pixels, take, as_items(context.progress), context.stop);
  if (context.stop.stop_requested()) return false;
  write_file(whole.partial() / note_name, note);
  whole.finish();
  return true;
}

}  // namespace octavo::jobs
