#include "jobs/match_output.h"

#include <span>

#include "octavo/io/collection.h"

namespace octavo::jobs {

MatchOutput::MatchOutput(const std::filesystem::path& file, double unit_length) {
  if (file.empty()) return;
  if (is_hloc_file(file)) {
    hloc_.emplace(file, unit_length);
  } else {
    list_.emplace(file);
  }
}

void MatchOutput::add(const MatchedImages& pair) {
  const std::span<const std::uint8_t> inliers =
      pair.model != nullptr ? std::span(pair.model->inliers) : std::span<const std::uint8_t>();
  const std::string a = pair.a.name.string(), b = pair.b.name.string();
  if (hloc_) hloc_->write(a, b, pair.features_a.size(), pair.matches, inliers);
  if (list_) list_->write(colmap_matches(a, b, pair.matches, inliers));
}

bool MatchOutput::finish() {
  if (hloc_) hloc_->finish();
  if (list_) list_->finish();
  return hloc_ || list_;
}

}  // namespace octavo::jobs
