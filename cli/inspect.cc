// octavo inspect: writes every stage between an image and its keypoints, as files and as a page.

#include <charconv>
#include <cmath>

#include "cli/command.h"
#include "cli/detector.h"
#include "cli/estimate.h"
#include "cli/inputs.h"
#include "octavo/error.h"
#include "octavo/io/inspection_folder.h"
#include "octavo/jobs/image_jobs.h"
#include "octavo/video/video_file.h"

namespace octavo::cli {
namespace {

struct Call : WithJson<InspectJob> {
  bool estimate = false;
};

Point parse_point(const std::string& text) {
  Point place;
  const char* end = text.data() + text.size();
  const auto [comma, x_error] = std::from_chars(text.data(), end, place.x);
  if (x_error == std::errc() && comma != end && *comma == ',') {
    const auto [rest, y_error] = std::from_chars(comma + 1, end, place.y);
    if (y_error == std::errc() && rest == end && std::isfinite(place.x) && std::isfinite(place.y)) return place;
  }
  throw Error(ErrorCode::invalid_option,
              InvalidOption{"point", "\"" + text + "\"", "must be X,Y in pixels, such as 310,122.5"});
}

// Refuses what the detector cannot show.
void require_fitting_files(const Command& command, const Call& call) {
  const std::string detector = fmt::format("with --detector {}", detector_of(call.detector).name);
  if (!has_differences(call.detector)) refuse_if_given(command, "--packed", detector);
  if (!describes(call.detector)) {
    const bool has_descriptors = detector_of(call.detector).has_descriptors;
    refuse_if_given(command, "--point", detector + (has_descriptors ? " without --describe" : ""));
  }
}

int print_estimate(const Call& call) {
  const auto estimate = [&](const ImageView& shape) {
    return std::vector{estimate_inspection(shape, !call.mask.empty(), call.detector, call.device, call.files)};
  };
  return print_estimates({.images = {{call.image, {}}}, .read = call.read, .estimate = estimate}, call.json);
}

int run(Call& call) {
  require_one_standard_input({call.image.string(), call.mask.string()});
  if (is_standard_stream(call.folder)) {
    throw WrongCall("--output -", "an inspection is many files, which need a folder");
  }
  call.standard_input = standard_input();
  Work work(Work::Signal::ends_program);
  const InspectResult result = work.run(inspect_image, call);
  print_whole(call.json ? result.files.json : text_of(call, result), call.json);
  return exit_done;
}

}  // namespace

void define_inspect(Command& command) {
  const auto call = std::make_shared<Call>();

  command.add_option("IMAGE", call->image).required();
  add_read_options(command, call->read);
  command.add_option("--mask", call->mask);

  CommandOption& output = command.add_option("-o,--output", call->folder).required();
  command.add_option("--point", [call](const std::string& text) { call->files.point = parse_point(text); });
  command.add_flag("--packed", call->files.packed);
  command.add_flag("--full", call->files.full);
  command.add_flag("--float", call->files.floats);
  command.add_flag("--json", call->json);
  add_estimate(command, "inspection", output, call->estimate);
  add_detector_options(command, call->detector, Descriptors::on_request);
  add_device_options(command, call->device);
  CommandOption& by_index = add_number(command, {.name = "frame", .low = 0, .high = 1e9}, call->frame.index);
  add_number(command, {.name = "time", .low = -1e6, .high = 1e6}, call->frame.seconds).excludes(by_index);
  add_clip_options(command, call->video, true);
  command.action = [call, &command] {
    call->frame.by_time = command.is_given("--time");
    if (looks_like_video(call->image)) {
      refuse_if_given(command, "--estimate", "with a video");
      if (call->mask.empty()) refuse_if_given(command, "--no-exif-rotation", "with a video");
      take_reading_options(command, call->read, call->video);
    } else {
      refuse_if_given(command, {"--frame", "--time", "--size"}, "without a video");
    }
    require_fitting_files(command, *call);
    return call->estimate ? print_estimate(*call) : run(*call);
  };
}

}  // namespace octavo::cli
