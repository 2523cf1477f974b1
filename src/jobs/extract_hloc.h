#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/stopwatch.h"
#include "io/features/hloc.h"
#include "jobs/extract_output.h"

namespace octavo::jobs {

/// One HDF5 file with the features of all images, in hloc's layout. A file that exists is extended. What the features
/// of an image were made from is recorded beside them.
class ExtractHloc : public ExtractOutput {
 public:
  /// `settings` determine the features. Throws WrongCall for a name that does not end in .h5 or .hdf5.
  ExtractHloc(std::filesystem::path file, SettingsOfImage settings);

  void prepare() const override;
  [[nodiscard]] bool is_result(const ImageFile&) const override { return false; }
  [[nodiscard]] std::vector<std::filesystem::path> files(const ImageFile&) const override { return {file_}; }
  [[nodiscard]] const ResultRecord* up_to_date(const ImageFile& image) override;
  void write(const ImageFile& image, const ResultSource& source, const BatchResult& result) override;
  void finish() override;
  [[nodiscard]] std::vector<ImageFile> lost() override { return std::exchange(lost_, {}); }

 private:
  // An image that was written.
  struct Written {
    ImageFile image;
    std::string note;
  };

  // Ends the writer, which cannot be used again after it has saved or failed.
  void end_writer(void (HlocFeaturesWriter::*save)());
  void tell_lost(std::vector<Written> unsaved);

  std::filesystem::path file_;
  SettingsOfImage settings_;
  std::optional<HlocFeatures> present_;          // the file as it was
  std::map<std::string, ResultRecord> records_;  // of the images that are up to date
  std::optional<HlocFeaturesWriter> writer_;
  std::vector<Written> unsaved_;  // by the writer
  std::vector<ImageFile> lost_;
  Stopwatch since_saved_;
};

}  // namespace octavo::jobs
