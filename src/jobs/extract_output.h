#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/json/json.h"
#include "io/results/result_folder.h"
#include "octavo/batch.h"
#include "octavo/io/find_images.h"
#include "octavo/jobs/extract_job.h"

namespace octavo::jobs {

/// "colmap", "npz", "json" or "hloc".
std::string_view name_of(FeatureFormat format);

/// The digest of the settings that determine features.
std::string digest_of_settings(const Json& settings);

/// What a picture in a file of hloc's says of its making. `settings` is their digest.
std::string hloc_note(const std::string& settings, const ResultSource& source, std::size_t keypoints);

/// Where `octavo extract` writes its results.
class ExtractOutput {
 public:
  virtual ~ExtractOutput() = default;

  /// Throws if nothing can be written there. Makes the folder.
  virtual void prepare() const = 0;

  /// Whether the picture is a result of an earlier run.
  [[nodiscard]] virtual bool is_result(const PictureFile& picture) const = 0;

  /// The files that are written for a picture.
  [[nodiscard]] virtual std::vector<std::filesystem::path> files(const PictureFile& picture) const = 0;

  /// What is recorded of the picture's features, or null if they must be made.
  [[nodiscard]] virtual const ResultRecord* up_to_date(const PictureFile& picture) = 0;

  /// Writes the results of a picture and records them. Throws the errors of the file.
  virtual void write(const PictureFile& picture, const ResultSource& source, const BatchResult& result) = 0;

  /// Completes the output.
  virtual void finish() = 0;

  /// The pictures whose results were written before `write` or `finish` threw, and are lost by that. They are told
  /// once.
  [[nodiscard]] virtual std::vector<PictureFile> lost() { return {}; }
};

/// A folder with files for each picture. With FeatureFormat::hloc it is a part of a shard, whose files
/// merge_hloc_features joins.
class ExtractFolder : public ExtractOutput {
 public:
  /// `settings` are those that all files have in common. Throws as ResultFolder does.
  ExtractFolder(const std::filesystem::path& folder, FeatureFormat format, bool draw, Json settings);

  void prepare() const override;
  [[nodiscard]] bool is_result(const PictureFile& picture) const override { return results_.holds(picture.file); }
  [[nodiscard]] std::vector<std::filesystem::path> files(const PictureFile& picture) const override;
  [[nodiscard]] const ResultRecord* up_to_date(const PictureFile& picture) override;
  /// The same for a picture that is made from another file, such as a frame of a video.
  [[nodiscard]] const ResultRecord* up_to_date(const PictureFile& picture, const ResultSource& source);
  void write(const PictureFile& picture, const ResultSource& source, const BatchResult& result) override;
  void finish() override { results_.finish(); }

 private:
  template <class Source>
  [[nodiscard]] const ResultRecord* up_to_date_with(const PictureFile& picture, const Source& source) const;
  [[nodiscard]] std::vector<std::byte> bytes_of(const PictureFile& picture, const ResultSource& source,
                                                const BatchResult& result) const;
  [[nodiscard]] std::filesystem::path features_name(const PictureFile& picture) const;
  [[nodiscard]] std::string features_settings(const PictureFile& picture) const;
  [[nodiscard]] std::string drawing_settings() const;

  ResultFolder results_;
  FeatureFormat format_;
  bool draw_;
  Json settings_;
};

}  // namespace octavo::jobs
