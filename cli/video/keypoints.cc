// octavo video keypoints: draws the keypoints of a clip, follows them, and tells the rate at which it does so.

#include <unistd.h>

#include "cli/command.h"
#include "cli/detector.h"
#include "octavo/error.h"
#include "octavo/jobs/image_jobs.h"
#include "octavo/jobs/video_jobs.h"
#include "octavo/video/video_file.h"

namespace octavo::cli {
namespace {

struct Call {
  KeypointFilm film{};
  bool no_tracks = false, json = false;
};

int run(Call& call) {
  KeypointFilm& film = call.film;
  const bool to_standard_output = is_standard_stream(film.output);
  if (to_standard_output) {
    if (call.json) refuse_standard_output("--json has no place there");
    require_no_terminal_for_bytes();
  }
  film.standard_input = standard_input().video;
  film.standard_output = STDOUT_FILENO;
  film.tracks = !call.no_tracks;
  film.video.live = film.video.live || is_live(film.clip);
  Work work;
  const FilmReport report = [&] {
    try {
      return make_film(film, work.context());
    } catch (const Error&) {  // of the encoder's process, which writes there
      if (to_standard_output) end_if_reader_has_ended();
      throw;
    }
  }();
  work.progress().clear();
  if (to_standard_output) {
    complain(text_of(film, report));
  } else {
    print_whole((call.json ? json_of(film, report) : text_of(film, report)) + "\n", call.json);
  }
  work.end_if_interrupted();
  return work.exit_code();
}

}  // namespace

void define_video_keypoints(Command& command) {
  const auto call = std::make_shared<Call>();
  KeypointFilm& film = call->film;
  film.video.every = 1;
  film.video.size = 0;
  command.add_option("CLIP", film.clip).required();

  CommandOption& output = command.add_option("-o,--output", film.output);
  add_choice<VideoCodec>(command, "--codec", film.codec,
                         {{"auto", VideoCodec::automatic}, {"h264", VideoCodec::h264}, {"mpeg4", VideoCodec::mpeg4}})
      .needs(output);
  command.add_flag("--grey", film.grey).needs(output);
  command.add_flag("--json", call->json);
  command.add_flag("--no-tracks", call->no_tracks);
  add_options(command, film.track);
  add_options(command, film.video, {"engine"});
  command.add_flag("--live", film.video.live);
  add_detector_options(command, film.detector, Descriptors::always);
  add_device_options(command, film.device);
  command.check = [&command, call] {
    VideoOptions& options = call->film.video;
    if (command.is_given("--fps") && !command.is_given("--every")) options.every = 0;
    require_effects(command, call->film.detector);
    require_effects(command, options);
    if (call->film.output.empty()) refuse_if_given(command, "--tail", "without --output");
    if (!call->no_tracks) return;
    refuse_options<TrackOptions>(command, "with --no-tracks");
  };
  command.action = [call] { return run(*call); };
}

}  // namespace octavo::cli
