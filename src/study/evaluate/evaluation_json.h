#pragma once

// Summaries, scores, configurations and circumstances as JSON.

#include <span>
#include <string>
#include <vector>

#include "io/json/json.h"
#include "study/evaluate/evaluation_page.h"

namespace octavo::evaluation {

/// Means over no pairs are null.
Json as_json(const Summary& summary);
Json as_json(const PairScores& scores);
Json as_json(const Configuration& configuration);
Json as_json(const EvaluationCircumstances& circumstances);

/// Adds what both kinds of evaluation report to a document: the circumstances, the thresholds, the configurations with
/// their numbers, the problems and the warnings. The document already says what was evaluated.
void complete(Json& document, const EvaluationCircumstances& circumstances, const Json& configurations,
              const std::vector<std::string>& problems, const std::vector<std::string>& warnings);

}  // namespace octavo::evaluation
