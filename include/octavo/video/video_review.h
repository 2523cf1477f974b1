#pragma once

#include <cstdint>

#include "octavo/api.h"
#include "octavo/option_table.h"

// The page on which a person judges which clips of an archive are the same (octavo/jobs/archive_jobs.h: ReviewJob).

namespace OCTAVO_API octavo {

/// How a review is served.
struct ReviewOptions {
  int port = 0;                    ///< of 127.0.0.1; 0: one that is free
  std::int64_t max_upload = 2000;  ///< [MB] the largest file that the page takes to search for it
  friend bool operator==(const ReviewOptions&, const ReviewOptions&) = default;
};

template <>
const OptionTable<ReviewOptions>& option_table<ReviewOptions>();

/// Throws Error(invalid_option) for the first option out of range.
void validate(const ReviewOptions& options);

}  // namespace octavo
