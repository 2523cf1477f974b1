// The files of octavo extract: their names, their bytes, and the settings that determine these.

#include "jobs/extract_output.h"

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "io/features/hloc.h"
#include "io/files/content_digest.h"
#include "io/files/output_file.h"
#include "octavo/batch.h"
#include "octavo/io/drawing.h"
#include "octavo/io/feature_files.h"
#include "octavo/io/image_files.h"

namespace octavo::jobs {
namespace {

namespace fs = std::filesystem;
struct FormatFacts {
  std::string_view name, ending;
};
constexpr std::array<FormatFacts, 4> formats{{{"colmap", ".txt"}, {"npz", ".npz"}, {"json", ".json"}, {"hloc", ".h5"}}};

const FormatFacts& facts_of(FeatureFormat format) { return formats[static_cast<std::size_t>(format)]; }

fs::path drawing_name(const ImageFile& image) {
  fs::path name = image.name;
  return name += ".keypoints.png";
}

}  // namespace

std::string digest_of_settings(const Json& settings) {
  const std::string text = json_text(settings);
  return content_digest(std::as_bytes(std::span(text)));
}

std::string hloc_note(const std::string& settings, const ResultSource& source, std::size_t keypoints) {
  return json_text({{"settings", settings}, {"digest", source.digest}, {"keypoints", keypoints}});
}

std::string_view name_of(FeatureFormat format) { return facts_of(format).name; }

ExtractFolder::ExtractFolder(const fs::path& folder, FeatureFormat format, bool draw, SettingsOfImage settings)
    : results_(folder), format_(format), draw_(draw), settings_(std::move(settings)) {}

void ExtractFolder::prepare() const {
  require_writable_folder(results_.folder());
  make_folder(results_.folder());
}

std::vector<fs::path> ExtractFolder::files(const ImageFile& image) const {
  std::vector<fs::path> files{results_.folder() / features_name(image)};
  if (draw_) files.push_back(results_.folder() / drawing_name(image));
  return files;
}

const ResultRecord* ExtractFolder::up_to_date(const ImageFile& image) { return up_to_date_with(image, image.file); }

const ResultRecord* ExtractFolder::up_to_date(const ImageFile& image, const ResultSource& source) {
  return up_to_date_with(image, source);
}

template <class Source>
const ResultRecord* ExtractFolder::up_to_date_with(const ImageFile& image, const Source& source) const {
  if (draw_ && results_.up_to_date(drawing_name(image), source, drawing_settings(image)) == nullptr) return nullptr;
  return results_.up_to_date(features_name(image), source, features_settings(image));
}

void ExtractFolder::write(const ImageFile& image, const ResultSource& source, const BatchResult& result) {
  std::vector<ResultFile> files{
      {.name = features_name(image), .settings = features_settings(image), .bytes = bytes_of(image, source, result)}};
  if (draw_) {
    const Image drawing = draw_keypoints(result.image.view(), result.features.keypoints);
    files.push_back({.name = drawing_name(image),
                     .settings = drawing_settings(image),
                     .bytes = encode_image(drawing_name(image).string(), drawing.view())});
  }
  results_.write(source, result.features.size(), files);
}

std::vector<std::byte> ExtractFolder::bytes_of(const ImageFile& image, const ResultSource& source,
                                               const BatchResult& result) const {
  if (format_ != FeatureFormat::hloc) return features_bytes(format_, image.file.string(), result.features);
  return encode_hloc_features(image.name.generic_string(), result.features,
                              {result.image.width(), result.image.height()},
                              hloc_note(digest_of_settings(settings_(image)), source, result.features.size()));
}

fs::path ExtractFolder::features_name(const ImageFile& image) const {
  fs::path name = image.name;
  return name += facts_of(format_).ending;
}

std::string ExtractFolder::features_settings(const ImageFile& image) const {
  Json settings = settings_(image);
  settings["format"] = facts_of(format_).name;
  if (format_ == FeatureFormat::json) settings["image"] = image.file.string();  // stands in the file
  return json_text(settings);
}

std::string ExtractFolder::drawing_settings(const ImageFile& image) const {
  Json settings = settings_(image);
  settings["format"] = "drawing";
  return json_text(settings);
}

}  // namespace octavo::jobs

namespace octavo {
namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::vector<std::byte> features_bytes(FeatureFormat format, const std::string& name, const Features& features) {
  switch (format) {
    case FeatureFormat::npz:
      return encode_npz_features(name, features);
    case FeatureFormat::json:
      return bytes_of(json_features(name, features) + "\n");
    case FeatureFormat::colmap:
    case FeatureFormat::hloc:
      break;
  }
  return bytes_of(colmap_features(name, features));
}

}  // namespace octavo
