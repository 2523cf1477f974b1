#include "sift/orientation.h"

#include <algorithm>

#include "maths/scalar.h"

namespace octavo {

int orientation_radius(float scale) { return maths::nearest(4.5f * scale); }

Orientations orientations_of(const OrientationHistogram& histogram, int most) {
  constexpr int n = orientation_bins;
  std::array<std::int64_t, n> raw{}, smooth{};  // smooth: 16 times the average, up to 2^36
  for (int i = 0; i < n; ++i) raw[i] = histogram[i];
  raw[0] += histogram[n];
  std::int64_t highest = 0;
  for (int i = 0; i < n; ++i) {
    const auto at = [&](int k) { return raw[(i + k + n) % n]; };
    smooth[i] = at(-2) + at(2) + 4 * (at(-1) + at(1)) + 6 * at(0);
    highest = std::max(highest, smooth[i]);
  }

  std::array<int, n> peaks{};
  int count = 0;
  for (int i = 0; i < n; ++i) {
    const std::int64_t left = smooth[(i + n - 1) % n], right = smooth[(i + 1) % n];
    if (smooth[i] > left && smooth[i] > right && 5 * smooth[i] >= 4 * highest) peaks[count++] = i;
  }
  std::sort(peaks.begin(), peaks.begin() + count,
            [&](int a, int b) { return smooth[a] != smooth[b] ? smooth[a] > smooth[b] : a < b; });

  Orientations found;
  found.count = std::min(count, most);
  for (int k = 0; k < found.count; ++k) {
    const int i = peaks[k];
    const std::int64_t left = smooth[(i + n - 1) % n], right = smooth[(i + 1) % n];
    const float shift = 0.5f * static_cast<float>(left - right) / static_cast<float>(left - 2 * smooth[i] + right);
    float turns = (static_cast<float>(i) + shift) / static_cast<float>(n);
    if (turns < 0) turns += 1;
    if (turns >= 1) turns = 0;
    int place = k;  // insertion sort: there are at most four
    for (; place > 0 && found.turns[place - 1] > turns; --place) found.turns[place] = found.turns[place - 1];
    found.turns[place] = turns;
  }
  return found;
}

}  // namespace octavo
