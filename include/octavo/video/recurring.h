#pragma once

#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/option_table.h"
#include "octavo/video/archive_search.h"

// Segments that recur in many clips of an archive: intros, jingles, credits. docs/video-search.md describes the method.

namespace OCTAVO_API octavo {

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
/// nothing else has the score 0. `pairs` are all pairs of an archive (ArchiveSearch::duplicates). Throws
/// Error(invalid_option).
std::vector<RecurringSegment> take_out_recurring(std::vector<ClipPair>& pairs, const RecurringOptions& options = {});

}  // namespace octavo
