#pragma once

// The report of --estimate: the memory that a command would take.

#include <span>

#include "octavo/extractor.h"
#include "octavo/pictures.h"
#include "octavo/read_options.h"

namespace octavo::cli {

struct EstimateCall {
  ReadOptions read;
  bool masked = false;  ///< the extraction has a mask
  bool json = false;    ///< print JSON instead of text
  bool array = false;   ///< the JSON is an array also for one picture
};

/// Prints for each picture its size, the memory of its extraction on each device of the extractor, and whether that is
/// available. The pictures are read, since their decoders tell size and depth, and nothing is extracted. Returns the
/// exit code: 1 if a picture cannot be read or does not fit.
int print_estimates(const Extractor& extractor, std::span<const PictureFile> pictures, const EstimateCall& call);

}  // namespace octavo::cli
