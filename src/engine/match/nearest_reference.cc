// The executable specification of neighbours: it compares every pair, in order.

#include "engine/match/guide_region.h"
#include "engine/match/nearest.h"

namespace octavo {

namespace {

std::uint32_t distance2(Descriptors a, std::size_t i, Descriptors b, std::size_t j) {
  std::uint32_t sum = 0;
  for (std::size_t k = 0; k < descriptor_length; ++k) {
    const int difference = a[i * descriptor_length + k] - b[j * descriptor_length + k];
    sum += static_cast<std::uint32_t>(difference * difference);
  }
  return sum;
}

template <class Allowed>
Neighbours nearest_among(Descriptors a, Descriptors b, bool both, const ProgressSink& progress,
                         const Allowed& allowed) {
  const std::size_t rows = a.size() / descriptor_length;
  const std::size_t columns = b.size() / descriptor_length;
  std::vector<NearestTwo> of_a(rows), of_b(columns);
  for (std::size_t i = 0; i < rows; ++i) {
    if (i % 64 == 0) report(progress, "matching", i, rows);
    for (std::size_t j = 0; j < columns; ++j) {
      if (!allowed(i, j)) continue;
      const std::uint32_t d2 = distance2(a, i, b, j);
      offer(of_a[i], d2, static_cast<std::int32_t>(j));
      offer(of_b[j], d2, static_cast<std::int32_t>(i));
    }
  }
  Neighbours neighbours{std::move(of_a), {}};
  if (both) {
    for (const NearestTwo& two : of_b) neighbours.of_b.push_back(two.index[0]);
  }
  return neighbours;
}

class NearestReference final : public NearestSearch {
 public:
  explicit NearestReference(ProgressSink progress) : progress_(std::move(progress)) {}

  [[nodiscard]] int threads() const override { return 1; }

  void search(Descriptors a, std::span<const Descriptors> collection, bool both,
              const std::function<void(const Neighbours&)>& found) override {
    for (const Descriptors& b : collection) {
      found(nearest_among(a, b, both, progress_, [](std::size_t, std::size_t) { return true; }));
    }
  }

  [[nodiscard]] MemoryNeed memory_for(std::size_t rows, std::size_t columns, bool both) const override {
    const MemoryBytes lists{bytes_of_neighbours(rows, columns, both) + (both ? columns * sizeof(NearestTwo) : 0), 0};
    return {lists, lists};
  }

  Neighbours search_guided(const Features& a, const Features& b, const Guide& guide, bool both) override {
    return nearest_among(a.descriptors, b.descriptors, both, progress_, [&](std::size_t i, std::size_t j) {
      return GuideRegion(guide, a.keypoints[i]).contains(b.keypoints[j].x, b.keypoints[j].y);
    });
  }

 private:
  ProgressSink progress_;
};

}  // namespace

std::unique_ptr<NearestSearch> make_nearest_reference(ProgressSink progress) {
  return std::make_unique<NearestReference>(std::move(progress));
}

}  // namespace octavo
