#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/option_table.h"
#include "octavo/progress.h"
#include "octavo/video/archive_search.h"
#include "octavo/video/copy_segment.h"
#include "octavo/video/video_archive.h"
#include "octavo/video/video_file.h"

// What is found in an archive of clips, as data: the clips, the pairs that share segments, and the groups of files that
// are the same thing. video/report/report_files.h writes it as files. docs/video-search.md describes them.

namespace OCTAVO_API octavo {

/// What a report compares and draws.
struct ReportOptions {
  double same_coverage = 0.9;  ///< two clips are the same thing if this share of both lies within segments
  int max_images = 50;         ///< pairs that get images, the best ones
  bool exact_ends = false;     ///< decode the clips again for ends that are exact to the frame (refine_ends)
  friend bool operator==(const ReportOptions&, const ReportOptions&) = default;
};

/// All options but `exact_ends`.
template <>
const OptionTable<ReportOptions>& option_table<ReportOptions>();

/// Throws Error(invalid_option) for the first option out of range.
void validate(const ReportOptions& options);

/// A clip of a report.
struct ReportClip {
  ArchivedClip clip;                   ///< of a query that the archive does not have: id 0, no signature
  std::filesystem::path readable;      ///< a file of this content that is there now; empty: none
  std::string unreadable;              ///< why there is none, e.g. "there is no such file"; empty: there is one
  std::optional<ClipSignature> query;  ///< of a query: its signature
};

/// Two clips that share segments.
struct ReportPair {
  std::size_t a = 0, b = 0;           ///< indices into VideoReport::clips; of a search, a is the query
  std::vector<CopySegment> segments;  ///< of a as the query, by their begin in a; one or more
  double a_coverage = 0;              ///< the share of the length of a that lies within segments, 0…1
  double b_coverage = 0;              ///< the share of the length of b, 0…1
  double score = 0;                   ///< of the best segment
  std::optional<Verdict> verdict;     ///< what a person said of the pair

  /// Whether a person said that the pair is different or not of interest.
  [[nodiscard]] bool is_settled() const { return verdict && verdict->judgement != Judgement::same; }
};

/// A file of which nothing can be reported.
struct ReportFailure {
  std::filesystem::path file;
  std::optional<std::uint64_t> size;  ///< [byte]; none: it could not be found
  std::string reason;
  bool is_lost = false;  ///< the archive has taken it, but its signature cannot be read
};

/// Clips, and the pairs of them that share segments.
struct VideoReport {
  std::filesystem::path archive;  ///< absolute path of the folder
  bool is_search = false;         ///< of queries in an archive; otherwise of an archive with itself
  CopyOptions copies{};           ///< what counts as a segment
  bool mirrored = false;          ///< whether mirrored copies were looked for
  bool negative = false;          ///< whether negatives were looked for
  bool reversed = false;          ///< whether copies that run backwards were looked for
  double same_coverage = 0;       ///< ReportOptions::same_coverage
  std::vector<ReportClip>
      clips;  ///< of a search the queries and the clips that are found; otherwise all of the archive
  std::vector<std::size_t> queries;     ///< of a search: indices into `clips`
  std::vector<ReportFailure> failures;  ///< queries that cannot be read, files that the archive could not take,
                                        ///< and clips whose signatures are lost
  std::vector<ReportPair> pairs;        ///< best first
  std::vector<RecurringSegment>
      recurring;  ///< of an archive: segments that many clips have, which do not count for pairs
  /// Clips that are the same thing, each group with the most pixels first: clips that pairs connect of which enough of
  /// both lies within segments, or which a person judged the same, but not different. A clip with several files is a
  /// group of its own. Those with most bytes first.
  std::vector<std::vector<std::size_t>> groups;
};

/// Compares the clips of an archive with each other (ArchiveSearch::duplicates). Files that are gone or changed, and
/// clips whose signatures cannot be read, are told in the report. Throws Error(invalid_option), Error(file_error) for
/// an archive that cannot be read, and Error(out_of_memory).
VideoReport report_duplicates(const VideoArchive& archive, const ReportOptions& options = {},
                              const SearchOptions& search = {}, const VideoOptions& video = {},
                              const ProgressSink& progress = {});

/// Searches clips in an archive (ArchiveSearch::find), also their negatives if `negative`. A query that cannot be read
/// is one of the report's failures. A query of which the archive has the same bytes is not a pair with itself. Throws
/// as report_duplicates does, and Error(device_unavailable).
VideoReport report_search(const VideoArchive& archive, std::span<const std::filesystem::path> queries,
                          const ReportOptions& options = {}, const SearchOptions& search = {},
                          const SignatureOptions& signature = query_signature_options(), const VideoOptions& video = {},
                          const DeviceOptions& device = {}, const ProgressSink& progress = {}, bool negative = false);

/// The groups of VideoReport, from its clips and pairs.
std::vector<std::vector<std::size_t>> groups_of(const VideoReport& report);

}  // namespace octavo
