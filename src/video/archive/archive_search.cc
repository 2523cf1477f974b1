// The search: frames of the query ask the inverted lists for key frames with features like their own; the clips with
// the most such frames are compared with the query in full (hits_near_keys, find_copies).

#include "octavo/video/archive_search.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "engine/retrieval/inverted_lists.h"
#include "video/archive/clip_lists.h"
#include "video/archive/hits_near_keys.h"
#include "video/archive/key_frames.h"
#include "video/archive/known_clips.h"
#include "video/archive/list_query.h"
#include "video/archive/lost_clips.h"
#include "video/signature/query_forms.h"

namespace octavo {

namespace {

// Key frames of one clip that frames of the query hit.
struct ClipHits {
  std::map<const QueryForm*, std::vector<KeyHit>> of_form;
  double score = 0;
};

struct Candidate {
  ArchivedClip clip;
  ClipHits hits;
};

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
  Impl(std::span<const VideoArchive> archives, const ProgressSink& progress, const LostClip& lost)
      : archives_(archives), lost_(lost) {
    std::vector<ClipLists> found;
    for (const VideoArchive& archive : archives) {
      for (ClipLists& lists : open_lists(archive, lost_, progress)) found.push_back(std::move(lists));
    }
    // Only now, so that clips that another process adds meanwhile are known.
    clips_ = archive::known_clips(archives);
    std::set<std::string, std::less<>> listed;
    for (ClipLists& lists : found) {
      counts_.add(lists.lists());
      std::set<std::string, std::less<>> others;
      for (const ListedClip& clip : lists.clips()) {
        if (listed.insert(clip.content).second) continue;
        others.insert(clip.content);
        take_off(clip.content);
      }
      lists_.push_back({std::move(lists), std::move(others)});
    }
  }

  std::vector<FoundClip> find(const ClipSignature& query, const SearchOptions& options, const ProgressSink& progress,
                              const ClipSignature* negative) const {
    return find_among(
        QueryForms(query, negative, options.mirrored, options.reversed), options,
        [](const ArchivedClip&) { return true; }, progress);
  }

  std::vector<ClipPair> duplicates(const SearchOptions& options, const ProgressSink& progress,
                                   const Shard& shard) const {
    const auto verdicts = archive::known_verdicts(archives_);
    std::vector<ClipPair> pairs;
    double all = 0, done = 0;  // [second] of clips: the time grows with them
    for (const auto& [content, known] : clips_) all += known.clip.facts.seconds;
    for (const auto& [content, known] : clips_) {
      const ArchivedClip& clip = known.clip;
      const auto tell = [&](const ProgressStep&) {
        report(progress, "comparing clips", static_cast<std::size_t>(done), static_cast<std::size_t>(std::ceil(all)));
      };
      tell({});
      done += clip.facts.seconds;
      if (!has_item(shard, content)) continue;
      const auto is_later = [&](const ArchivedClip& other) { return other.content > clip.content; };
      const std::optional<ClipSignature> signature = lost_.signature(*known.archive, clip);
      if (!signature) continue;
      for (FoundClip& found :
           find_among(QueryForms(*signature, nullptr, options.mirrored, options.reversed), options, is_later, tell)) {
        pairs.push_back(archive::clip_pair(clip, found.clip, std::move(found.segments), verdicts));
      }
    }
    std::ranges::stable_sort(pairs, std::ranges::greater{}, &ClipPair::score);
    return pairs;
  }

 private:
  // Lists, and those of their clips that other lists have too and count for.
  struct Lists {
    ClipLists lists;
    std::set<std::string, std::less<>> others;
  };

  // A clip whose features the counts have once more.
  void take_off(const std::string& content) {
    const auto known = clips_.find(content);
    if (known == clips_.end()) return;  // forgotten meanwhile
    const auto signature = lost_.signature(*known->second.archive, known->second.clip);
    if (!signature) return;
    for (const std::uint32_t key : key_frames(*signature)) {
      for (const ListedFeature& feature : listed_features(signature->frames[key])) counts_.remove(feature.word);
    }
  }

  // A key frame of the archive that a frame of the query hits.
  struct Hit {
    const ListedClip* clip;
    KeyHit hit;
  };

  // The clips that share segments with the query and that `is_wanted` takes, best first.
  template <class Wanted>
  std::vector<FoundClip> find_among(const QueryForms& forms, const SearchOptions& options, const Wanted& is_wanted,
                                    const ProgressSink& progress) const {
    validate(options.copies);
    std::map<std::string_view, ClipHits> hits;
    for (const QueryForm& form : forms.all()) ask(form, options.isa, hits, progress);
    std::vector<Candidate> candidates;
    for (auto& [content, of_clip] : hits) {
      const auto clip = clips_.find(content);
      if (clip == clips_.end() || !is_wanted(clip->second.clip)) continue;
      candidates.push_back({clip->second.clip, std::move(of_clip)});
    }
    keep_best(candidates, static_cast<std::size_t>(options.max_clips));

    std::vector<std::vector<CopySegment>> segments(candidates.size());
    report(progress, "comparing clips", 0, candidates.size());
    tbb::parallel_for(std::size_t{0}, candidates.size(),
                      [&](std::size_t i) { segments[i] = compare(candidates[i], options, progress); });
    std::vector<FoundClip> result;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (segments[i].empty()) continue;
      result.push_back(
          found_clip(std::move(candidates[i].clip), std::move(segments[i]), forms.all().front().clip->seconds));
    }
    std::ranges::stable_sort(result, std::ranges::greater{}, &FoundClip::score);
    return result;
  }

  std::vector<Hit> hits_of(const FrameSignature& frame, std::int32_t number, bool is_asked_once,
                           const std::string& isa) const {
    const FrameQuestion question(frame);
    std::vector<Hit> hits;
    constexpr std::size_t most_of_image = 1000;  // it asks once
    VoteOptions options{.isa = isa};
    if (is_asked_once) options.most = most_of_image;
    for (const Lists& one : lists_) {
      const ClipLists& lists = one.lists;
      // Clips that other lists have must not take the places of others.
      VoteOptions all = options;
      if (!one.others.empty()) all.most = lists.lists().images();
      for (const ImageVote& vote : lists.lists().vote(question.features(), counts_, all)) {
        const ListedClip& clip = lists.clip_of(vote.image);
        if (one.others.contains(clip.content)) continue;
        hits.push_back({&clip, {.query = number, .key = vote.image - clip.first_image, .score = vote.score}});
      }
    }
    // The best of all lists, in an order that does not depend on which list has which clip.
    std::ranges::sort(
        hits, {}, [](const Hit& h) { return std::tuple(~h.hit.score, std::string_view(h.clip->content), h.hit.key); });
    if (hits.size() > options.most) hits.resize(options.most);
    return hits;
  }

  void ask(const QueryForm& form, const std::string& isa, std::map<std::string_view, ClipHits>& result,
           const ProgressSink& progress) const {
    const ClipSignature& query = *form.clip;
    const std::vector<std::int32_t> asking = asking_frames(query);
    std::vector<std::vector<Hit>> hits(asking.size());
    report(progress, "asking the lists", 0, asking.size());
    tbb::parallel_for(std::size_t{0}, asking.size(), [&](std::size_t i) {
      hits[i] = hits_of(query.frames[asking[i]], asking[i], is_image(query), isa);
    });
    for (const std::vector<Hit>& of_frame : hits) {
      std::map<std::string_view, double> best;  // a frame counts once for a clip
      for (const Hit& one : of_frame) {
        result[one.clip->content].of_form[&form].push_back(one.hit);
        double& score = best[one.clip->content];
        score = std::max(score, static_cast<double>(one.hit.score));
      }
      for (const auto& [content, score] : best) result[content].score += score;
    }
  }

  static void keep_best(std::vector<Candidate>& candidates, std::size_t most) {
    std::ranges::stable_sort(candidates, std::ranges::greater{}, [](const Candidate& c) { return c.hits.score; });
    if (candidates.size() > most)
      candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(most), candidates.end());
  }

  std::vector<CopySegment> compare(const Candidate& candidate, const SearchOptions& options,
                                   const ProgressSink& progress) const {
    const auto other = lost_.signature(*clips_.at(candidate.clip.content).archive, candidate.clip);
    if (!other) return {};
    std::vector<CopySegment> segments;
    for (const auto& [form, hits] : candidate.hits.of_form) {
      std::vector<CopySegment> of_form =
          find_copies(*form->clip, *other, hits_near_keys(*form->clip, *other, hits, options.isa), options.copies,
                      options.isa, progress);
      tell_form(of_form, *form);
      segments.insert(segments.end(), of_form.begin(), of_form.end());
    }
    return without_reflections(std::move(segments));
  }

  std::span<const VideoArchive> archives_;
  archive::LostClips lost_;
  archive::KnownClips clips_;
  std::vector<Lists> lists_;
  WordCounts counts_;
};

ArchiveSearch::ArchiveSearch(const VideoArchive& archive, const ProgressSink& progress, const LostClip& lost)
    : ArchiveSearch(std::span(&archive, 1), progress, lost) {}
ArchiveSearch::ArchiveSearch(std::span<const VideoArchive> archives, const ProgressSink& progress, const LostClip& lost)
    : impl_(std::make_unique<Impl>(archives, progress, lost)) {}
ArchiveSearch::~ArchiveSearch() = default;
ArchiveSearch::ArchiveSearch(ArchiveSearch&&) noexcept = default;

std::vector<FoundClip> ArchiveSearch::find(const ClipSignature& query, const SearchOptions& options,
                                           const ProgressSink& progress, const ClipSignature* negative) const {
  return impl_->find(query, options, progress, negative);
}

std::vector<ClipPair> ArchiveSearch::duplicates(const SearchOptions& options, const ProgressSink& progress,
                                                const Shard& shard) const {
  return impl_->duplicates(options, progress, shard);
}

}  // namespace octavo
