// Which images of a collection are matched, and a database of COLMAP.

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "jobs/bindings.h"
#include "jobs/collection.h"
#include "jobs/job_options.h"
#include "jobs/other_features.h"
#include "jobs/record.h"
#include "jobs/work.h"
#include "octavo/error.h"
#include "octavo/jobs/collection_jobs.h"

namespace nb = nanobind;

namespace octavo::python {

void set_collection(CollectionJob& job, Keywords& keywords) {
  ColmapJob& colmap = job.colmap;
  keywords.set(colmap.options);
  keywords.set(colmap.read, {"apply_exif_rotation"});
  print_warnings(colmap.read);
  set_detector(colmap.detector, keywords);
  keywords.set(colmap.match);
  keywords.set(colmap.robust);
  keywords.set(colmap.device);
}

namespace {

namespace fs = std::filesystem;

// The pairs that were chosen, and the names of the images.
struct Pairs : ChosenPairs {
  std::vector<std::string> names;
};

void refuse_if(bool is_wrong, const char* sentence) {
  if (is_wrong) throw Error(ErrorCode::invalid_argument, sentence);
}

Told<Pairs> choose(const std::vector<fs::path>& places, const std::optional<fs::path>& features, bool recursive,
                   bool one_range, const std::optional<fs::path>& output, const std::optional<fs::path>& image,
                   const std::optional<std::string>& shard, const nb::dict& given, nb::object progress) {
  PairsJob job{.images = {}, .of_features = features.has_value(), .are_listed = output.has_value()};
  Keywords keywords("pairs", given);
  keywords.set(job.options);
  set_read(job.read, keywords);
  set_detector(job.detector, keywords);
  keywords.set(job.device);
  keywords.finish();
  refuse_if(places.empty() != features.has_value(), "pairs are those of images or of features: give one of the two");
  refuse_if(shard && !output, "a shard needs an output, the file of its part");
  refuse_if(image && (shard || job.options.by != PairsBy::retrieval),
            "image shows likeness: it needs by=\"retrieval\", without a shard");
  refuse_if(one_range && features, "one_range has no effect with features");
  if (!shard) job.output = output.value_or(fs::path());
  job.image = image.value_or(fs::path());
  CollectionPlaces where{.images = names_of(places), .recursive = recursive, .are_listed = output.has_value()};
  if (features) where.features = *features;
  return Work(std::move(progress)).tell([&](const JobContext& context) {
    if (one_range) take_one_range(where.images, recursive, job.read);
    ImageFiles found = find_collection(where);
    for (const std::string& problem : found.problems) report_failure(context, problem);
    job.images = std::move(found.images);
    Pairs pairs;
    if (job.images.empty()) return pairs;  // an earlier list stays
    if (shard) {
      write_pairs_shard(*output, job, shard_of_text(*shard), found.problems, context);
    } else {
      pairs = {choose_pairs(job, context), {}};
    }
    for (const ImageFile& one : job.images) pairs.names.push_back(one.name.string());
    return pairs;
  });
}

Told<ColmapSummary> make(const std::vector<fs::path>& places, const fs::path& database, const std::string& pairs,
                         bool recursive, bool one_range, const std::optional<fs::path>& mask,
                         const std::vector<double>& camera_params, const std::optional<std::string>& shard,
                         const std::optional<fs::path>& features, const nb::object& other_features,
                         const nb::dict& given, nb::object progress) {
  const OtherFeatures others(other_features);
  CollectionJob job{.found = {}, .pairs = pairs, .database = database};
  Keywords keywords("colmap", given);
  set_collection(job, keywords);
  keywords.finish();
  others.require_effects(keywords, job.colmap.detector, mask || one_range);
  job.colmap.features = others.by_name();
  job.colmap.features_rule = others.rule();
  job.colmap.camera_params = camera_params;
  if (mask) job.colmap.mask = *mask;
  if (shard) job.shard = shard_of_text(*shard);
  refuse_if(features && !shard, "features have no effect without a shard");
  job.features = features.value_or(fs::path());
  return Work(std::move(progress)).tell([&](const JobContext& context) {
    if (one_range) take_one_range(names_of(places), recursive, job.colmap.read);
    job.found = find_images(names_of(places), recursive);
    return make_database(job, context);
  });
}

}  // namespace

void bind_collections(nb::module_& m) {
  Record<Told<Pairs>> pairs(m, "Pairs", "Which images of a collection are to be matched.");
  pairs
      .with(
          "names", [](const Pairs& p) { return texts_of(p.names); },
          "list[str]: the images, as lists of pairs name them.")
      .with(
          "pairs",
          [](const Pairs& p) {
            return table_of(p.pairs, 2, [](const ImagePair& pair) {
              return std::array<std::int64_t, 2>{static_cast<std::int64_t>(pair.first),
                                                 static_cast<std::int64_t>(pair.second)};
            });
          },
          "N x 2 in int64: indices of the images, the smaller one first.")
      .with("notes", &ChosenPairs::notes, "list[str]: images without pairs, a sentence each.");
  add_told(pairs);
  Record<Told<ColmapSummary>> summary(m, "ColmapSummary", "What was put into a database of COLMAP.");
  summary.with("images", &ColmapSummary::images, "Images of the job that the database has.")
      .with("extracted", &ColmapSummary::extracted, "Those whose features were made now.")
      .with("failed", &ColmapSummary::failed, "Images and pairs that could not be done.")
      .with("keypoints", &ColmapSummary::keypoints, "Of the extracted images.")
      .with("pairs", &ColmapSummary::pairs, "Pairs of the job that the database has.")
      .with("matched", &ColmapSummary::matched, "Those that were matched now.")
      .with("matches", &ColmapSummary::matches, "Of these pairs.")
      .with("verified", &ColmapSummary::verified, "Matched pairs with a fundamental matrix.")
      .with("inliers", &ColmapSummary::inliers, "Of these.");
  add_told(summary);
  m.def("pairs", &choose, nb::arg("images"), nb::arg("features").none(), nb::arg("recursive"), nb::arg("one_range"),
        nb::arg("output").none(), nb::arg("image").none(), nb::arg("shard").none(), nb::arg("options"),
        nb::arg("progress").none());
  m.def("colmap", &make, nb::arg("images"), nb::arg("database"), nb::arg("pairs"), nb::arg("recursive"),
        nb::arg("one_range"), nb::arg("mask").none(), nb::arg("camera_params"), nb::arg("shard").none(),
        nb::arg("features").none(), nb::arg("other_features").none(), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace octavo::python
