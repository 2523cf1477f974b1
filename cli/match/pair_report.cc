#include "cli/match/pair_report.h"

#include <fmt/core.h>

#include <cstdint>
#include <span>
#include <string>

#include "cli/match/match_json.h"
#include "io/json/json.h"
#include "octavo/io/image_pairs.h"

namespace octavo::cli {
namespace {

Json pair_json(Verify verify, const MatchedImages& pair) {
  Json json = {{"image_a", pair.a.name.string()},
               {"image_b", pair.b.name.string()},
               {"keypoint_count_a", pair.features_a.size()},
               {"keypoint_count_b", pair.features_b.size()}};
  if (pair.model != nullptr) json["verification"] = verification_json(verify, *pair.model);
  json["matches"] = matches_json(pair.features_a, pair.features_b, pair.matches, pair.model);
  return json;
}

}  // namespace

PairReport::PairReport(const MatchCall& call) : call_(call), is_list_(is_standard_stream(call.output)) {
  if (call_.json) out_.print("[");
}

void PairReport::add(const MatchedImages& pair) {
  const std::string a = pair.a.name.string(), b = pair.b.name.string();
  if (is_list_) {
    const auto inliers =
        pair.model != nullptr ? std::span<const std::uint8_t>(pair.model->inliers) : std::span<const std::uint8_t>();
    out_.print(colmap_matches(a, b, pair.matches, inliers));
  } else if (call_.json) {
    out_.print((pairs_ == 0 ? "\n" : ",\n") + json_text(pair_json(call_.job.verification.by, pair)));
  } else {
    const std::string inliers = pair.model != nullptr ? fmt::format("  {} inliers", pair.model->inlier_count) : "";
    out_.print(fmt::format("{} {}  {} matches{}\n", a, b, pair.matches.size(), inliers));
  }
  ++pairs_;
}

void PairReport::sum_up(const MatchSummary& summary) {
  if (is_list_) return;
  if (call_.json) return out_.print("\n]\n");
  out_.print(fmt::format("pairs        {}\nmatches      {}\n", summary.pairs, summary.matches));
  if (summary.is_written) out_.print(fmt::format("file         {}\n", call_.output));
}

}  // namespace octavo::cli
