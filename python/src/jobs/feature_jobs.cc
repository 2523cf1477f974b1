// Jobs that write files: features, descriptions, matches, filtered images, inspections, and merged parts.

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "features.h"
#include "gil.h"
#include "jobs/bindings.h"
#include "jobs/job_options.h"
#include "jobs/other_features.h"
#include "jobs/record.h"
#include "jobs/work.h"
#include "left_work.h"
#include "octavo/choices.h"
#include "octavo/error.h"
#include "octavo/io/feature_files.h"
#include "octavo/jobs/collection_jobs.h"
#include "octavo/jobs/image_jobs.h"
#include "octavo/jobs/match_jobs.h"
#include "octavo/video/video_file.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

namespace fs = std::filesystem;

FeatureFormat format_of(const std::string& word) {
  return choice_of<FeatureFormat>("format", word, std::array<std::string_view, 4>{"colmap", "npz", "json", "hloc"});
}

Told<ExtractSummary> extract(const std::vector<fs::path>& files, const fs::path& output, const std::string& format,
                             bool recursive, bool draw, bool skip_existing, bool one_range,
                             const std::optional<fs::path>& mask, const std::optional<std::string>& shard,
                             const nb::dict& given, nb::object progress) {
  ExtractJob job{
      .images = {}, .output = output, .format = format_of(format), .draw = draw, .skip_existing = skip_existing};
  Work work(std::move(progress));
  work.run([&](const JobContext&) { find_inputs(job, names_of(files), recursive); });
  Keywords keywords("extract", given);
  set_read(job.read, keywords);
  set_reading(job.video, job.read);
  if (job.are_videos) keywords.set(job.video);
  set_detector(job.detector, keywords, false);
  keywords.set(job.device);
  keywords.finish();
  if (mask) job.mask = *mask;
  if (shard) job.shard = shard_of_text(*shard);
  if (one_range && job.are_videos) throw Error(ErrorCode::invalid_argument, "one_range has no effect with videos");
  return work.tell([&](const JobContext& context) {
    if (one_range) take_one_range(names_of(files), recursive, job.read);
    for (const std::string& problem : job.problems) report_failure(context, problem);
    return extract_features(job, context);
  });
}

struct Matched : MatchSummary {
  std::size_t images = 0;
};

// Calls `take` with a pair. False: it raised an exception, which is kept.
bool hand_over(const MatchedImages& pair, const nb::object& take, std::optional<nb::python_error>& raised) {
  const WithGil acquire;
  try {
    nb::object inliers = nb::none();
    if (pair.model != nullptr) inliers = nb::cast(mask_of(pair.model->inliers)).attr("view")("bool");
    take(text_of(pair.a.name.string()), text_of(pair.b.name.string()),
         python_matches({pair.matches.begin(), pair.matches.end()}), inliers);
  } catch (nb::python_error& error) {
    raised.emplace(std::move(error));
  }
  return !raised;
}

Told<Matched> match_files(const fs::path& a, const fs::path& b, const std::optional<fs::path>& output,
                          const std::string& pairs, const std::string& verify, const std::vector<double>& camera,
                          bool recursive, bool one_range, const std::optional<fs::path>& mask,
                          const nb::object& features, const nb::object& take, const nb::dict& given,
                          nb::object progress) {
  const OtherFeatures others(features);
  MatchJob job;
  job.verification.by = choice_of<Verify>(
      "verify", verify, std::array<std::string_view, 4>{"none", "homography", "fundamental", "essential"});
  if (!camera.empty()) {
    if (job.verification.by != Verify::essential) {
      throw Error(ErrorCode::invalid_argument, "camera has no effect without verify=\"essential\"");
    }
    job.verification.camera = given_camera("camera", camera);
  }
  Keywords keywords("match", given);
  set_read(job.read, keywords);
  set_detector(job.detector, keywords);
  keywords.set(job.match);
  keywords.set(job.verification.robust);
  keywords.set(job.device);
  keywords.finish();
  others.require_effects(keywords, job.detector, mask || one_range);
  if (others.are_given()) {
    job.features = others.by_name();
    job.unit_length = others.unit_length();
  }
  if (output) job.output = *output;
  if (mask) job.mask = *mask;
  std::optional<nb::python_error> raised;
  if (!take.is_none()) job.take = [&](const MatchedImages& pair) { return hand_over(pair, take, raised); };
  Told<Matched> matched = Work(std::move(progress), Work::Stop::after_step).tell([&](const JobContext& context) {
    const MatchPlaces places{.a = a.string(), .b = b.string(), .recursive = recursive, .pairs = pairs};
    if (one_range) take_one_range(std::array{a.string(), (b.empty() ? a : b).string()}, recursive, job.read);
    job.pairs = find_image_pairs(places, job.read, job.device, context);
    const std::size_t images = job.pairs.images.size();
    return Matched{match_images(job, context), images};
  });
  if (raised) throw std::move(*raised);
  return matched;
}

Told<DescribeSummary> describe(const std::vector<std::array<fs::path, 3>>& items, const std::string& orientations,
                               const nb::dict& given, nb::object progress) {
  DescribeJob job;
  for (const auto& [file, keypoints, output] : items) job.items.push_back({file, keypoints, output});
  job.orientations =
      choice_of<OrientationFrom>("orientations", orientations, std::array<std::string_view, 2>{"keypoint", "image"});
  Keywords keywords("describe", given);
  set_read(job.read, keywords);
  set_detector(job.detector, keywords);
  keywords.set(job.device);
  keywords.finish();
  return Work(std::move(progress)).tell([&](const JobContext& context) { return describe_keypoints(job, context); });
}

Told<FilterSummary> filter(const std::vector<std::pair<fs::path, fs::path>>& items, const nb::dict& given,
                           nb::object progress) {
  FilterJob job;
  for (const auto& [file, output] : items) job.items.push_back({file, output});
  Keywords keywords("filter", given);
  set_read(job.read, keywords);
  keywords.set(job.options);
  keywords.set(job.device);
  keywords.finish();
  return Work(std::move(progress)).tell([&](const JobContext& context) { return filter_images(job, context); });
}

struct MergedParts {
  std::string kind;
  std::size_t shards = 0, items = 0;
  std::vector<std::string> problems;
};

struct Inspected {
  fs::path folder;
  std::string json;
};

Inspected inspect(const fs::path& image, const fs::path& folder, const std::optional<std::int64_t>& frame,
                  const std::optional<double>& time, const std::optional<std::array<double, 2>>& point, bool full,
                  bool floats, bool packed, const std::optional<fs::path>& mask, const nb::dict& given,
                  nb::object progress) {
  InspectJob job{.image = image, .folder = folder, .files = {.full = full, .floats = floats, .packed = packed}};
  if (frame && time) throw Error(ErrorCode::invalid_argument, "give frame or time, not both");
  if (frame) job.frame.index = *frame;
  if (time) job.frame = {.seconds = *time, .by_time = true};
  if (point) job.files.point = Point{(*point)[0], (*point)[1]};
  if (mask) job.mask = *mask;
  Keywords keywords("inspect", given);
  set_read(job.read, keywords);
  set_reading(job.video, job.read);
  if (looks_like_video(image)) keywords.set(job.video, {"every", "fps"});
  set_detector(job.detector, keywords, false);
  keywords.set(job.device);
  keywords.finish();
  return Work(std::move(progress)).run([&](const JobContext& context) {
    return Inspected{folder, inspect_image(job, context).files.json};
  });
}

MergedParts merge(const fs::path& to, const std::vector<fs::path>& parts) {
  return Work(nb::none()).run([&](const JobContext&) {
    MergeSummary summary = merge_parts(to, parts);
    return MergedParts{std::string(name_of(summary.kind)), summary.shards, summary.items, std::move(summary.problems)};
  });
}

// (keypoints, descriptors: N×D in float32) of an image.
nb::tuple read_numbers(const HlocFile& file, const fs::path& name) {
  NumberedFeatures features = file.read(name.string());
  const std::vector<std::size_t> shape{features.keypoints.size(), features.length};
  return nb::make_tuple(array_of_keypoints(std::move(features.keypoints)),
                        numpy_of(std::move(features.descriptors), shape));
}

nb::object load_features(const fs::path& file) {
  return python_features(run_or_leave([file] { return read_features(file); }));
}

}  // namespace

void bind_feature_jobs(nb::module_& m) {
  Record<Told<ExtractSummary>> extracted(m, "Extracted", "What an extraction has written.");
  extracted.with("images", &ExtractSummary::images, "Those of the job or its shard; of videos their number.")
      .with(
          "done", [](const ExtractSummary& s) { return s.done - s.failed; }, "Images or frames that are done.")
      .with("failed", &ExtractSummary::failed, "Images or frames that failed: `problems` say why.")
      .with("up_to_date", &ExtractSummary::up_to_date, "Those of them whose files were there.");
  add_told(extracted);
  Record<Told<Matched>> matched(m, "MatchedPairs", "What a matching of many images has done.");
  matched.with("images", &Matched::images, "Their number.")
      .with("pairs", &MatchSummary::pairs, "Pairs that were matched.")
      .with("doubtful", &MatchSummary::doubtful, "Those of them whose model is doubtful (geometry.ModelWarning).")
      .with("matches", &MatchSummary::matches, "Of all pairs.")
      .with("is_written", &MatchSummary::is_written, "The output has these pairs.");
  add_told(matched);
  Record<Told<DescribeSummary>> described(m, "DescribedImages", "What was described.");
  described
      .with(
          "done", [](const DescribeSummary& s) { return s.done - s.failed; }, "Images that are done.")
      .with("failed", &DescribeSummary::failed, "Images that failed: `problems` say why.");
  add_told(described);
  Record<Told<FilterSummary>> filtered(m, "FilteredImages", "What was filtered.");
  filtered
      .with(
          "done", [](const FilterSummary& s) { return s.done - s.failed; }, "Images that are done.")
      .with("failed", &FilterSummary::failed, "Images that failed: `problems` say why.");
  add_told(filtered);
  Record<MergedParts>(m, "Merged", "What a merge of the parts of shards has made.")
      .with("kind", &MergedParts::kind, "What the parts are: features, archive, ...")
      .with("shards", &MergedParts::shards, "Their number.")
      .with("items", &MergedParts::items, "Of all shards.")
      .with(
          "problems", [](const MergedParts& merged) { return texts_of(merged.problems); },
          "list[str]: what the shards and the merge could not do.");
  m.def("extract", &extract, nb::arg("images"), nb::arg("output"), nb::arg("format"), nb::arg("recursive"),
        nb::arg("draw"), nb::arg("skip_existing"), nb::arg("one_range"), nb::arg("mask").none(),
        nb::arg("shard").none(), nb::arg("options"), nb::arg("progress").none());
  m.def("match", &match_files, nb::arg("a"), nb::arg("b"), nb::arg("output").none(), nb::arg("pairs"),
        nb::arg("verify"), nb::arg("camera"), nb::arg("recursive"), nb::arg("one_range"), nb::arg("mask").none(),
        nb::arg("features").none(), nb::arg("take").none(), nb::arg("options"), nb::arg("progress").none());
  m.def("describe", &describe, nb::arg("items"), nb::arg("orientations"), nb::arg("options"),
        nb::arg("progress").none());
  m.def("filter", &filter, nb::arg("items"), nb::arg("options"), nb::arg("progress").none());
  Record<Inspected>(m, "InspectedImage", "The files of an inspection.")
      .with("folder", &Inspected::folder, "Path: has index.html and the images.")
      .with("json", &Inspected::json, "The content of inspect.json.");
  m.def("inspect", &inspect, nb::arg("image"), nb::arg("folder"), nb::arg("frame").none(), nb::arg("time").none(),
        nb::arg("point").none(), nb::arg("full"), nb::arg("floats"), nb::arg("packed"), nb::arg("mask").none(),
        nb::arg("options"), nb::arg("progress").none());
  m.def("merge", &merge, nb::arg("to"), nb::arg("parts"));
  nb::class_<HlocFile>(m, "HlocFile", "hloc's file of features.")
      .def(nb::init<const fs::path&>(), nb::arg("file"))
      .def_prop_ro("names", [](const HlocFile& file) { return texts_of(file.names()); })
      .def("read", &read_numbers, nb::arg("name"));
  m.def("read_features", &load_features, nb::arg("file"));
}

}  // namespace octavo::python
