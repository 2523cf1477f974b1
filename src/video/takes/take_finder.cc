// From clips to scenes. All pairs of shots are aligned by a common subsequence of their frames; the share of the
// shorter shot that it has is their similarity; average-link clusters are the scenes. Takes are aligned with their
// reference by the pairs of frames that stand out.

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "octavo/error.h"
#include "octavo/video/takes.h"
#include "video/affinity/blocks.h"
#include "video/affinity/clip_frames.h"
#include "video/signature/cell_products.h"
#include "video/takes/average_link.h"
#include "video/takes/common_subsequence.h"
#include "video/takes/contrast.h"
#include "video/takes/cut_finder.h"
#include "video/takes/shot_copies.h"
#include "video/takes/shot_frames.h"
#include "video/takes/shots.h"

namespace octavo {

namespace {

constexpr std::size_t most_shots = 8000;  // whose similarities take half a gigabyte

// The median over the pairs of a take.
std::optional<double> offset_of(const Take& take, const Shot& reference) {
  std::vector<double> offsets;
  for (const TakePair& pair : take.alignment) {
    offsets.push_back((pair.reference - reference.in) - (pair.take - take.shot.in));
  }
  return offsets.empty() ? std::nullopt : std::optional(median(std::move(offsets)));
}

// A take of a scene with its reference.
struct AlikeTake {
  std::size_t scene, take;
  AlikeShots shots;
};

// The compared frames of a take whose moments the reference shows, and its times.
std::vector<TakePair> pairs_at(double delay, const ShotFrames& take, const ShotFrames& reference) {
  std::vector<TakePair> pairs;
  for (std::size_t i = 0; i < take.count(); ++i) {
    const double there = take.seconds(i) + delay;
    if (there >= reference.shot.in && there < reference.shot.out) pairs.push_back({take.seconds(i), there});
  }
  return pairs;
}

}  // namespace

class TakeFinder::Impl {
 public:
  Impl(const TakeOptions& options, const DeviceOptions& device)
      : options_((validate(options), options)),
        isa_(device.isa),
        reader_({.measure = options.measure,
                 .every = options.every,
                 .fps = options.fps,
                 .max_features = options.max_features},
                device) {}

  double add(const std::filesystem::path& clip, const VideoOptions& video, const ProgressSink& progress) {
    ClipFrames frames = reader_.read(clip, video, progress);
    const ClipCuts cuts = find_cuts(clip, video, progress);
    keep({std::move(frames), clip, video}, cuts, true);
    return cuts.seconds;
  }

  void add(const ClipSignature& signature, const std::filesystem::path& file, const VideoOptions& video,
           const ProgressSink& progress) {
    if (options_.measure != AffinityMeasure::matches) {
      throw Error(ErrorCode::invalid_argument, "a signature has no VLADs: its takes are found by matches");
    }
    if (options_.every > 0) {
      throw Error(ErrorCode::invalid_argument, "a signature has the frames that it has: they are taken by time");
    }
    ClipFrames frames = frames_of(signature, options_.fps);
    frames.isa = isa_;
    const bool exact = !file.empty();
    const ClipCuts cuts = exact ? find_cuts(file, video, progress)
                                : ClipCuts{.seconds = frames.length, .cuts = {}, .junk = sampled_junk(frames)};
    keep({std::move(frames), file, video}, cuts, exact);
  }

  [[nodiscard]] TakeList find(const ProgressSink& progress) const {
    std::vector<ShotFrames> shots;
    TakeList list;
    for (const Clip& clip : clips_) {
      for (const Shot& shot : clip.parts.shots) shots.push_back(frames_of(shot, clip.read));
      list.left_out.insert(list.left_out.end(), clip.parts.left_out.begin(), clip.parts.left_out.end());
    }
    require_possible(shots);
    list.min_affinity = least_affinity(shots);
    const std::vector<double> shares = shares_of(shots, list.min_affinity, progress);
    std::vector<AlikeTake> alike;
    for (const std::vector<std::size_t>& group : average_link(shares, shots.size(), options_.min_share)) {
      add_scene(group, shots, shares, list, alike);
    }
    align_exactly(list, alike);
    return list;
  }

 private:
  struct Clip {
    TakeClip read;
    ClipShots parts;
  };

  void keep(TakeClip clip, const ClipCuts& cuts, bool exact) {
    const std::vector<double> sampled = changes_of(clip.frames, steady_share);
    ClipShots parts = shots_of(clips_.size(), cuts, exact, sampled, 1 / clip.frames.rate, options_.min_seconds);
    clips_.push_back({std::move(clip), std::move(parts)});
  }

  [[nodiscard]] double least_affinity(std::span<const ShotFrames> shots) const {
    const bool is_given = options_.min_affinity > 0 || options_.measure == AffinityMeasure::matches;
    if (is_given || shots.empty()) return options_.min_affinity;
    return chance_limit(shots);
  }

  [[nodiscard]] std::vector<FramePair> best_pairs(std::span<const float> affinity, const ShotFrames& a,
                                                  const ShotFrames& b) const {
    const double rate = std::max(a.clip->frames.rate, b.clip->frames.rate);
    const auto gap = static_cast<std::size_t>(options_.max_gap * rate);
    return common_subsequence(affinity, a.count(), b.count(), gap);
  }

  // Of the shorter shot.
  [[nodiscard]] double share_in_common(const ShotFrames& a, const ShotFrames& b, double least) const {
    const std::size_t shorter = std::min(a.count(), b.count());
    if (shorter == 0) return 0;
    return static_cast<double>(best_pairs(affinities_of(a, b, least), a, b).size()) / static_cast<double>(shorter);
  }

  // The pairs of frames that show the same moment. The greatest sum of affinities would have a pair for nearly each
  // frame of the shorter shot, even where it shows what is before or after the other one, since all frames of a scene
  // are similar. That of contrasts has those that stand out; where none does, affinities tell.
  [[nodiscard]] std::vector<FramePair> aligned_frames(std::span<const float> affinity, const ShotFrames& a,
                                                      const ShotFrames& b) const {
    std::vector<FramePair> pairs = best_pairs(contrast_of(affinity, a.count(), b.count()), a, b);
    return pairs.empty() ? best_pairs(affinity, a, b) : pairs;
  }

  [[nodiscard]] std::vector<double> shares_of(const std::vector<ShotFrames>& shots, double least,
                                              const ProgressSink& progress) const {
    const std::size_t n = shots.size();
    if (n > most_shots) {
      throw Error(ErrorCode::out_of_memory, std::to_string(n) + " shots are too many to compare all with each other: " +
                                                "there may be " + std::to_string(most_shots));
    }
    std::vector<double> shares(n * n, 0);
    std::atomic<std::size_t> done = 0;
    tbb::parallel_for(std::size_t{0}, n, [&](std::size_t i) {
      report(progress, "comparing shots", done++, n);
      for (std::size_t j = 0; j < i; ++j) {
        shares[i * n + j] = shares[j * n + i] = share_in_common(shots[j], shots[i], least);
      }
    });
    return shares;
  }

  // Adds the scene of a group of shots, and its takes that have frames in common with the reference.
  void add_scene(const std::vector<std::size_t>& group, const std::vector<ShotFrames>& shots,
                 const std::vector<double>& shares, TakeList& list, std::vector<AlikeTake>& alike) const {
    // In common with the others, in frames: of two takes that fit alike the longer one is the reference.
    const auto in_common = [&](std::size_t a) {
      double sum = 0;
      for (const std::size_t b : group) {
        const std::size_t shorter = std::min(shots[a].count(), shots[b].count());
        if (b != a) sum += shares[a * shots.size() + b] * static_cast<double>(shorter);
      }
      return sum;
    };
    const std::size_t reference = *std::ranges::max_element(group, {}, in_common);
    const ShotFrames& of_reference = shots[reference];
    std::vector<double> affinity_sums(of_reference.count(), 0);  // of the reference's frames, over the other takes
    Scene& scene = list.scenes.emplace_back();
    for (const std::size_t i : group) {
      Take& take = scene.takes.emplace_back(Take{.shot = shots[i].shot, .offset = 0, .alignment = {}});
      if (i == reference) {
        scene.reference = scene.takes.size() - 1;
      } else if (const auto pair = align(take, shots[i], of_reference, list.min_affinity, affinity_sums)) {
        alike.push_back({list.scenes.size() - 1, scene.takes.size() - 1, {&shots[i], &of_reference, *pair}});
      }
      for (const std::size_t other : group) {
        if (other != i) take.score += shares[i * shots.size() + other] / static_cast<double>(group.size() - 1);
      }
    }
    Take& take = scene.takes[scene.reference];
    const auto best = std::ranges::max_element(affinity_sums);
    const bool is_told = best != affinity_sums.end() && *best > 0;
    take.key = is_told ? of_reference.seconds(static_cast<std::size_t>(best - affinity_sums.begin()))
                       : (take.shot.in + take.shot.out) / 2;
  }

  // Aligns a take with the reference, whose frames' affinities to other takes it adds up. Returns the frames that are
  // most alike.
  std::optional<FramePair> align(Take& take, const ShotFrames& shot, const ShotFrames& reference, double least,
                                 std::vector<double>& affinity_sums) const {
    const std::vector<float> affinities = affinities_of(shot, reference, least);
    take.key = (shot.shot.in + shot.shot.out) / 2;
    float best = 0;
    std::optional<FramePair> alike;
    for (const FramePair& pair : aligned_frames(affinities, shot, reference)) {
      take.alignment.push_back({shot.seconds(pair.a), reference.seconds(pair.b)});
      const float affinity = affinities[pair.a * reference.count() + pair.b];
      affinity_sums[pair.b] += affinity;
      if (affinity <= best) continue;
      best = affinity;
      alike = pair;
      take.key = shot.seconds(pair.a);
    }
    take.offset = offset_of(take, reference.shot);
    return alike;
  }

  // Where what moves tells the delay, the alignment follows from it.
  void align_exactly(TakeList& list, const std::vector<AlikeTake>& alike) const {
    std::vector<AlikeShots> shots;
    for (const AlikeTake& one : alike) shots.push_back(one.shots);
    const std::vector<std::optional<double>> delays = exact_delays(shots, isa_);
    for (std::size_t i = 0; i < alike.size(); ++i) {
      if (!delays[i]) continue;
      Take& take = list.scenes[alike[i].scene].takes[alike[i].take];
      take.is_exact = true;
      take.alignment = pairs_at(*delays[i], *shots[i].take, *shots[i].reference);
      take.offset = offset_of(take, shots[i].reference->shot);
    }
  }

  TakeOptions options_;
  std::string isa_;
  ClipFrameReader reader_;
  std::vector<Clip> clips_;
};

TakeFinder::TakeFinder(const TakeOptions& options, const DeviceOptions& device)
    : impl_(std::make_unique<Impl>(options, device)) {}
TakeFinder::~TakeFinder() = default;
TakeFinder::TakeFinder(TakeFinder&&) noexcept = default;

double TakeFinder::add(const std::filesystem::path& clip, const VideoOptions& video, const ProgressSink& progress) {
  return impl_->add(clip, video, progress);
}

void TakeFinder::add(const ClipSignature& signature, const std::filesystem::path& file, const VideoOptions& video,
                     const ProgressSink& progress) {
  impl_->add(signature, file, video, progress);
}

TakeList TakeFinder::find(const ProgressSink& progress) const { return impl_->find(progress); }

}  // namespace octavo
