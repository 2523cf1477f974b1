#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <utility>

namespace octavo::colmap {

/// What images of the database have, of those that were used last, within a limit of memory. Values are handles: what
/// is in use stays beyond the limit.
template <class Value>
class ImageCache {
 public:
  explicit ImageCache(std::uint64_t bytes) : bytes_(bytes) {}

  /// The value of an image; if it is not there, `load` makes it, and `measure` tells its bytes before.
  template <class Measure, class Load>
  Value get(std::int64_t image, const Measure& measure, const Load& load) {
    if (const auto found = known_.find(image); found != known_.end()) {
      entries_.splice(entries_.begin(), entries_, found->second);
      return found->second->value;
    }
    const std::uint64_t bytes = measure();
    while (!entries_.empty() && used_ + bytes > bytes_) {
      used_ -= entries_.back().bytes;
      known_.erase(entries_.back().image);
      entries_.pop_back();
    }
    entries_.push_front({image, bytes, load()});
    known_[image] = entries_.begin();
    used_ += bytes;
    return entries_.front().value;
  }

  void clear() {
    known_.clear();
    entries_.clear();
    used_ = 0;
  }

 private:
  struct Entry {
    std::int64_t image;
    std::uint64_t bytes;
    Value value;
  };

  std::uint64_t bytes_, used_ = 0;
  std::list<Entry> entries_;  // the one used last is first
  std::map<std::int64_t, typename std::list<Entry>::iterator> known_;
};

}  // namespace octavo::colmap
