// The search: every frame of the query asks the inverted lists for frames with features like its own; the clips with
// the most such frames are compared with the query in full (find_copies).

#include "octavo/archive_search.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <map>
#include <utility>

#include "archive/clip_lists.h"
#include "octavo/inverted_lists.h"

namespace octavo {

namespace {

// Frames of one clip that frames of the query hit.
struct ClipHits {
  std::vector<FrameHit> plain, mirrored;
  double score = 0;
};

struct Candidate {
  ArchivedClip clip;
  ClipHits hits;
};

std::vector<QueryFeature> query_features(const FrameSignature& frame, std::vector<std::uint16_t>& words) {
  const std::size_t further = frame.features.empty() ? 0 : frame.further_words.size() / frame.features.size();
  words.clear();
  for (std::size_t i = 0; i < frame.features.size(); ++i) {
    words.push_back(frame.features[i].word);
    const auto first = frame.further_words.begin() + static_cast<std::ptrdiff_t>(i * further);
    words.insert(words.end(), first, first + static_cast<std::ptrdiff_t>(further));
  }
  std::vector<QueryFeature> features;
  for (std::size_t i = 0; i < frame.features.size(); ++i) {
    const SignatureFeature& one = frame.features[i];
    features.push_back({.words = std::span(words).subspan(i * (further + 1), further + 1),
                        .code = one.code[0],
                        .scale = one.scale,
                        .orientation = one.orientation});
  }
  return features;
}

FoundClip found_clip(ArchivedClip clip, std::vector<CopySegment> segments, double query_seconds) {
  FoundClip found{.clip = std::move(clip), .segments = std::move(segments)};
  std::ranges::sort(found.segments, {}, [](const CopySegment& s) { return std::pair(s.query_in, s.other_in); });
  found.query_coverage = coverage(found.segments, query_seconds, true);
  found.clip_coverage = coverage(found.segments, found.clip.facts.seconds, false);
  for (const CopySegment& segment : found.segments) found.score = std::max(found.score, segment.score);
  return found;
}

}  // namespace

class ArchiveSearch::Impl {
 public:
  Impl(const VideoArchive& archive, const ProgressSink& progress)
      : archive_(archive), lists_(open_lists(archive, progress)) {
    for (const ClipLists& one : lists_) counts_.add(one.lists());
    for (ArchivedClip& clip : archive.clips()) clips_.emplace(clip.content, std::move(clip));
  }

  std::vector<FoundClip> find(const ClipSignature& query, const SearchOptions& options,
                              const ProgressSink& progress) const {
    return find_among(
        query, options, [](const ArchivedClip&) { return true; }, progress);
  }

  std::vector<ClipPair> duplicates(const SearchOptions& options, const ProgressSink& progress) const {
    std::map<std::pair<std::string, std::string>, Verdict> verdicts;
    for (Verdict& one : archive_.verdicts()) verdicts.emplace(std::pair(one.a, one.b), std::move(one));
    std::vector<ClipPair> pairs;
    std::size_t done = 0;
    for (const auto& [content, clip] : clips_) {
      report(progress, "comparing clips", done++, clips_.size());
      const auto is_later = [&](const ArchivedClip& other) { return other.content > clip.content; };
      for (FoundClip& found : find_among(archive_.signature(clip), options, is_later, {})) {
        const auto verdict = verdicts.find({content, found.clip.content});
        pairs.push_back({.a = clip,
                         .b = std::move(found.clip),
                         .segments = std::move(found.segments),
                         .a_coverage = found.query_coverage,
                         .b_coverage = found.clip_coverage,
                         .score = found.score,
                         .verdict = verdict != verdicts.end() ? std::optional(verdict->second) : std::nullopt});
      }
    }
    std::ranges::stable_sort(pairs, std::ranges::greater{}, &ClipPair::score);
    return pairs;
  }

 private:
  // A frame of the archive that a frame of the query hits.
  struct Hit {
    const ListedClip* clip;
    FrameHit hit;
  };

  // The clips that share segments with the query and that `is_wanted` takes, best first.
  template <class Wanted>
  std::vector<FoundClip> find_among(const ClipSignature& query, const SearchOptions& options, const Wanted& is_wanted,
                                    const ProgressSink& progress) const {
    validate(options.copies);
    const ClipSignature reflection = options.mirrored ? mirrored(query) : ClipSignature{};
    std::map<std::string_view, ClipHits> hits;
    ask(query, &ClipHits::plain, hits, progress);
    ask(reflection, &ClipHits::mirrored, hits, progress);
    std::vector<Candidate> candidates;
    for (auto& [content, of_clip] : hits) {
      const auto clip = clips_.find(content);
      if (clip != clips_.end() && is_wanted(clip->second)) candidates.push_back({clip->second, std::move(of_clip)});
    }
    keep_best(candidates, static_cast<std::size_t>(options.max_clips));

    std::vector<std::vector<CopySegment>> segments(candidates.size());
    report(progress, "comparing clips", 0, candidates.size());
    tbb::parallel_for(std::size_t{0}, candidates.size(),
                      [&](std::size_t i) { segments[i] = compare(query, reflection, candidates[i], options); });
    std::vector<FoundClip> result;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (segments[i].empty()) continue;
      result.push_back(found_clip(std::move(candidates[i].clip), std::move(segments[i]), query.seconds));
    }
    std::ranges::stable_sort(result, std::ranges::greater{}, &FoundClip::score);
    return result;
  }

  std::vector<Hit> hits_of(const FrameSignature& frame, std::int32_t number) const {
    std::vector<std::uint16_t> words;
    const std::vector<QueryFeature> features = query_features(frame, words);
    std::vector<Hit> hits;
    const VoteOptions options;
    for (const ClipLists& lists : lists_) {
      for (const ImageVote& vote : lists.lists().vote(features, counts_, options)) {
        const ListedClip& clip = lists.clip_of(vote.image);
        hits.push_back({&clip,
                        {.query = number,
                         .other = static_cast<std::int32_t>(vote.image - clip.first_image),
                         .score = static_cast<float>(vote.score)}});
      }
    }
    // The best of all lists, in an order that does not depend on which list has which clip.
    std::ranges::sort(hits, {}, [](const Hit& h) {
      return std::tuple(-h.hit.score, std::string_view(h.clip->content), h.hit.other);
    });
    if (hits.size() > options.most) hits.resize(options.most);
    return hits;
  }

  void ask(const ClipSignature& query, std::vector<FrameHit> ClipHits::*list,
           std::map<std::string_view, ClipHits>& result, const ProgressSink& progress) const {
    std::vector<std::vector<Hit>> hits(query.frames.size());
    report(progress, "asking the lists", 0, query.frames.size());
    tbb::parallel_for(std::size_t{0}, query.frames.size(),
                      [&](std::size_t i) { hits[i] = hits_of(query.frames[i], static_cast<std::int32_t>(i)); });
    for (const std::vector<Hit>& of_frame : hits) {
      std::map<std::string_view, double> best;  // a frame counts once for a clip
      for (const Hit& one : of_frame) {
        (result[one.clip->content].*list).push_back(one.hit);
        double& score = best[one.clip->content];
        score = std::max(score, double{one.hit.score});
      }
      for (const auto& [content, score] : best) result[content].score += score;
    }
  }

  static void keep_best(std::vector<Candidate>& candidates, std::size_t most) {
    std::ranges::stable_sort(candidates, std::ranges::greater{}, [](const Candidate& c) { return c.hits.score; });
    if (candidates.size() > most)
      candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(most), candidates.end());
  }

  std::vector<CopySegment> compare(const ClipSignature& query, const ClipSignature& reflection,
                                   const Candidate& candidate, const SearchOptions& options) const {
    const ClipSignature other = archive_.signature(candidate.clip);
    std::vector<CopySegment> segments = find_copies(query, other, candidate.hits.plain, options.copies);
    for (CopySegment& segment : find_copies(reflection, other, candidate.hits.mirrored, options.copies)) {
      segment.mirrored = true;
      segments.push_back(segment);
    }
    return without_reflections(std::move(segments));
  }

  const VideoArchive& archive_;
  std::vector<ClipLists> lists_;
  WordCounts counts_;
  std::map<std::string, ArchivedClip, std::less<>> clips_;
};

ArchiveSearch::ArchiveSearch(const VideoArchive& archive, const ProgressSink& progress)
    : impl_(std::make_unique<Impl>(archive, progress)) {}
ArchiveSearch::~ArchiveSearch() = default;
ArchiveSearch::ArchiveSearch(ArchiveSearch&&) noexcept = default;

std::vector<FoundClip> ArchiveSearch::find(const ClipSignature& query, const SearchOptions& options,
                                           const ProgressSink& progress) const {
  return impl_->find(query, options, progress);
}

std::vector<ClipPair> ArchiveSearch::duplicates(const SearchOptions& options, const ProgressSink& progress) const {
  return impl_->duplicates(options, progress);
}

}  // namespace octavo
