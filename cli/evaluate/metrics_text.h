#pragma once

// Summaries as tables and as JSON.

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "octavo/evaluate.h"
#include "octavo/report_page.h"

namespace octavo::cli {

/// The name of a setting and its summary.
struct NamedSummary {
  std::string name;
  Summary summary;
};

/// Tables with one row for each summary: keypoints and matches at 3 pixels; the accuracy of mutual neighbours at every
/// threshold; and homographies, if the truth of any pair is a homography. Means over no pairs are "-". `first` is the
/// header of the first column.
std::vector<Table> tables_of(std::span<const NamedSummary> summaries, const std::string& first);

/// The share (0…1) in percent, with one decimal.
std::string percent(double share);

/// The summary as JSON. Means over no pairs are null.
nlohmann::ordered_json as_json(const Summary& summary);
nlohmann::ordered_json as_json(const PairScores& scores);

/// The section of manuals that explains the metrics.
extern const char* const metrics_manual;

}  // namespace octavo::cli
