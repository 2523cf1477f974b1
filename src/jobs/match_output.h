#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "io/features/hloc.h"
#include "io/files/output_file.h"
#include "octavo/jobs/match_jobs.h"

namespace octavo::jobs {

/// The file of the matches: a list for COLMAP, or hloc's. Pairs are written as they come, into a file that gets its
/// name at the end. All throw Error(file_error).
class MatchOutput {
 public:
  /// An empty `file`: there is none. `unit_length` is MatchJob's.
  MatchOutput(const std::filesystem::path& file, double unit_length);

  void add(const MatchedImages& pair);

  /// Gives the file its name. Returns whether there is one.
  bool finish();

 private:
  std::optional<OutputFile> list_;
  std::optional<HlocMatchesWriter> hloc_;  // in place of the list
};

}  // namespace octavo::jobs
