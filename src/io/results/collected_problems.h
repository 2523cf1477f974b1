#pragma once

#include <string>
#include <vector>

#include "octavo/progress.h"

namespace octavo::shards {

/// The context of a job whose failures are listed in `problems` too, as the note of a shard has them. Both must outlive
/// it.
JobContext collecting(const JobContext& context, std::vector<std::string>& problems);

}  // namespace octavo::shards
