#pragma once

// Summaries as people and programs read them.

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "cli/report/html_page.h"
#include "octavo/evaluate.h"

namespace octavo::cli {

/// The summary of a setting.
struct NamedSummary {
  std::string name;
  Summary summary;
};

/// Tables with a row for each summary: of keypoints and matches at 3 pixels, of the accuracy of mutual neighbours at
/// every threshold, and of homographies, if the truth of any pair is one. Means of no pairs are "-". `first` is the
/// header of their first column.
struct NamedTable {
  std::string title;
  Table table;
};
std::vector<NamedTable> tables_of(std::span<const NamedSummary> summaries, const std::string& first);

/// Percent with one decimal.
std::string percent(double share);

/// Means of no pairs are null.
nlohmann::ordered_json as_json(const Summary& summary);
nlohmann::ordered_json as_json(const PairScores& scores);

/// What the two JSON objects hold, for manuals.
extern const char* const metrics_manual;

}  // namespace octavo::cli
