// The matches of many pairs: a list, and lines or objects.

#include "cli/match/pair_report.h"

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cli/match/verification.h"
#include "json/json.h"
#include "octavo/picture_pairs.h"

namespace octavo::cli {
namespace {

Json pair_json(Verify verify, const PlannedPicture& a, const PlannedPicture& b, std::span<const Match> matches,
               const std::optional<EssentialModel>& model) {
  Json json = {{"image_a", a.name},
               {"image_b", b.name},
               {"keypoints_a", a.features->size()},
               {"keypoints_b", b.features->size()}};
  if (model) json["verification"] = verification_json(verify, *model);
  json["matches"] = matches_json(*a.features, *b.features, matches, model);
  return json;
}

}  // namespace

PairReport::PairReport(const MatchCall& call)
    : call_(call),
      form_(is_standard_stream(call.output) ? Form::none
            : call.json                     ? Form::json
                                            : Form::text) {
  if (is_hloc_file(call.output)) {
    hloc_.emplace(call.output);
  } else if (!call.output.empty() && !is_standard_stream(call.output)) {
    list_.emplace(call.output);
  }
  if (form_ == Form::json) out_.print("[");
}

void PairReport::add(const PlannedPicture& a, const PlannedPicture& b, std::span<const Match> matches,
                     const std::optional<EssentialModel>& model) {
  if (hloc_) {
    hloc_->write(a.name, b.name, a.features->size(), matches, model ? model->inliers : std::vector<std::uint8_t>());
  } else if (!call_.output.empty()) {
    add_to_list(colmap_matches(a.name, b.name, matches, model ? model->inliers : std::vector<std::uint8_t>()));
  }
  if (form_ == Form::json) {
    out_.print((pairs_ == 0 ? "\n" : ",\n") + json_text(pair_json(call_.verify, a, b, matches, model)));
  }
  if (form_ == Form::text) {
    const std::string inliers = model ? fmt::format("  {} inliers", model->inlier_count) : "";
    out_.print(fmt::format("{} {}  {} matches{}\n", a.name, b.name, matches.size(), inliers));
  }
  matches_ += matches.size();
  ++pairs_;
}

void PairReport::add_to_list(const std::string& text) {
  if (list_) {
    list_->write(text);
  } else {
    out_.print(text);
  }
}

void PairReport::finish_list() {
  if (!list_ && !hloc_) return;
  list_ ? list_->finish() : hloc_->finish();
  is_list_finished_ = true;
}

void PairReport::sum_up() {
  if (form_ == Form::json) out_.print("\n]\n");
  if (form_ != Form::text) return;
  out_.print(fmt::format("pairs        {}\nmatches      {}\n", pairs_, matches_));
  if (is_list_finished_) out_.print(fmt::format("file         {}\n", call_.output));
}

}  // namespace octavo::cli
