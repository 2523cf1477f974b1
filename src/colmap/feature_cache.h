#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>

#include "octavo/colmap_database.h"

namespace octavo::colmap {

/// The features of pictures that were used last, within a limit of memory. What is in use stays beyond the limit.
class FeatureCache {
 public:
  FeatureCache(ColmapDatabase& database, std::uint64_t bytes) : database_(database), bytes_(bytes) {}

  std::shared_ptr<const Features> get(std::int64_t image);

 private:
  struct Entry {
    std::int64_t image;
    std::uint64_t bytes;
    std::shared_ptr<const Features> features;
  };

  ColmapDatabase& database_;
  std::uint64_t bytes_, used_ = 0;
  std::list<Entry> entries_;  // the one used last is first
  std::map<std::int64_t, std::list<Entry>::iterator> known_;
};

}  // namespace octavo::colmap
