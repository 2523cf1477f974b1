// Matching takes the features from a database, in an order in which few of them are in memory: the images are divided
// into groups of which two have room, and the pairs of two groups are done together.

#include "multiview/colmap/filling.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <tuple>
#include <variant>

#include "io/exif/exif.h"
#include "io/images/mask.h"
#include "multiview/colmap/colmap_part.h"
#include "multiview/colmap/image_cache.h"
#include "multiview/colmap/pair_matching.h"
#include "octavo/batch.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo::colmap {
namespace {

// What the images of one camera have in common; empty: the image has a camera of its own.
std::string camera_key(const ColmapJob& job, const ImageFile& image, const CameraFacts& facts, ImageSize size) {
  switch (job.options.cameras) {
    case ColmapOptions::Cameras::one:
      return "all images";
    case ColmapOptions::Cameras::folder:
      return fmt::format("folder '{}'", image.name.parent_path().generic_string());
    case ColmapOptions::Cameras::image:
      return "";
    case ColmapOptions::Cameras::model:
      break;
  }
  const bool has_length = facts.focal_length || facts.focal_length_in_35mm;
  if (facts.make.empty() || facts.model.empty() || !has_length) return "";
  return fmt::format("{} {}, {} mm ({} mm on film), {} × {}", facts.make, facts.model, facts.focal_length.value_or(0),
                     facts.focal_length_in_35mm.value_or(0), size.width, size.height);
}

std::string key_of_known(const ColmapCamera& camera) {
  return fmt::format("known: {} × {}, model {}, {}", camera.size.width, camera.size.height,
                     static_cast<int>(camera.model), fmt::join(camera.params, " "));
}

bool is_upright(const DetectorOptions& options) {
  return detector_of(options).find("upright") != nullptr && std::get<bool>(option_of(options, "upright"));
}

ReadOptions read_as_stored(const ColmapJob& job) {
  ReadOptions read = job.read;
  read.apply_exif_rotation = false;
  return read;
}

// Keypoints beyond the edge are those of an image of another size, or that EXIF turns. A pixel is left for detectors
// whose origin is the corner.
void require_inside(const Features& features, const Image& image, const std::filesystem::path& file) {
  const auto is_outside = [&](const Keypoint& k) {
    return !(k.x >= -1 && k.y >= -1 && k.x <= static_cast<float>(image.width()) &&
             k.y <= static_cast<float>(image.height()));
  };
  const auto outside = std::ranges::find_if(features.keypoints, is_outside);
  if (outside == features.keypoints.end()) return;
  throw Error(ErrorCode::invalid_argument,
              fmt::format("{}: a keypoint lies at ({:g}, {:g}), but the image is {} × {} as it is stored: give places "
                          "[pixel] of the whole image, before EXIF turns it",
                          file.string(), outside->x, outside->y, image.width(), image.height()));
}

}  // namespace

ColmapSummary Filling::finish() {
  if (!is_stopped_) {
    database_.finish();
    summary_.is_finished = true;
  }
  return summary_;
}

DeviceOptions Filling::device() const {
  DeviceOptions device = job_.device;
  device.progress = context_.progress;
  return device;
}

void Filling::fail(const std::string& sentence) {
  ++summary_.failed;
  report_failure(context_, sentence);
}

void Filling::tell(std::string_view stage, std::string_view name, std::size_t done, std::size_t total) const {
  if (context_.progress) report_item(context_.progress, fmt::format("{} {}", stage, name), done, total);
}

ColmapImage Filling::row_of(const ImageFile& image, const Photograph& facts, ImageSize size) const {
  std::string name = image.name.generic_string();
  if (const auto known = job_.known_cameras.find(name); known != job_.known_cameras.end()) {
    const ColmapCamera& camera = known->second;
    return {std::move(name), camera, key_of_known(camera), facts.camera.place};
  }
  ColmapCamera camera = initial_camera(job_.options.camera_model, size, facts.focal_length);
  if (!job_.camera_params.empty()) camera.params = job_.camera_params, camera.prior_focal_length = true;
  return {.name = std::move(name),
          .camera = std::move(camera),
          .camera_key = camera_key(job_, image, facts.camera, size),
          .place = facts.camera.place};
}

Masks Filling::masks_of_job() const {
  Masks masks(job_.mask, job_.read);
  std::vector<std::filesystem::path> names;
  for (const ImageFile& image : job_.images) {
    if (!is_known(image)) names.push_back(image.name);
  }
  if (!names.empty()) masks.check(names, context_);
  return masks;
}

void Filling::extract(std::span<const ImageFile> images, Cameras cameras) {
  std::vector<const ImageFile*> missing;
  for (const ImageFile& image : images) {
    if (!database_.image_of(image.name.generic_string())) missing.push_back(&image);
  }
  summary_.images = images.size() - missing.size();
  if (missing.empty()) return;
  if (job_.features) {
    take_given(missing, cameras);
  } else {
    extract_by_detector(missing, cameras);
  }
}

void Filling::take_given(std::span<const ImageFile* const> images, Cameras cameras) {
  for (std::size_t i = 0; i < images.size() && !is_stopped(); ++i) {
    const ImageFile& image = *images[i];
    tell("reading", image.file.string(), i, images.size());
    Photograph photograph;
    Features features;
    try {
      photograph = read_photograph(image.file, read_as_stored(job_));
      features = job_.features(image.name.generic_string());
      require_inside(features, photograph.image, image.file);
    } catch (const Error& error) {
      fail(error.what());
      continue;
    }
    store(image, {photograph.image.width(), photograph.image.height()}, photograph, features, cameras);
  }
}

void Filling::extract_by_detector(std::span<const ImageFile* const> images, Cameras cameras) {
  Extractor extractor = make_extractor(described(job_.detector), device());
  const Masks masks = masks_of_job();
  const ReadOptions read = read_as_stored(job_);
  const bool turns = is_upright(job_.detector);  // up is that of the scene
  std::vector<Photograph> facts(images.size());  // without their pixels
  std::vector<BatchImage> sources;
  for (std::size_t i = 0; i < images.size(); ++i) {
    const ImageFile& named = *images[i];
    Photograph& told = facts[i];
    sources.push_back({named.file.string(), [&, &image = named, &known = told] {
                         Photograph photograph = is_known(image) ? read_photograph(image.file, read)
                                                                 : masks.read(image.file, image.name, read);
                         known.focal_length = photograph.focal_length;
                         known.camera = std::move(photograph.camera);
                         Image pixels = std::move(photograph.image);
                         return masked(turns ? io::turned_upright(std::move(pixels), known.camera.orientation)
                                             : std::move(pixels));
                       }});
  }
  Batch batch(extractor, std::move(sources));
  for (std::size_t i = 0; i < images.size() && !is_stopped(); ++i) {
    tell("extracting", images[i]->file.string(), i, images.size());
    BatchResult result = batch.next().value();
    if (result.failure) {
      fail(result.problem);
      continue;
    }
    ImageSize size{result.image.width(), result.image.height()};
    if (turns) size = io::turn_as_stored(result.features.keypoints, size, facts[i].camera.orientation);
    store(*images[i], size, facts[i], result.features, cameras);
  }
}

void Filling::store(const ImageFile& image, ImageSize size, const Photograph& facts, const Features& features,
                    Cameras cameras) try {
  ColmapImage row = row_of(image, facts, size);
  if (cameras == Cameras::noted) {
    database_.note(camera_note(row.name), row.camera_key);
    row.camera_key.clear();
  }
  database_.add(row, features);
  ++summary_.images;
  ++summary_.extracted;
  summary_.keypoints += features.size();
} catch (const Error& error) {
  if (error.code() == ErrorCode::file_error) throw;  // the database cannot be written
  fail(fmt::format("{}: {}", image.file.string(), error.what()));
}

bool Filling::is_done(const IdPair& pair) {
  return database_.has_matches(pair.first, pair.second) &&
         (!verifies() || database_.has_geometry(pair.first, pair.second));
}

std::set<IdPair> Filling::pairs_in(const FeatureSource& source) {
  std::map<std::size_t, std::optional<std::int64_t>> images;
  const auto image = [&](std::size_t index) {
    const auto [known, is_new] = images.try_emplace(index);
    if (is_new) known->second = source.image_of(job_.images[index].name.generic_string());
    return known->second;
  };
  std::set<IdPair> pairs;
  for (const auto& [a, b] : job_.pairs) {
    const auto in_a = image(a), in_b = image(b);
    if (in_a && in_b) pairs.insert(std::minmax(*in_a, *in_b));
  }
  names_.clear();
  for (const auto& [index, number] : images) {
    if (number) names_.emplace(*number, job_.images[index].name.generic_string());
  }
  return pairs;
}

// The pairs that are to be matched, those of two groups of images after each other. Counts the others as done.
std::vector<IdPair> Filling::missing_pairs(const std::set<IdPair>& pairs, const FeatureSource& source) {
  std::uint64_t largest = 1;
  for (const auto& [number, name] : names_) largest = std::max(largest, source.bytes(number));
  std::vector<IdPair> missing;
  for (const IdPair& pair : pairs) {
    if (is_done(pair)) {
      ++summary_.pairs;
    } else {
      missing.push_back(pair);
    }
  }
  const auto group =
      static_cast<std::int64_t>(std::max<std::uint64_t>(1, std::min(memory(), gpu_memory()) / largest / 2));
  std::sort(missing.begin(), missing.end(), [&](const IdPair& one, const IdPair& other) {
    const auto place = [&](const IdPair& pair) {
      return std::tuple(pair.first / group, pair.second / group, pair.first, pair.second);
    };
    return place(one) < place(other);
  });
  return missing;
}

void Filling::match(const std::set<IdPair>& pairs, const FeatureSource& source) {
  const std::vector<IdPair> missing = missing_pairs(pairs, source);
  if (missing.empty()) return;
  ImageCache<FeaturesPointer> cache(memory());
  const auto side = [&](std::int64_t image) {
    return PairImage{image, cache.get(
                                image, [&] { return source.bytes(image); },
                                [&] { return std::make_shared<const Features>(source.features(image)); })};
  };
  PairMatching matching(job_, device());
  auto rest = missing.begin();
  while (matching.has_work() || (rest != missing.end() && !is_stopped())) {
    if (rest != missing.end() && matching.has_room() && !is_stopped()) {
      tell("matching", names_[rest->first], static_cast<std::size_t>(rest - missing.begin()), missing.size());
      matching.begin(side(rest->first), side(rest->second));
      ++rest;
    } else {
      add(matching.next());
    }
  }
}

void Filling::add(const MatchedPair& pair) {
  try {
    if (pair.failure) std::rethrow_exception(pair.failure);
  } catch (const Error& error) {
    return fail(fmt::format("{}: {}", names_[pair.a.image], error.what()));
  }
  const bool has_model = pair.model && pair.model->found;
  database_.add_matches(pair.a.image, pair.b.image, pair.matches, pair.model ? &*pair.model : nullptr, pair.verified);
  ++summary_.pairs;
  ++summary_.matched;
  summary_.matches += pair.matches.size();
  summary_.verified += has_model;
  if (has_model) summary_.inliers += static_cast<std::uint64_t>(pair.model->inlier_count);
}

}  // namespace octavo::colmap
