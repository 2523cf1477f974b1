#include "sift/orientation.h"

#include <algorithm>

#include "maths/scalar.h"

namespace octavo {

int orientation_radius(float scale) { return maths::nearest(4.5f * scale); }

Orientations orientations_of(const OrientationHistogram& histogram, int most) {
  constexpr int n = orientation_bins, beside = 2;
  std::array<std::int64_t, n + 2 * beside> votes;  // with the neighbours across the seam
  for (int i = 0; i < n; ++i) votes[beside + i] = histogram[i];
  votes[beside] += histogram[n];
  for (int i = 0; i < beside; ++i) {
    votes[i] = votes[n + i];
    votes[n + beside + i] = votes[beside + i];
  }
  std::array<std::int64_t, n + 2> smooth;  // 16 times the average, up to 2^36; smooth[i + 1] is bin i
  std::int64_t highest = 0;
  for (int i = 0; i < n; ++i) {
    smooth[i + 1] = votes[i] + votes[i + 4] + 4 * (votes[i + 1] + votes[i + 3]) + 6 * votes[i + 2];
    highest = std::max(highest, smooth[i + 1]);
  }
  smooth[0] = smooth[n];
  smooth[n + 1] = smooth[1];

  std::array<int, n> peaks{};
  int count = 0;
  for (int i = 1; i <= n; ++i) {
    if (smooth[i] > smooth[i - 1] && smooth[i] > smooth[i + 1] && 5 * smooth[i] >= 4 * highest) peaks[count++] = i;
  }
  std::sort(peaks.begin(), peaks.begin() + count,
            [&](int a, int b) { return smooth[a] != smooth[b] ? smooth[a] > smooth[b] : a < b; });

  Orientations found;
  found.count = std::min(count, most);
  for (int k = 0; k < found.count; ++k) {
    const int i = peaks[k];
    const std::int64_t left = smooth[i - 1], right = smooth[i + 1];
    const float shift = 0.5f * static_cast<float>(left - right) / static_cast<float>(left - 2 * smooth[i] + right);
    float turns = (static_cast<float>(i - 1) + shift) / static_cast<float>(n);
    if (turns < 0) turns += 1;
    if (turns >= 1) turns = 0;
    int place = k;  // insertion sort: there are at most four
    for (; place > 0 && found.turns[place - 1] > turns; --place) found.turns[place] = found.turns[place - 1];
    found.turns[place] = turns;
  }
  return found;
}

}  // namespace octavo
