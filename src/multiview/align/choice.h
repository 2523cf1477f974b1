// Which of several homographies of two images is kept.

#pragma once

#include <initializer_list>

#include "octavo/multiview/align.h"

namespace octavo {

bool has_warning(const Alignment& alignment, std::initializer_list<AlignmentWarning::Kind> kinds);

/// Whether the homography may be wrong. Another one would be no more certain where what both images show is small.
bool may_be_wrong(const Alignment& alignment);

/// Whether no other homography is sought. A scene with depth may have a plane that more agree with.
bool ends_search(const Alignment& alignment);

/// Whether so many of the matches near the homography agree that no other one comes near it. Of patterns that repeat
/// half of them do.
bool is_strong(const Alignment& alignment);

/// Whether more matches are sought.
bool is_doubted(const Alignment& alignment);

/// Whether one of two homographies of a retry is better: hardly wrong, or else with more inliers beyond those that
/// wrong matches bring.
bool is_better(const Alignment& one, const Alignment& other);

/// Whether a retry's homography takes the place of the plain one, which is doubted: where it is better, and has more
/// inliers too. A retry makes several tries, so that one of them may find a few matches that agree by chance.
bool replaces(const Alignment& retried, const Alignment& plain);

}  // namespace octavo
