#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/io/shard.h"
#include "octavo/option_table.h"
#include "octavo/progress.h"
#include "octavo/video/archive_search.h"
#include "octavo/video/clip_signature.h"
#include "octavo/video/video_archive.h"
#include "octavo/video/video_file.h"
#include "octavo/video/video_report.h"

// Jobs on archives of clips: clips are brought in, searched for, compared and reported.

namespace OCTAVO_API octavo {

/// Opens the archives of these folders. Throws Error(invalid_option) for one that is given twice, Error(file_error).
std::vector<VideoArchive> open_archives(std::span<const std::string> folders);

// Clips, brought into an archive, or those of a shard into its part.

/// Opens the archive, or makes it. Of one that exists the settings are taken, and whether it is fast, where the caller
/// does not give them: `is_given` is asked by the names of the options, also "fast". Throws as VideoArchive does.
VideoArchive open_or_make_archive(const std::filesystem::path& folder, SignatureOptions& signature, bool& fast,
                                  const std::function<bool(std::string_view option)>& is_given);

/// The clips that `fill_archive` adds to an archive.
struct ArchiveJob {
  VideoFiles found;  ///< its problems are told as failures
  /// Of the files, by their names. The archive is then a part for merge_parts, and has its note once all files had
  /// their turn.
  std::optional<Shard> shard{};
  IndexJob index{};  ///< without `stop`, which the context has; without `progress` the context is told the files
};

/// An object {"clip", "outcome", "problems", "facts"} as `octavo video index --json` lists it.
std::string json_of(const IndexedClip& indexed);
/// The line of `octavo video index` about it; empty for a clip that the archive had, or could not get.
std::string text_of(const IndexedClip& indexed);

/// What has become of all files.
struct IndexSummary {
  std::map<ClipOutcome, std::size_t> counts{};  ///< files of each outcome
  double clip_seconds = 0;                      ///< [second] the length of the clips that were decoded
  double seconds = 0;                           ///< [second] wall time of the work

  /// Counts one more file.
  void add(const IndexedClip& indexed);
  /// Seconds of clips for a second of the work.
  [[nodiscard]] double times_real_time() const { return seconds > 0 ? clip_seconds / seconds : 0; }
};

/// An object {"indexed_count", …} as `octavo video index --json` ends with it.
std::string json_of(const IndexSummary& summary);
/// The last line of `octavo video index`; empty without files.
std::string text_of(const IndexSummary& summary);

/// Brings the files into the archive by index_clips. Each file that cannot be indexed is told to the context as a
/// failure, and what the decoder says of others as a warning; both on threads of the job, one at a time. Throws as
/// index_clips does.
void fill_archive(VideoArchive& archive, const ArchiveJob& job, const JobContext& context = {});

// Clips, searched for in archives.

/// What a query has found.
struct SearchedClip {
  std::filesystem::path query;     ///< its file
  double seconds = 0;              ///< [second] its length
  VideoFacts facts{};              ///< what the file tells of itself
  std::vector<FoundClip> found{};  ///< best first
  std::string reason{};            ///< why nothing is found, if nothing can be
};

/// An object {"query", "seconds", "reason", "found_clips": […]} as `octavo video search --json` prints it.
std::string json_of(const SearchedClip& searched);

/// The clips that `search_clips` looks for in an archive.
struct SearchJob {
  std::vector<std::filesystem::path> queries;              ///< files
  std::span<const VideoArchive> archives;                  ///< they are searched as if they were one
  SearchOptions search{};                                  ///< what counts as found
  SignatureOptions signature = query_signature_options();  ///< how the queries are sampled
  bool negative = false;  ///< search the negatives of the queries too, which takes as long again
  VideoOptions video{};
  DeviceOptions device{};
  /// Do not decode the clips again for ends that are exact to the frame, which leaves out false segments too.
  bool rough_ends = false;
  /// The folder of images, QUERY-1.png and so on: a frame of both clips, with the features that agree. It is made.
  /// Empty: there are none.
  std::filesystem::path images{};
  std::optional<Shard> shard{};                     ///< of the queries, by their file names
  std::filesystem::path output{};                   ///< of a shard: the file of the part, for merge_parts
  std::function<void(const SearchedClip&)> take{};  ///< is told each query in order; may be empty
};

/// What a search found, as text, or why nothing can be found.
std::string text_of(const SearchedClip& searched);

/// Searches. A query, a clip that was found or a signature that cannot be read is told to the context, each once, and
/// the others are searched. A shard that is stopped writes nothing. Throws Error(invalid_option), Error(file_error) for
/// an archive that cannot be read or a file that cannot be written, Error(device_unavailable), Error(out_of_memory).
void search_clips(const SearchJob& job, const JobContext& context = {});

// The clips of archives, compared with each other.

/// The archive that `find_duplicates` compares with itself.
struct DuplicatesJob {
  std::span<const VideoArchive> archives;  ///< they are compared as if they were one
  SearchOptions search{};                  ///< what counts as found
  RecurringOptions recurring{};            ///< what says nothing of a pair
  VideoOptions video{};
  bool exact_ends = false;        ///< decode the clips again for ends that are exact to the frame
  bool all = false;               ///< also pairs that were judged different or not of interest
  std::filesystem::path found{};  ///< a file of all pairs (merge_parts), in place of comparing; empty: none
};

/// What `find_duplicates` found.
struct Duplicates {
  std::vector<ClipPair> pairs;              ///< best first
  std::vector<RecurringSegment> recurring;  ///< those in most clips first
  std::size_t recurring_pairs = 0;          ///< pairs that share recurring segments alone, which are left out
  std::size_t left_out = 0;                 ///< pairs that verdicts leave out
};

/// An object {"pairs", "left_out_count", "recurring_segments", "recurring_pair_count"} as `octavo video duplicates
/// --json` prints it.
std::string json_of(const Duplicates& found);
/// The same as text.
std::string text_of(const Duplicates& found);

/// Finds the pairs. A clip or signature that cannot be read is told to the context, each once; the others are compared.
/// Throws Error(invalid_option), Error(file_error) and Error(out_of_memory).
Duplicates find_duplicates(const DuplicatesJob& job, const JobContext& context = {});

/// Writes the part of a shard of the pairs, by the content of their first clip, for merge_parts. Of the job `archives`
/// and `search` count. Throws as find_duplicates does.
void write_duplicates_shard(const std::filesystem::path& part, const DuplicatesJob& job, const Shard& shard,
                            const JobContext& context = {});

// A report of an archive, as files for people and programs.

/// The page that `write_report` writes.
struct ReportJob {
  std::filesystem::path archive;               ///< the folder
  std::vector<std::filesystem::path> clips{};  ///< to search for; none: the archive is compared with itself
  /// The outputs, of which one at least is given: the page (.html, .htm), the table (.csv), JSON (.json), and the
  /// timelines: OpenTimelineIO (.otio), FCPXML (.fcpxml), and a folder of EDLs, which is made.
  std::filesystem::path output{}, csv{}, json_output{}, otio{}, fcpxml{}, edl{};
  ReportOptions report{};
  SearchOptions search{};  ///< without `isa`, which is that of the device
  bool negative = false;   ///< search the negatives of the clips too, which takes as long again
  VideoOptions video{};
  DeviceOptions device{};
};

/// Writes the files, each whole or not at all. What an EDL leaves out is told to the context as a failure. A clip that
/// is searched for, or of the archive, and cannot be read is told to the context, and the others are in the report.
/// Throws, before the work, Error(invalid_option) and Error(file_error) for names that do not fit, are those of clips,
/// or cannot be written, and for a folder without an archive; and what report_duplicates and report_search throw.
void write_report(const ReportJob& job, const JobContext& context = {});

/// The files that it writes, a line each.
std::string text_of(const ReportJob& job);

// A page for a person who judges which clips of an archive are the same.

/// How a review is served.
struct ReviewOptions {
  int port = 0;                    ///< of 127.0.0.1; 0: one that is free
  std::int64_t max_upload = 2000;  ///< [MB] the largest file that the page takes to search for it
  friend bool operator==(const ReviewOptions&, const ReviewOptions&) = default;
};

/// Name, kind, range, unit and meaning of every option.
template <>
const OptionTable<ReviewOptions>& option_table<ReviewOptions>();

/// Throws Error(invalid_option) for the first option out of range.
void validate(const ReviewOptions& options);

/// The archive that `review_archive` serves.
struct ReviewJob {
  std::filesystem::path archive;  ///< the folder
  ReportOptions report{};
  SearchOptions search{};  ///< without `isa`, which is that of the device
  VideoOptions video{};
  DeviceOptions device{};
  ReviewOptions review{};
  /// Is told the address of the page once it is there. Only who knows it gets an answer. `opening` is a file that only
  /// this user may read, with which a browser goes there: a command line with the address shows it to all users.
  std::function<void(const std::string& address, const std::filesystem::path& opening)> ready{};
};

/// Compares the archive with itself, as report_duplicates does, and serves the page, which stores verdicts in the
/// archive at once, until a stop is requested. Previews and files that were searched for are in a temporary folder,
/// which is removed at the end. Clips whose signatures cannot be read are told to the context. Throws, before the work,
/// Error(invalid_option), and Error(file_error) for a folder without an archive, for one that cannot be changed, and
/// for a port that is not free; Error(device_unavailable) if Octavo was built without cpp-httplib; and what
/// report_duplicates throws.
void review_archive(const ReviewJob& job, const JobContext& context = {});

}  // namespace octavo
