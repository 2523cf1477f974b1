#include "video/takes/shots.h"

#include <algorithm>
#include <cmath>

namespace octavo {

namespace {

constexpr double fault_seconds = 0.1;  // junk that is no longer is a fault within a shot

}  // namespace

std::vector<JunkRun> sampled_junk(const ClipFrames& frames) {
  std::vector<JunkRun> runs;
  const std::size_t count = frames.seconds.size();
  for (std::size_t i = 0; i < count;) {
    const Junk junk = frames.signatures[i].junk;
    std::size_t end = i;
    while (end < count && frames.signatures[end].junk == junk) ++end;
    if (junk != Junk::none)
      runs.push_back({frames.seconds[i], end < count ? frames.seconds[end] : frames.length, junk});
    i = end;
  }
  return runs;
}

ClipShots shots_of(std::size_t clip, const ClipCuts& cuts, bool exact, const std::vector<double>& sampled,
                   double distance, double min_seconds) {
  std::vector<double> ends = cuts.cuts;
  for (const double time : sampled) {
    const auto is_near = [&](double other) { return std::abs(other - time) <= distance; };
    const auto touches = [&](const JunkRun& run) { return time >= run.in - distance && time <= run.out + distance; };
    if (std::ranges::none_of(cuts.cuts, is_near) && std::ranges::none_of(cuts.junk, touches)) ends.push_back(time);
  }
  std::ranges::sort(ends);
  ClipShots result;
  const auto add = [&](double in, double out) {
    if (out <= in) return;
    const Shot shot{.clip = clip, .in = in, .out = out, .exact = exact};
    if (out - in < min_seconds) {
      result.left_out.push_back({shot, Junk::none});
    } else {
      result.shots.push_back(shot);
    }
  };
  double begin = 0;
  auto cut = ends.begin();
  const auto cut_until = [&](double until) {
    for (; cut != ends.end() && *cut < until; ++cut) {
      if (*cut <= begin) continue;
      add(begin, *cut);
      begin = *cut;
    }
  };
  for (const JunkRun& run : cuts.junk) {
    if (run.out - run.in <= fault_seconds && run.in > 0 && run.out < cuts.seconds) continue;
    cut_until(run.in);
    add(begin, run.in);
    result.left_out.push_back({{.clip = clip, .in = run.in, .out = run.out, .exact = exact}, run.junk});
    begin = run.out;
  }
  cut_until(cuts.seconds);
  add(begin, cuts.seconds);
  return result;
}

}  // namespace octavo
