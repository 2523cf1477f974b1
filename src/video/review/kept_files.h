#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "octavo/video/video_report.h"

// Which files to keep of those that are the same. Nothing is deleted: the list is for people and their programs.

namespace octavo::review {

struct KeptFile {
  bool is_kept = false;
  std::filesystem::path file;
  std::uint64_t size = 0;           ///< [byte]
  std::string reason;               ///< for people
  std::optional<std::size_t> pair;  ///< index into VideoReport::pairs of what says that it is the same; none: the bytes
};

/// Of each group of clips that are the same: the file to keep, with most pixels, of equal ones the longest, then the
/// largest; and the others, to drop. Files of the same bytes are the same. Clips are if a verdict says so, and with
/// `by_coverage` also if VideoReport::same_coverage of both lies within segments. Of a group of which a verdict also
/// says that two of its clips differ, all are kept.
std::vector<KeptFile> kept_files(const VideoReport& report, bool by_coverage);

/// CSV (RFC 4180) with the columns action ("keep", "drop"), path, size, reason and pair, a number from 1.
std::string csv_of(const std::vector<KeptFile>& files);

/// A script for bash that only says, in comments, which calls would delete the files to drop.
std::string script_of(const std::vector<KeptFile>& files, const std::filesystem::path& archive);

/// A path as a word of bash, on one line whatever is in it.
std::string shell_word(const std::filesystem::path& path);

}  // namespace octavo::review
