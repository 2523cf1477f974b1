#pragma once

// Parts that the pages of both kinds of evaluation have in common.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/pages/report_page.h"
#include "study/evaluate/evaluation_json.h"

namespace octavo::evaluation {

/// The name of a configuration and its summary.
struct NamedSummary {
  std::string name;
  Summary summary;
};

/// Tables with one row for each summary: keypoints and matches at 3 pixels; the accuracy of mutual neighbours at every
/// threshold; homographies and regions, if the truth of any pair is a homography. Means over no pairs are "-". The best
/// of each column is marked, where one number is better than another.
std::vector<Table> tables_of(std::span<const NamedSummary> summaries);

/// The share (0…1) in percent, with one decimal.
std::string percent(double share);

/// "0 pairs", "1 pair", "2 pairs", "2 matches": the word gets `plural` unless there is one.
std::string counted(std::size_t count, std::string_view word, std::string_view plural = "s");

/// Adds problems (what could not be evaluated) and warnings (what was evaluated on too little data) to a section of a
/// page: as notes, or, if they are many, as one note that counts them and a list that a click opens.
void add_notes(PageSection& section, std::span<const std::string> problems, std::span<const std::string> warnings);

/// What the numbers mean, and where they come from.
std::vector<PageDefinition> definitions();

/// The common options and those of each configuration, which a click opens.
PageDetails options_of(const EvaluationCircumstances& circumstances, std::span<const Configuration> configurations);

}  // namespace octavo::evaluation
