#include "engine/sift/orientation.h"

#include <algorithm>

#include "engine/maths/scalar.h"

namespace octavo {

using namespace maths;
#include "engine/sift/frame_maths.h"
#include "engine/sift/peak_maths.h"

int orientation_radius(float scale) { return radius_of_orientation(scale); }

Orientations orientations_of(const OrientationHistogram& histogram, int smoothings, int most) {
  constexpr int n = orientation_bins;
  std::array<std::int64_t, n + 2> smooth;  // smooth[i + 1] is bin i
  for (int i = 0; i < n; ++i) smooth[i + 1] = histogram[i];
  smooth[1] += histogram[n];
  // (Neighbours copied beside the seam, or four sums of two for each bin, take longer.)
  for (int pass = 0; pass < smoothings; ++pass) {
    std::array<std::int64_t, n + 4> votes;  // with the neighbours across the seam
    for (int i = 0; i < n + 4; ++i) votes[i] = smooth[(i + n - 2) % n + 1];
    for (int i = 0; i < n; ++i)
      smooth[i + 1] = smoothed_votes(votes[i], votes[i + 1], votes[i + 2], votes[i + 3], votes[i + 4]);
  }
  smooth[0] = smooth[n];
  smooth[n + 1] = smooth[1];
  const std::int64_t highest = *std::max_element(smooth.begin(), smooth.end());

  std::array<int, n> peaks{};
  int count = 0;
  for (int i = 1; i <= n; ++i) {
    if (is_peak(smooth[i - 1], smooth[i], smooth[i + 1], highest)) peaks[count++] = i;
  }
  std::sort(peaks.begin(), peaks.begin() + count,
            [&](int a, int b) { return smooth[a] != smooth[b] ? smooth[a] > smooth[b] : a < b; });

  Orientations found;
  found.count = std::min(count, most);
  for (int k = 0; k < found.count; ++k) {
    const int i = peaks[k];
    const float turns = turns_of_peak(i - 1, smooth[i - 1], smooth[i], smooth[i + 1]);
    int place = k;  // insertion sort: there are at most four
    for (; place > 0 && found.turns[place - 1] > turns; --place) found.turns[place] = found.turns[place - 1];
    found.turns[place] = turns;
  }
  return found;
}

}  // namespace octavo
