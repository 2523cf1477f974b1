#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/stopwatch.h"
#include "jobs/extract_output.h"
#include "octavo/io/hloc.h"

namespace octavo::jobs {

/// One HDF5 file with the features of all pictures, in hloc's layout. A file that exists is extended. What the features
/// of a picture were made from is recorded beside them.
class ExtractHloc : public ExtractOutput {
 public:
  /// `settings` determine the features. Throws WrongCall for a name that does not end in .h5 or .hdf5.
  ExtractHloc(std::filesystem::path file, const Json& settings);

  void prepare() const override;
  [[nodiscard]] bool is_result(const PictureFile&) const override { return false; }
  [[nodiscard]] std::vector<std::filesystem::path> files(const PictureFile&) const override { return {file_}; }
  [[nodiscard]] const ResultRecord* up_to_date(const PictureFile& picture) override;
  void write(const PictureFile& picture, const ResultSource& source, const BatchResult& result) override;
  void finish() override;
  [[nodiscard]] std::vector<PictureFile> lost() override { return std::exchange(lost_, {}); }

 private:
  // A picture that was written.
  struct Written {
    PictureFile picture;
    std::string note;
  };

  // Ends the writer, which cannot be used again after it has saved or failed.
  void end_writer(void (HlocFeaturesWriter::*save)());
  void tell_lost(std::vector<Written> unsaved);

  std::filesystem::path file_;
  std::string settings_;                         // their digest
  std::optional<HlocFeatures> present_;          // the file as it was
  std::map<std::string, ResultRecord> records_;  // of the pictures that are up to date
  std::optional<HlocFeaturesWriter> writer_;
  std::vector<Written> unsaved_;  // by the writer
  std::vector<PictureFile> lost_;
  Stopwatch since_saved_;
};

}  // namespace octavo::jobs
