// Images are read when the mosaic needs them, and those that cannot be read are left out. Of videos frames are chosen
// first.

#include "octavo/jobs/mosaic_jobs.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "io/files/output_file.h"
#include "io/images/colour_profile.h"
#include "io/json/json.h"
#include "io/json/matrix_json.h"
#include "jobs/image_masks.h"
#include "jobs/mosaic_points.h"
#include "jobs/phases.h"
#include "jobs/read_input.h"
#include "jobs/video_views.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "octavo/io/image_formats.h"
#include "octavo/jobs/collection_jobs.h"
#include "octavo/video/video_file.h"

namespace octavo {
namespace jobs {
namespace {

namespace fs = std::filesystem;

void require_several(const MosaicJob& job) {
  const ImageFiles& found = job.images;
  const std::size_t images = found.images.size() + job.inputs.size();
  const bool has_video = std::ranges::any_of(found.images, looks_like_video, &ImageFile::file);
  if (images >= 2 || has_video) return;
  throw Error(found.problems.empty() ? ErrorCode::invalid_option : ErrorCode::file_error,
              fmt::format("a mosaic needs at least 2 images, but {} is found", images == 0 ? "none" : "only one"));
}

// Refuses outputs that are inputs or each other, and those that cannot be written.
void require_fit_outputs(const MosaicJob& job) {
  std::vector<fs::path> read{job.pairs, job.points};
  for (const ImageFile& image : job.images.images) read.push_back(image.file);
  std::set<fs::path> known;
  using Output = std::pair<const char*, const fs::path&>;
  for (const auto& [option, file] :
       {Output{"output", job.output}, Output{"draw_graph", job.graph}, Output{"draw_seams", job.seams}}) {
    if (file.empty()) continue;
    std::error_code unknown;  // a place that cannot be written is refused below
    const fs::path place = fs::weakly_canonical(fs::absolute(file), unknown);
    if (!place.empty() && !known.insert(place).second) {
      throw Error(ErrorCode::invalid_option, fmt::format("two outputs are the same file, '{}'", file.string()));
    }
    require_not_read(std::array{file}, read, option);
    require_writable_images(std::array{file}, true, option);
  }
}

// An image or a frame, with its values as they are stored.
struct Source {
  MosaicInput input;
  ImageMetadata metadata{};
};

Source source_of(const ImageFile& image, const ReadOptions& options, const Masks& masks) {
  const fs::path& file = image.file;
  Source source{{file.string(), [=, name = image.name, &masks] {
                   Photograph photograph = masks.hidden(
                       name, file.string(), [&](const Image* mask) { return read_stored(file, options, mask); });
                   StoredImage stored(std::move(photograph.image), photograph.no_data, photograph.scale);
                   stored.focal_length = photograph.focal_length;
                   return stored;
                 }}};
  try {
    source.metadata = read_metadata(file);
  } catch (const Error& error) {  // it is told when the pixels are read
    if (error.code() != ErrorCode::file_error) throw;
  }
  return source;
}

// A frame without what its mask hides.
MosaicInput hidden(MosaicInput frame, const Masks& masks) {
  frame.load = [load = std::move(frame.load), name = frame.name, &masks] {
    StoredImage stored = load();
    const auto read = [&](const Image*) { return Photograph{.image = std::move(stored.image), .focal_length = {}}; };
    stored.image = masks.hidden(name, name, read).image;
    return stored;
  };
  return frame;
}

// The images, and frames of the videos. A video that cannot be read is told to the context, and to the problems.
std::vector<Source> find_sources(const MosaicJob& job, const Masks& masks, const JobContext& context,
                                 std::vector<std::string>& problems) {
  std::vector<Source> sources;
  for (const ImageFile& image : job.images.images) {
    if (!looks_like_video(image.file)) {
      sources.push_back(source_of(image, job.read, masks));
      continue;
    }
    try {
      for (MosaicInput& view : views_of_video(image.file, job.read.max_pixels, as_items(context.progress))) {
        sources.push_back({hidden(std::move(view), masks)});
      }
    } catch (const Error& error) {
      if (error.code() != ErrorCode::file_error) throw;
      problems.emplace_back(error.what());
      report_failure(context, error.what());
    }
  }
  for (const MosaicInput& input : job.inputs) sources.push_back({hidden(input, masks)});
  if (sources.size() < 2) {
    throw Error(ErrorCode::file_error, fmt::format("a mosaic needs at least 2 images, but the videos show {}",
                                                   sources.empty() ? "none" : "one view alone"));
  }
  return sources;
}

// The profile of the mosaic: the one of RGB that most images have, of several the first. Empty: sRGB.
std::vector<std::byte> most_common_profile(std::span<const Source> sources) {
  std::map<std::vector<std::byte>, int> counts;
  for (const Source& source : sources) ++counts[source.metadata.icc];
  std::vector<std::byte> best;
  int most = 0;
  for (const auto& [input, metadata] : sources) {
    const bool is_fit = metadata.icc.empty() || io::colours_of_profile(metadata.icc) == io::ProfileColours::rgb;
    if (is_fit && counts[metadata.icc] > most) most = counts[metadata.icc], best = metadata.icc;
  }
  return best;
}

// The images with the profile of the mosaic. Values of a unit of their own are no colours.
std::vector<MosaicInput> with_one_profile(std::span<const Source> sources, std::span<const std::byte> profile) {
  std::vector<MosaicInput> inputs;
  for (const auto& [input, metadata] : sources) {
    inputs.push_back(input);
    const std::span<const std::byte> own = metadata.icc;
    if (std::ranges::equal(own, profile)) continue;
    inputs.back().load = [load = input.load, own, profile] {
      StoredImage stored = load();
      const ValueRange full = full_scale(stored.image.type(), {});
      if (stored.scale.value_or(full) == full) {
        stored.image = io::with_profile(std::move(stored.image), own, profile);
      }
      return stored;
    };
  }
  return inputs;
}

// The options with the pairs and the points that are asked for by text. What their lines lack is told, and is a
// problem.
MosaicOptions with_lists(const MosaicJob& job, const JobContext& context, std::vector<std::string>& problems) {
  MosaicOptions options = job.mosaic;
  if (job.pairs == "all" && job.points.empty()) return options;
  if (std::ranges::any_of(job.images.images, looks_like_video, &ImageFile::file)) {
    throw Error(ErrorCode::invalid_option, "the frames of videos have no pairs or points that can be listed");
  }
  const auto tell = [&](const std::vector<std::string>& lacking) {
    for (const std::string& problem : lacking) report_failure(context, problem);
    problems.insert(problems.end(), lacking.begin(), lacking.end());
  };
  if (job.pairs != "all") {
    if (const auto same = same_name(job.images.images)) {
      throw Error(ErrorCode::invalid_option, fmt::format("{} and {} have the same name in a list of pairs",
                                                         same->first.file.string(), same->second.file.string()));
    }
    PairList list = pairs_by_text(
        job.pairs, {.images = job.images.images, .options = {}, .read = job.read, .device = job.device}, context);
    options.pairs = std::move(list.pairs);
    tell(list.problems);
  }
  if (!job.points.empty()) {
    PointList list = read_mosaic_points(job.points, job.images.images);
    options.points = std::move(list.points);
    tell(list.problems);
  }
  return options;
}

// Of 100 parts of the time that a mosaic of nine photographs of 4 megapixels takes on two cores. Few images have no
// choice of likely pairs, and some need fewer rounds: their phases are over at once.
std::vector<Phase> phases_of(const MosaicJob& job) {
  std::vector<Phase> phases{{"features", 21},
                            {"matches", 1},
                            {"matches", 4},
                            {"comparing intensities", 2},
                            {"patterns that repeat", 1},
                            {"adjusting", 6},
                            {"comparing intensities", 1},
                            {"adjusting", 5},
                            {"comparing intensities", 1},
                            {"adjusting", 5},
                            {"exposure", 1},
                            {"seams", 6}};
  if (!job.output.empty() || job.take) phases.push_back({"blending", 46});
  return phases;
}

// The plan. What extracts and matches ends with it: to draw takes as much memory.
MosaicPlan planned(Extractor extractor, Matcher matcher, const MosaicJob& job, std::span<const MosaicInput> inputs,
                   const MosaicOptions& options, const ProgressSink& steps) {
  return plan_mosaic(inputs, extractor, matcher, job.robust, options, steps);
}

ImageMetadata metadata_of(const MosaicPlan& plan, std::span<const Source> sources,
                          const std::vector<std::byte>& profile) {
  std::vector<ImageMetadata> images;
  for (const Source& source : sources) images.push_back(source.metadata);
  ImageMetadata metadata = mosaic_metadata(plan, images);
  metadata.icc = profile;  // which all images have now
  return metadata;
}

// What could not be read. The mosaic is that of the other images.
std::vector<std::string> unread(const MosaicPlan& plan) {
  std::vector<std::string> problems;
  for (const MosaicImage& image : plan.images) {
    if (image.status != MosaicImageStatus::failed) continue;
    const bool is_named = image.reason.find(image.name) != std::string::npos;
    problems.push_back(is_named ? image.reason : fmt::format("{}: {}", image.name, image.reason));
  }
  return problems;
}

const std::string& name_of(const MosaicPlan& plan, int image) {
  return plan.images[static_cast<std::size_t>(image)].name;
}

Json json_of_image(const MosaicImage& image) {
  Json json{{"image", image.name},          {"width", image.size.width},
            {"height", image.size.height},  {"keypoint_count", image.keypoints},
            {"status", word(image.status)}, {"reason", text_or_null(image.reason)}};
  if (image.status != MosaicImageStatus::placed) return json;
  json["frame_from_image"] = matrix_json(image.frame_from_image);
  json["focal_length"] = image.focal_length > 0 ? Json(image.focal_length) : Json();
  json["radial"] = image.radial;
  json["uncertainty"] = image.uncertainty;
  json["gain"] = image.gain;
  return json;
}

Json json_of_joined_pair(const MosaicPlan& plan, const MosaicPair& pair) {
  return {{"image_a", name_of(plan, pair.a)}, {"image_b", name_of(plan, pair.b)}, {"match_count", pair.matches},
          {"inlier_count", pair.inliers},     {"patch_count", pair.patches},      {"even_contrast", pair.even_contrast},
          {"by_hand", pair.by_hand},          {"confidence", pair.confidence},    {"status", word(pair.status)},
          {"residual", pair.residual},        {"held_out", pair.held_out},        {"loop_error", pair.loop_error}};
}

Json json_of_candidate(const MosaicCandidate& candidate) {
  return {{"model", word(candidate.model)},
          {"distortion", candidate.distortion},
          {"parameter_count", candidate.parameters},
          {"residual", candidate.residual},
          {"held_out", candidate.held_out}};
}

// What is known of a mosaic that is found.
Json json_of_found(const MosaicPlan& plan) {
  Json candidates = Json::array();
  for (const MosaicCandidate& one : plan.candidates) candidates.push_back(json_of_candidate(one));
  const Json canvas{{"width", plan.width},
                    {"height", plan.height},
                    {"scale", plan.scale},
                    {"left", plan.left},
                    {"top", plan.top},
                    {"bits", 8 * bytes_of(plan.depth)},
                    {"values", {plan.values.low, plan.values.high}}};
  return {{"model", word(plan.model)},
          {"why", plan.why},
          {"distortion", plan.distortion},
          {"candidates", candidates},
          {"reference", name_of(plan, plan.reference)},
          {"projection", word(plan.projection)},
          {"canvas", canvas},
          {"exposure", plan.exposure},
          {"residual", plan.residual},
          {"held_out", plan.held_out},
          {"loop_error", plan.loop_error ? Json(*plan.loop_error) : Json()},
          {"vignetting", plan.vignetting}};
}

}  // namespace
}  // namespace jobs

std::string json_of(const MosaicResult& result) {
  const MosaicPlan& plan = result.plan;
  Json json{{"found", plan.found}, {"reason", text_or_null(plan.reason)}};
  if (plan.found) json.update(jobs::json_of_found(plan));
  json.update({{"images", Json::array()}, {"pairs", Json::array()}, {"files", Json::array()}});
  for (const MosaicImage& image : plan.images) json["images"].push_back(jobs::json_of_image(image));
  for (const MosaicPair& pair : plan.pairs) json["pairs"].push_back(jobs::json_of_joined_pair(plan, pair));
  for (const std::filesystem::path& file : result.files) json["files"].push_back(file.string());
  json["warnings"] = plan.warnings;
  json["problems"] = result.problems;
  return json_text(json);
}

MosaicResult make_mosaic(const MosaicJob& job, const JobContext& context) {
  for (const std::string& problem : job.images.problems) report_failure(context, problem);
  jobs::require_several(job);
  jobs::require_fit_outputs(job);
  std::vector<std::string> problems = job.images.problems;
  const MosaicOptions options = jobs::with_lists(job, context, problems);
  DeviceOptions device = job.device;
  device.progress = context.progress;
  report_item(context.progress, "starting");
  Extractor extractor = make_extractor(job.detector, device);
  Matcher matcher(for_views(job.match, views_of(job.detector)), device);
  const Masks masks(job.mask, job.read);
  jobs::check_masks(masks, job.images.images, context);
  const std::vector<jobs::Source> sources = jobs::find_sources(job, masks, context, problems);
  const std::vector<std::byte> profile = jobs::most_common_profile(sources);
  const std::vector<MosaicInput> inputs = jobs::with_one_profile(sources, profile);
  const ProgressSink steps = jobs::in_phases(context.progress, jobs::phases_of(job));
  MosaicResult result{.plan = jobs::planned(std::move(extractor), std::move(matcher), job, inputs, options, steps),
                      .files = {},
                      .problems = std::move(problems)};
  const auto write = [&](const std::filesystem::path& file, const auto& draw) {
    if (file.empty() || !result.plan.found) return;
    draw(file);
    result.files.push_back(file);
  };
  write(job.graph, [&](const auto& file) { write_image(file, draw_mosaic_graph(result.plan).view()); });
  write(job.seams, [&](const auto& file) { write_image(file, draw_mosaic_seams(result.plan).view()); });
  write(job.output, [&](const auto& file) {
    write_mosaic(file, result.plan, inputs, jobs::metadata_of(result.plan, sources, profile), steps);
  });
  if (job.take && result.plan.found) job.take(draw_mosaic(result.plan, inputs, steps));
  for (const std::string& problem : jobs::unread(result.plan)) {
    report_failure(context, problem);
    result.problems.push_back(problem);
  }
  return result;
}

}  // namespace octavo
