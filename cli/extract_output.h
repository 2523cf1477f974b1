#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/batch.h"
#include "octavo/pictures.h"
#include "octavo/result_folder.h"

namespace octavo::cli {

/// The formats of files of features.
enum class FeatureFormat { colmap, npz, json };

/// ".txt", ".npz" or ".json".
std::string_view ending_of(FeatureFormat format);

/// The bytes of a file of features. `name` is that of the picture.
std::vector<std::byte> features_bytes(FeatureFormat format, const std::string& name, const Features& features);

/// The folder into which `octavo extract` writes its results.
class ExtractOutput {
 public:
  /// `settings` are those that all files have in common. Throws as ResultFolder does.
  ExtractOutput(const std::filesystem::path& folder, FeatureFormat format, bool draw, nlohmann::ordered_json settings);

  /// Whether the picture is a result of an earlier run in this folder.
  [[nodiscard]] bool is_result(const PictureFile& picture) const { return results_.holds(picture.file); }

  /// The files that are written for a picture.
  [[nodiscard]] std::vector<std::filesystem::path> files(const PictureFile& picture) const;

  /// What the manifest says of the picture's features, or null if one of its files must be made.
  [[nodiscard]] const ResultRecord* up_to_date(const PictureFile& picture) const;

  /// Writes the files of a picture and records them. Throws the errors of the file.
  void write(const PictureFile& picture, const ResultSource& source, const BatchResult& result) const;

  /// Completes the manifest.
  void finish() const { results_.finish(); }

 private:
  [[nodiscard]] std::filesystem::path features_name(const PictureFile& picture) const;
  [[nodiscard]] std::string features_settings(const PictureFile& picture) const;
  [[nodiscard]] std::string drawing_settings() const;

  ResultFolder results_;
  FeatureFormat format_;
  bool draw_;
  nlohmann::ordered_json settings_;
};

}  // namespace octavo::cli
