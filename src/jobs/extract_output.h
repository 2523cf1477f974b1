#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/json/json.h"
#include "io/results/result_folder.h"
#include "octavo/io/collection.h"
#include "octavo/jobs/image_jobs.h"

namespace octavo {
struct BatchResult;  // octavo/batch.h
}  // namespace octavo

namespace octavo::jobs {

/// "colmap", "npz", "json" or "hloc".
std::string_view name_of(FeatureFormat format);

/// The digest of the settings that determine features.
std::string digest_of_settings(const Json& settings);

/// What an image in a file of hloc's says of its making. `settings` is their digest.
std::string hloc_note(const std::string& settings, const ResultSource& source, std::size_t keypoints);

/// The settings that determine the features of an image.
using SettingsOfImage = std::function<Json(const ImageFile& image)>;

/// Where `octavo extract` writes its results.
class ExtractOutput {
 public:
  virtual ~ExtractOutput() = default;

  /// Throws if nothing can be written there. Makes the folder.
  virtual void prepare() const = 0;

  /// Whether the image is a result of an earlier run.
  [[nodiscard]] virtual bool is_result(const ImageFile& image) const = 0;

  /// The files that are written for an image.
  [[nodiscard]] virtual std::vector<std::filesystem::path> files(const ImageFile& image) const = 0;

  /// What is recorded of the image's features, or null if they must be made.
  [[nodiscard]] virtual const ResultRecord* up_to_date(const ImageFile& image) = 0;

  /// Writes the results of an image and records them. Throws the errors of the file.
  virtual void write(const ImageFile& image, const ResultSource& source, const BatchResult& result) = 0;

  /// Completes the output.
  virtual void finish() = 0;

  /// The images whose results were written before `write` or `finish` threw, and are lost by that. They are told
  /// once.
  [[nodiscard]] virtual std::vector<ImageFile> lost() { return {}; }
};

/// A folder with files for each image. With FeatureFormat::hloc it is a part of a shard, whose files
/// merge_hloc_features joins.
class ExtractFolder : public ExtractOutput {
 public:
  /// `settings` are those that an image's files have in common. Throws as ResultFolder does.
  ExtractFolder(const std::filesystem::path& folder, FeatureFormat format, bool draw, SettingsOfImage settings);

  void prepare() const override;
  [[nodiscard]] bool is_result(const ImageFile& image) const override { return results_.holds(image.file); }
  [[nodiscard]] std::vector<std::filesystem::path> files(const ImageFile& image) const override;
  [[nodiscard]] const ResultRecord* up_to_date(const ImageFile& image) override;
  /// The same for an image that is made from another file, such as a frame of a video.
  [[nodiscard]] const ResultRecord* up_to_date(const ImageFile& image, const ResultSource& source);
  void write(const ImageFile& image, const ResultSource& source, const BatchResult& result) override;
  void finish() override { results_.finish(); }

 private:
  template <class Source>
  [[nodiscard]] const ResultRecord* up_to_date_with(const ImageFile& image, const Source& source) const;
  [[nodiscard]] std::vector<std::byte> bytes_of(const ImageFile& image, const ResultSource& source,
                                                const BatchResult& result) const;
  [[nodiscard]] std::filesystem::path features_name(const ImageFile& image) const;
  [[nodiscard]] std::string features_settings(const ImageFile& image) const;
  [[nodiscard]] std::string drawing_settings(const ImageFile& image) const;

  ResultFolder results_;
  FeatureFormat format_;
  bool draw_;
  SettingsOfImage settings_;
};

}  // namespace octavo::jobs
