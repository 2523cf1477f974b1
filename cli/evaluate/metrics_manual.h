#pragma once

namespace octavo::cli {

/// The section of manuals that explains the metrics.
extern const char* const metrics_manual;

}  // namespace octavo::cli
