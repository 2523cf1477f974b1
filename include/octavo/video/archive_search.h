#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/io/shard.h"
#include "octavo/option_table.h"
#include "octavo/progress.h"
#include "octavo/video/copy_segment.h"
#include "octavo/video/video_archive.h"

// Where in an archive is this clip? docs/video-search.md describes the method.

namespace OCTAVO_API octavo {

/// How an archive is searched.
struct SearchOptions {
  CopyOptions copies{};
  bool mirrored = true;      ///< find mirrored copies too
  bool reversed = false;     ///< find copies that run backwards too
  int max_clips = 200;       ///< the number of clips that are compared with the query in full
  std::string isa = "auto";  ///< DeviceOptions::isa; all give the same results
};

/// A clip that shows the same as the query.
struct FoundClip {
  ArchivedClip clip;
  std::vector<CopySegment> segments;  ///< by their begin in the query; one or more
  double query_coverage = 0;          ///< the share of the query's length that lies within segments, 0…1
  double clip_coverage = 0;           ///< the share of the clip's length, 0…1
  double score = 0;                   ///< of the best segment
};

/// Two clips of an archive that show the same.
struct ClipPair {
  ArchivedClip a, b;                  ///< a.content < b.content
  std::vector<CopySegment> segments;  ///< of a as the query and b as the other clip, by their begin in a; one or more
  double a_coverage = 0;              ///< the share of the length of a that lies within segments, 0…1
  double b_coverage = 0;              ///< the share of the length of b, 0…1
  double score = 0;                   ///< of the best segment
  std::optional<Verdict> verdict;     ///< what a person said of the pair
  /// Of each segment the index of the recurring segment that it shows, or −1 (take_out_recurring). Empty: none was
  /// looked for.
  std::vector<int> recurring{};
};

/// Searches an archive, or several as if they were one. The result depends on the contents alone, not on the order of
/// indexing or which archive has which clip.
class ArchiveSearch {
 public:
  /// Opens the inverted lists of an archive, and makes those that are missing. The archive must outlive the search;
  /// clips that are added later are not found. `lost` is told of clips whose signatures cannot be read, here and later;
  /// they are not found, others are. Throws Error(file_error) and Error(out_of_memory).
  explicit ArchiveSearch(const VideoArchive& archive, const ProgressSink& progress = {}, const LostClip& lost = {});
  /// The same for one or more archives. A clip that several have counts once, with the files of all. Throws
  /// Error(invalid_option) for archives of different settings.
  explicit ArchiveSearch(std::span<const VideoArchive> archives, const ProgressSink& progress = {},
                         const LostClip& lost = {});
  ~ArchiveSearch();
  ArchiveSearch(ArchiveSearch&&) noexcept;
  ArchiveSearch& operator=(ArchiveSearch&&) = delete;

  /// The clips that share segments with the query, best first. `negative` is the signature of the query's negative
  /// (sign_clip with Tones::negative), which is searched too, or null. Throws Error(invalid_option), Error(file_error)
  /// for an archive that cannot be read, and Error(out_of_memory).
  [[nodiscard]] std::vector<FoundClip> find(const ClipSignature& query, const SearchOptions& options = {},
                                            const ProgressSink& progress = {},
                                            const ClipSignature* negative = nullptr) const;

  /// All pairs of clips of the archive that share segments, best first. Each clip is a query with the signature that
  /// the archive has. Pairs with a verdict are among them. `shard`: only the pairs whose clip `a` it has, by the
  /// content. Throws as `find` does.
  [[nodiscard]] std::vector<ClipPair> duplicates(const SearchOptions& options = {}, const ProgressSink& progress = {},
                                                 const Shard& shard = {}) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Segments that recur in many clips of an archive: intros, jingles, credits. docs/video-search.md describes the method.

/// When a segment recurs so often that it says nothing of a pair.
struct RecurringOptions {
  int clips = 4;  ///< a segment recurs if so many clips that are no versions of each other have it
  friend bool operator==(const RecurringOptions&, const RecurringOptions&) = default;
};

/// Name, range and meaning of every option.
template <>
const OptionTable<RecurringOptions>& option_table<RecurringOptions>();

/// Throws Error(invalid_option) for the first option out of range.
void validate(const RecurringOptions& options);

/// Where a recurring segment is.
struct RecurringPlace {
  ArchivedClip clip;
  double in = 0, out = 0;  ///< [second] from the clip's first frame
};

/// A segment that many clips have. A clip may have it several times.
struct RecurringSegment {
  std::vector<RecurringPlace> places;  ///< by content and time
  int clips = 0;                       ///< the number of clips that have it
};

/// Finds the segments that recur, those in most clips first, and takes them out of the pairs: fills
/// ClipPair::recurring, computes coverages and scores without them, and sorts the pairs by score. A pair that shares
/// nothing else has the score 0. Pairs with an image stay as they are. `pairs` are all pairs of an archive
/// (ArchiveSearch::duplicates). Throws Error(invalid_option).
std::vector<RecurringSegment> take_out_recurring(std::vector<ClipPair>& pairs, const RecurringOptions& options = {});

}  // namespace octavo
