#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/internal_api.h"

// A folder of result files whose manifest says what each was made from. A job that is done again, or that was
// interrupted at any moment, thus does only what is missing or changed.

namespace OCTAVO_INTERNAL_API octavo {

/// A file that results are made from, as it was when it was read.
struct ResultSource {
  std::filesystem::path file{};  ///< as the caller names it
  std::uint64_t size = 0;        ///< [byte]
  std::int64_t modified = 0;     ///< [ns] time of the last change, since 1970; 0: not known, as for a pipe
  std::string digest{};          ///< of its bytes (content_digest)
};

/// A source and its bytes.
struct ReadSource {
  ResultSource source;
  std::vector<std::byte> bytes;
};

/// Reads a file. Throws Error(file_error), which names it and the reason, and Error(out_of_memory).
ReadSource read_source(const std::filesystem::path& file);

/// The facts of a file, whose bytes are read piece by piece. One that is no regular file, such as a camera or a pipe,
/// is not read: its name is all that is known. Throws Error(file_error).
ResultSource source_at(const std::filesystem::path& file);

/// A source whose bytes are in memory, such as the standard input.
ResultSource source_of(const std::filesystem::path& name, std::span<const std::byte> bytes);

/// A result file to be written.
struct ResultFile {
  std::filesystem::path name;  ///< its path below the folder
  std::string settings;        ///< a JSON object: everything but the source that determines the bytes
  std::vector<std::byte> bytes;
};

/// What the manifest knows of a result file.
struct ResultRecord {
  std::uint64_t size = 0;  ///< [byte]
  std::string digest{};
  std::string settings{};  ///< the digest of the settings
  std::uint64_t keypoints = 0;
  ResultSource source{};  ///< its `file` is the path from the folder, such as "../photos/a.png"
};

/// A folder of result files. Its manifest, `octavo-manifest.jsonl`, is a JSON object a line. The first is
/// {"octavo_manifest": 2}. One for each settings in use follows: {"settings": DIGEST, "values": {…}}. Then comes one
/// for each result file, by name: {"file", "size", "digest", "keypoint_count", "settings": DIGEST, "source":
/// {"file", "size", "modified", "digest"}}. The same sources, settings and paths give the same bytes.
///
/// While a job runs, its records are in `.octavo-manifest.journal`, which `finish` merges into the manifest. Every
/// record is written before its file. A record counts only if the file has its size and, where the file was changed
/// after the manifest or journal, its digest. So a job can be killed at any moment. Several processes can write to one
/// folder at the same time: each waits until the others have written an image's files.
class ResultFolder {
 public:
  /// Reads the manifest, and removes the unfinished files (`.NAME.part`) of a job that was killed. A folder that does
  /// not exist has no results. Throws Error(file_error) for a manifest that cannot be read or is not Octavo's.
  explicit ResultFolder(std::filesystem::path folder);

  /// The record of a result file that need not be made again: the file is whole, and was made from the same content
  /// with the same settings. The content of `source` is read only if its path, size or time are not those of the
  /// record. Null if the file must be made.
  [[nodiscard]] const ResultRecord* up_to_date(const std::filesystem::path& name, const std::filesystem::path& source,
                                               std::string_view settings) const;

  /// The same for a source whose content is known; its time does not count.
  [[nodiscard]] const ResultRecord* up_to_date(const std::filesystem::path& name, const ResultSource& source,
                                               std::string_view settings) const;

  /// Whether the file, by any of its names, is an unchanged result in this folder.
  [[nodiscard]] bool holds(const std::filesystem::path& file) const;

  /// Writes the result files of one source, each whole or not at all, and records them. Makes the folders. Throws
  /// Error(file_error).
  void write(const ResultSource& source, std::uint64_t keypoints, std::span<const ResultFile> files) const;

  /// The records that counted when the folder was opened, by the name of the file.
  [[nodiscard]] const std::map<std::string, ResultRecord>& records() const { return records_; }

  /// Takes over a result file of another folder, with its record there: as if it had been made here. Throws
  /// Error(file_error), also if the file has changed since `from` was opened.
  void adopt(const ResultFolder& from, const std::string& name) const;

  /// Merges the journal into the manifest. Throws Error(file_error); the journal then stays for the next job.
  void finish() const;

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  [[nodiscard]] const ResultRecord* made_with(const std::filesystem::path& name, std::string_view settings) const;
  [[nodiscard]] std::filesystem::path relative_path(const std::filesystem::path& source) const;
  void write(const std::string& lines, std::span<const ResultFile> files) const;

  std::filesystem::path folder_;
  std::map<std::string, ResultRecord> records_;  // by name; those that counted when the folder was opened
  std::map<std::string, std::string> settings_;  // as JSON, by their digest
  std::set<std::pair<std::uint64_t, std::uint64_t>> identities_;  // their device and number in the system
};

/// Takes the result files of all `parts` over into the folder `to`, which may have some of them. The manifest then has
/// the bytes of one job that made all of them there. Returns the number of files. Throws Error(file_error), before
/// anything is written, for a file that two parts have with other content; it names both parts.
std::size_t merge_results(const std::filesystem::path& to, std::span<const std::filesystem::path> parts);

}  // namespace octavo
