// Images are read when the mosaic needs them, and those that cannot be read are left out.

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
#include "jobs/mosaic_points.h"
#include "jobs/read_input.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "octavo/io/image_metadata.h"
#include "octavo/jobs/collection_jobs.h"

namespace octavo {
namespace jobs {
namespace {

namespace fs = std::filesystem;

void require_several(const ImageFiles& found) {
  if (found.images.size() >= 2) return;
  throw Error(
      found.problems.empty() ? ErrorCode::invalid_option : ErrorCode::file_error,
      fmt::format("a mosaic needs at least 2 images, but {} is found", found.images.empty() ? "none" : "only one"));
}

// Refuses outputs that are inputs or each other, and those that cannot be written.
void require_fit_outputs(const MosaicJob& job) {
  std::vector<fs::path> written, read{job.pairs, job.points};
  std::set<fs::path> known;
  for (const fs::path& file : {job.output, job.graph, job.seams}) {
    if (file.empty()) continue;
    written.push_back(file);
    std::error_code unknown;  // a place that cannot be written is refused below
    const fs::path place = fs::weakly_canonical(fs::absolute(file), unknown);
    if (!place.empty() && !known.insert(place).second) {
      throw Error(ErrorCode::invalid_option, fmt::format("two outputs are the same file, '{}'", file.string()));
    }
  }
  for (const ImageFile& image : job.images.images) read.push_back(image.file);
  require_not_read(written, read);
  require_writable_images(written, true);
}

// Files that cannot be read have none: they are told when their pixels are read.
std::vector<ImageMetadata> read_all_metadata(const ImageFiles& images) {
  std::vector<ImageMetadata> all(images.images.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    try {
      all[i] = read_metadata(images.images[i].file);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::file_error) throw;
    }
  }
  return all;
}

// The profile of the mosaic: the one of RGB that most images have, of several the first. Empty: sRGB.
std::vector<std::byte> most_common_profile(std::span<const ImageMetadata> images) {
  std::map<std::vector<std::byte>, int> counts;
  for (const ImageMetadata& image : images) ++counts[image.icc];
  std::vector<std::byte> best;
  int most = 0;
  for (const ImageMetadata& image : images) {
    const bool is_fit = image.icc.empty() || io::colours_of_profile(image.icc) == io::ProfileColours::rgb;
    if (is_fit && counts[image.icc] > most) most = counts[image.icc], best = image.icc;
  }
  return best;
}

// The image, with the profile of the mosaic. Values of a unit of their own are no colours.
StoredImage load_for_mosaic(const std::filesystem::path& file, const ReadOptions& options,
                            std::span<const std::byte> own, std::span<const std::byte> wanted) {
  Photograph photograph = read_stored(file, options);
  if (!std::ranges::equal(own, wanted) && photograph.scale == full_scale(photograph.image.type(), {})) {
    photograph.image = io::with_profile(std::move(photograph.image), own, wanted);
  }
  return {std::move(photograph.image), photograph.no_data, photograph.scale};
}

std::vector<MosaicInput> mosaic_inputs(const MosaicJob& job, std::span<const ImageMetadata> metadata,
                                       std::span<const std::byte> profile) {
  std::vector<MosaicInput> inputs;
  for (std::size_t i = 0; i < metadata.size(); ++i) {
    const std::filesystem::path& file = job.images.images[i].file;
    inputs.push_back({file.string(), [=, options = job.read, own = std::span(metadata[i].icc)] {
                        return load_for_mosaic(file, options, own, profile);
                      }});
  }
  return inputs;
}

// The options with the pairs and the points that are asked for by text. What their lines lack is told, and is a
// problem.
MosaicOptions with_lists(const MosaicJob& job, const JobContext& context, std::vector<std::string>& problems) {
  MosaicOptions options = job.mosaic;
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

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

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
  Json json{{"found", plan.found}, {"reason", jobs::text_or_null(plan.reason)}};
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
  jobs::require_several(job.images);
  jobs::require_fit_outputs(job);
  std::vector<std::string> problems = job.images.problems;
  const MosaicOptions options = jobs::with_lists(job, context, problems);
  DeviceOptions device = job.device;
  device.progress = context.progress;
  report_item(context.progress, "starting");
  Extractor extractor = make_extractor(job.detector, device);
  Matcher matcher(job.match, device);
  const std::vector<ImageMetadata> metadata = jobs::read_all_metadata(job.images);
  const std::vector<std::byte> profile = jobs::most_common_profile(metadata);
  const std::vector<MosaicInput> inputs = jobs::mosaic_inputs(job, metadata, profile);
  const ProgressSink steps = jobs::as_items(context.progress);
  MosaicResult result{.plan = plan_mosaic(inputs, extractor, matcher, job.robust, options, steps),
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
    ImageMetadata own = mosaic_metadata(result.plan, metadata);
    own.icc = profile;  // which all images have now
    write_mosaic(file, result.plan, inputs, own, steps);
  });
  for (const std::string& problem : jobs::unread(result.plan)) {
    report_failure(context, problem);
    result.problems.push_back(problem);
  }
  return result;
}

}  // namespace octavo
