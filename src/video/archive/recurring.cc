// Recurring segments, from the segments of all pairs of clips. At each moment of a clip the segments tell which other
// clips have it. Versions of one film, pairs of which both are mostly in the other, count as one clip, so that many
// copies of a film do not recur. Moments that enough clips have make parts; parts of different clips that segments map
// to each other are places of one recurring segment.

#include "octavo/video/archive_search.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace octavo {

namespace {

constexpr double version_coverage = 0.5;  // of both clips
constexpr double least_seconds = 1;       // of a part; less is the uncertainty of ends
constexpr double longest_break = 1;       // [second] within a part: segments of different pairs end differently
constexpr double least_overlap = 0.5;     // of a segment by a part, or of a part by a segment, to be the same

struct Interval {
  double in = 0, out = 0;
};

double length(const Interval& one) { return std::max(0.0, one.out - one.in); }
Interval common(const Interval& a, const Interval& b) { return {std::max(a.in, b.in), std::min(a.out, b.out)}; }

// A part of a clip, in its order.
struct Part {
  std::string_view clip;  // content
  Interval when;
};

// Sets of indices that are joined.
class Groups {
 public:
  explicit Groups(std::size_t count) : parents_(count) { std::iota(parents_.begin(), parents_.end(), std::size_t{0}); }
  std::size_t of(std::size_t i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }
  // The lower index stands for both.
  void join(std::size_t a, std::size_t b) {
    a = of(a);
    b = of(b);
    parents_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parents_;
};

// One side of a segment: when the clip shows what a version of another film shows.
struct Seen {
  Interval when;
  std::size_t film = 0;
};

// An image has no time, so that it shows nothing for a while.
bool has_image(const ClipPair& pair) { return is_image(pair.a.facts) || is_image(pair.b.facts); }

class Recurrence {
 public:
  Recurrence(std::vector<ClipPair>& pairs, std::size_t least) : pairs_(pairs) {
    for (const ClipPair& pair : pairs_) {
      for (const ArchivedClip* clip : {&pair.a, &pair.b}) clips_.emplace(clip->content, clip);
    }
    find_parts(least);
  }

  // The places of the recurring segments, and the pairs without them.
  std::vector<RecurringSegment> take_out() {
    std::vector<RecurringSegment> found = labelled();
    for (ClipPair& pair : pairs_) {
      pair.recurring.assign(pair.segments.size(), -1);
      if (has_image(pair)) continue;
      for (std::size_t s = 0; s < pair.segments.size(); ++s) {
        const CopySegment& segment = pair.segments[s];
        const std::optional<std::size_t> a = part_of(pair.a.content, {segment.query_in, segment.query_out});
        const std::optional<std::size_t> b = part_of(pair.b.content, {segment.other_in, segment.other_out});
        if (a || b) pair.recurring[s] = label_of_[a ? *a : *b];
      }
      score(pair);
    }
    return found;
  }

 private:
  // The clips that are versions of each other have one number.
  std::map<std::string_view, std::size_t> films() const {
    std::map<std::string_view, std::size_t> numbers;
    for (const auto& [content, clip] : clips_) numbers.emplace(content, numbers.size());
    Groups groups(numbers.size());
    for (const ClipPair& pair : pairs_) {
      if (has_image(pair) || std::min(pair.a_coverage, pair.b_coverage) < version_coverage) continue;
      groups.join(numbers.at(pair.a.content), numbers.at(pair.b.content));
    }
    for (auto& [content, number] : numbers) number = groups.of(number);
    return numbers;
  }

  void find_parts(std::size_t least) {
    const std::map<std::string_view, std::size_t> film = films();
    std::map<std::string_view, std::vector<Seen>> seen;
    for (const ClipPair& pair : pairs_) {
      const std::size_t of_a = film.at(pair.a.content), of_b = film.at(pair.b.content);
      if (has_image(pair) || of_a == of_b) continue;
      for (const CopySegment& segment : pair.segments) {
        seen[pair.a.content].push_back({{segment.query_in, segment.query_out}, of_b});
        seen[pair.b.content].push_back({{segment.other_in, segment.other_out}, of_a});
      }
    }
    for (const auto& [content, list] : seen) {
      first_[content] = parts_.size();
      add_parts(content, list, least);
      end_[content] = parts_.size();
    }
  }

  // The moments at which a clip shows what at least `least` films show, itself counted.
  void add_parts(std::string_view content, const std::vector<Seen>& seen, std::size_t least) {
    std::vector<double> times;
    for (const Seen& one : seen) times.insert(times.end(), {one.when.in, one.when.out});
    std::ranges::sort(times);
    std::vector<Interval> found;
    for (std::size_t t = 0; t + 1 < times.size(); ++t) {
      const double middle = (times[t] + times[t + 1]) / 2;
      std::set<std::size_t> films;
      for (const Seen& one : seen) {
        if (one.when.in <= middle && middle < one.when.out) films.insert(one.film);
      }
      if (films.size() + 1 < least) continue;
      if (!found.empty() && times[t] - found.back().out <= longest_break) {
        found.back().out = times[t + 1];
      } else {
        found.push_back({times[t], times[t + 1]});
      }
    }
    for (const Interval& one : found) {
      if (length(one) >= least_seconds) parts_.push_back({content, one});
    }
  }

  // The part of a clip that most of an interval lies in.
  std::optional<std::size_t> part_of(const std::string& content, const Interval& when) const {
    const auto first = first_.find(content);
    if (first == first_.end()) return std::nullopt;
    for (std::size_t p = first->second; p < end_.at(content); ++p) {
      if (length(common(parts_[p].when, when)) >= least_overlap * length(when)) return p;
    }
    return std::nullopt;
  }

  // Joins the parts that segments map to each other. Fills label_of_.
  std::vector<RecurringSegment> labelled() {
    Groups groups(parts_.size());
    for (const ClipPair& pair : pairs_) {
      for (const CopySegment& segment : pair.segments) join(pair, segment, groups);
    }
    std::map<std::size_t, std::vector<std::size_t>> members;
    for (std::size_t p = 0; p < parts_.size(); ++p) members[groups.of(p)].push_back(p);
    std::vector<std::pair<RecurringSegment, std::vector<std::size_t>>> list;
    for (const auto& [group, some] : members) {
      RecurringSegment segment;
      std::set<std::string_view> clips;
      for (const std::size_t p : some) {
        segment.places.push_back({*clips_.at(parts_[p].clip), parts_[p].when.in, parts_[p].when.out});
        clips.insert(parts_[p].clip);
      }
      segment.clips = static_cast<int>(clips.size());
      list.emplace_back(std::move(segment), some);
    }
    std::ranges::stable_sort(list, std::ranges::greater{}, [](const auto& one) { return one.first.clips; });
    label_of_.assign(parts_.size(), -1);
    std::vector<RecurringSegment> result;
    for (auto& [segment, some] : list) {
      for (const std::size_t p : some) label_of_[p] = static_cast<int>(result.size());
      result.push_back(std::move(segment));
    }
    return result;
  }

  void join(const ClipPair& pair, const CopySegment& segment, Groups& groups) const {
    const auto first_a = first_.find(pair.a.content), first_b = first_.find(pair.b.content);
    if (first_a == first_.end() || first_b == first_.end()) return;
    for (std::size_t p = first_a->second; p < end_.at(pair.a.content); ++p) {
      const Interval in_a = common(parts_[p].when, {segment.query_in, segment.query_out});
      if (length(in_a) < least_overlap * length(parts_[p].when)) continue;
      const Interval mapped{segment.other_in + segment.speed * (in_a.in - segment.query_in),
                            segment.other_in + segment.speed * (in_a.out - segment.query_in)};
      for (std::size_t q = first_b->second; q < end_.at(pair.b.content); ++q) {
        if (length(common(parts_[q].when, mapped)) >= least_overlap * length(parts_[q].when)) groups.join(p, q);
      }
    }
  }

  // Coverages and score without recurring segments.
  void score(ClipPair& pair) const {
    std::vector<Interval> in_a, in_b;
    pair.score = 0;
    for (std::size_t s = 0; s < pair.segments.size(); ++s) {
      if (pair.recurring[s] >= 0) continue;
      const CopySegment& segment = pair.segments[s];
      pair.score = std::max(pair.score, segment.score);
      in_a.push_back({segment.query_in, segment.query_out});
      in_b.push_back({segment.other_in, segment.other_out});
    }
    pair.a_coverage = coverage_of(pair.a, std::move(in_a));
    pair.b_coverage = coverage_of(pair.b, std::move(in_b));
  }

  double coverage_of(const ArchivedClip& clip, std::vector<Interval> covered) const {
    if (clip.facts.seconds <= 0) return 0;
    std::ranges::sort(covered, {}, &Interval::in);
    double total = 0, done = 0;
    for (Interval one : covered) {
      one.in = std::max(one.in, done);
      done = std::max(done, one.out);
      total += length(one);
      const auto first = first_.find(clip.content);
      if (first == first_.end()) continue;
      for (std::size_t p = first->second; p < end_.at(clip.content); ++p) total -= length(common(parts_[p].when, one));
    }
    return std::clamp(total / clip.facts.seconds, 0.0, 1.0);
  }

  std::vector<ClipPair>& pairs_;
  std::map<std::string_view, const ArchivedClip*> clips_;  // by content
  std::vector<Part> parts_;                                // by clip and time
  std::map<std::string_view, std::size_t> first_, end_;    // of a clip's parts
  std::vector<int> label_of_;                              // the recurring segment of each part
};

}  // namespace

std::vector<RecurringSegment> take_out_recurring(std::vector<ClipPair>& pairs, const RecurringOptions& options) {
  validate(options);
  std::vector<RecurringSegment> found = Recurrence(pairs, static_cast<std::size_t>(options.clips)).take_out();
  std::ranges::stable_sort(pairs, std::ranges::greater{}, &ClipPair::score);
  return found;
}

}  // namespace octavo
