#include "colmap/feature_cache.h"

namespace octavo::colmap {

std::shared_ptr<const Features> FeatureCache::get(std::int64_t image) {
  if (const auto found = known_.find(image); found != known_.end()) {
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->features;
  }
  const std::uint64_t bytes = database_.feature_bytes(image);
  while (!entries_.empty() && used_ + bytes > bytes_) {
    used_ -= entries_.back().bytes;
    known_.erase(entries_.back().image);
    entries_.pop_back();
  }
  entries_.push_front({image, bytes, std::make_shared<const Features>(database_.features(image))});
  known_[image] = entries_.begin();
  used_ += bytes;
  return entries_.front().features;
}

}  // namespace octavo::colmap
