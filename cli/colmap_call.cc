#include "cli/colmap_call.h"

#include <fmt/core.h>

#include <vector>

#include "cli/complaint.h"
#include "cli/detector.h"
#include "cli/inputs.h"
#include "cli/list.h"
#include "cli/options.h"
#include "octavo/jobs/collection_jobs.h"

namespace octavo::cli {
void add_collection_options(Command& command, CollectionJob& job, bool& recursive) {
  ColmapJob& colmap = job.colmap;
  command.add_option("--pairs", job.pairs).default_str(job.pairs);
  command.add_flag("--recursive", recursive);
  print_warnings(colmap.read);
  add_options(command, colmap.read, {"apply_exif_rotation"});
  add_one_range(command);
  command.add_option("--mask", colmap.mask);
  add_options(command, colmap.options);
  const auto take = [&colmap](const std::vector<double>& numbers) { colmap.camera_params = numbers; };
  add_numbers(command, "--camera-params", take);
  add_match_options(command, colmap.match);
  add_options(command, colmap.robust);
  add_detector_options(command, colmap.detector, Descriptors::always);
  add_device_options(command, colmap.device);
}

void require_effects(const Command& command, const CollectionJob& job) {
  const ColmapJob& colmap = job.colmap;
  require_effects(command, colmap.options);
  refuse_without_gpu(command, "--gpu-feature-memory", colmap.device);
  if (colmap.options.verify == ColmapOptions::Verify::none)
    refuse_options<RobustOptions>(command, "without --verify usac");
  static_cast<void>(pair_options_of(job.pairs));  // throws for a wrong number
  const std::size_t wanted = parameter_count(colmap.options.camera_model);
  if (!colmap.camera_params.empty() && colmap.camera_params.size() != wanted) {
    throw WrongCall(fmt::format("--camera-params has {} numbers, but the camera model has {}",
                                colmap.camera_params.size(), wanted));
  }
}

}  // namespace octavo::cli
