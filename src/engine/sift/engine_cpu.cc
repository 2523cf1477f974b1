// SIFT on the CPU: tiles of each octave stream through blurs and the search for extrema. Only the S Gaussian images per
// octave that orientations and descriptors read stay in memory; in parts, only some rows of those of one octave; for
// visits, only some rows of those of large octaves, which are made again.

#include "engine/sift/engine_cpu.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string>

#include "engine/core/scratch.h"
#include "engine/scale_space/octave_cpu.h"
#include "engine/scale_space/scale_space_reference.h"
#include "engine/sift/extrema.h"
#include "engine/sift/extrema_cpu.h"
#include "engine/sift/keypoint.h"
#include "engine/sift/prefetch_window.h"
#include "engine/sift/visits.h"
#include "engine/sift/windows_cpu.h"
#include "engine/trilateral/trilateral_octaves_cpu.h"

namespace octavo {

namespace {

// The state of one thread.
struct Worker {
  explicit Worker(const Isa& isa) : octave(isa), extrema(isa), windows(isa) {}
  OctaveCpu octave;
  ExtremaCpu extrema;
  WindowsCpu windows;
  std::vector<Extremum> found;
};

class CpuEngine : public SiftEngine {
 public:
  CpuEngine(const SiftParts& parts, Isa isa, CpuPool pool)
      : parts_(parts), isa_(std::move(isa)), pool_(std::move(pool)) {
    if (parts.scale_space.smoothing == Smoothing::trilateral) trilateral_.emplace(parts.scale_space, isa_, pool_);
  }

  void smooth(const ImageView& image) override { make_octaves(image, 0, nullptr); }

  std::vector<std::vector<Extremum>> detect(const ImageView& image) override {
    std::vector<std::vector<Extremum>> found;
    make_octaves(image, 0, &found);
    return found;
  }

  std::vector<std::vector<Extremum>> detect_for_visits(const ImageView& image) override {
    std::vector<std::vector<Extremum>> found;
    make_octaves(image, dropped_of(plan_scale_space(image.width, image.height, parts_.scale_space)).sizes.size(),
                 &found);
    return found;
  }

  void visit(const ImageView& image, const std::vector<Oriented>& points, const TakePoints& take) override {
    if (dropped_ == 0) return SiftEngine::visit(image, points, take);
    ScaleSpacePlan plan = plan_scale_space(image.width, image.height, parts_.scale_space);
    plan.step.resize(static_cast<std::size_t>(plan.layers));
    int reach = plan.base.radius();
    for (const Taps& step : plan.step) reach += step.radius();
    const Visits visits = plan_visits(points, dropped_of(plan), pooling_, parts_.description);
    if (!visits.of_images_that_stay.empty()) take(visits.of_images_that_stay);
    std::vector<OctaveJob> jobs;
    for (std::size_t o = 0; o < dropped_; ++o) {
      jobs.push_back(job_of(plan, o, image));
      jobs[o].first = o == 0 ? nullptr : &first_image(o);
      keep_rows(jobs[o], o, {0, visits.most_rows(o)});
    }
    std::vector<int> made(dropped_);  // the rows of each octave above this one
    for (const Visits::Band& band : visits.bands) {
      for (std::size_t o = 0; o < dropped_; ++o) {
        const Rows& rows = band.rows[o];
        if (rows.begin >= rows.end) continue;
        tell_octave(o, plan.octaves.size());
        for (Plane* plane : jobs[o].keep) {
          if (plane) plane->slide(rows.begin, made[o]);
        }
        // Rows between two tiles that are fewer than those that the second one repeats are made too.
        run_tiles(jobs[o], visits.needed[o].tiles({std::max(rows.begin, made[o]), rows.end}, 2 * reach), nullptr);
        made[o] = rows.end;
      }
      take(band.points);
    }
  }

  void detect_in_parts(const ImageView& image, const TakeFound& take) override {
    if (trilateral_) return SiftEngine::detect_in_parts(image, take);
    ScaleSpacePlan plan = plan_scale_space(image.width, image.height, parts_.scale_space);
    const Taps top = take_last_step(plan);
    begin(plan);
    is_in_parts_ = true;
    std::vector<Extremum> found;
    for (std::size_t o = 0; o < plan.octaves.size(); ++o) {
      OctaveJob job = searched(job_of(plan, o, image), top);
      for (const Rows& rows : cut_into_parts(job.size)) {
        make_rows(job, o,
                  {std::max(rows.begin - window_reach(), 0), std::min(rows.end + window_reach(), job.size.height)},
                  &top);
        found.clear();
        take_found(found);
        std::erase_if(found, [&](const Extremum& e) { return e.row < rows.begin || e.row >= rows.end; });
        take(static_cast<int>(o), found);
      }
    }
  }

  void fit_shapes(std::vector<Oriented>& extrema) override {
    pool_.stage("shapes");
    for_each_keypoint(extrema.size(), [&](std::size_t i, WindowsCpu& windows) {
      const ShapeWindow window = shape_window(pooling_, extrema[i]);
      const Plane& image = level(window.octave, window.layer);
      extrema[i].shape = affine_shape([&](const Shape& shape) { return windows.second_moments(image, window, shape); });
    });
  }

  std::vector<Orientations> orient(const std::vector<Oriented>& extrema) override {
    pool_.stage("orientations");
    std::vector<Orientations> found(extrema.size());
    if (has_orientation_windows(parts_.description)) {
      for_each_frame(
          extrema.size(), pooling_.orientation_sizes, 1.6f,
          [&](std::size_t i, int k) { return orientation_window(pooling_, extrema[i], k); },
          [&](std::size_t i, WindowsCpu& windows, const auto& for_each_size) {
            OrientationHistogram votes{};
            for_each_size([&](const Plane& level, const WindowFrame& window, WindowPrefetch& next) {
              windows.add_votes(level, window, next, votes);
            });
            found[i] = orientations_of(votes, pooling_.smoothings, parts_.description.max_orientations);
          });
      return found;
    }
    for_each_window(
        extrema,
        [&](const Oriented& o) { return WindowPrefetch(level_of(o), o.extremum, orientation_radius(o.scale)); },
        [&](std::size_t i, WindowsCpu& windows, WindowPrefetch& next) {
          const Oriented& o = extrema[i];
          found[i] = orientations_of(windows.orientation_histogram(level_of(o), o.extremum, o.scale, next),
                                     pooling_.smoothings, parts_.description.max_orientations);
        });
    return found;
  }

  void describe(const std::vector<Oriented>& keypoints, std::uint8_t* descriptors) override {
    pool_.stage("descriptors");
    if (pooling_.sizes > 0) {
      describe_pooled(keypoints, descriptors);
      return;
    }
    for_each_window(
        keypoints, [&](const Oriented& o) { return WindowPrefetch(level_of(o), o.extremum, descriptor_frame(o)); },
        [&](std::size_t i, WindowsCpu& windows, WindowPrefetch& next) {
          const Oriented& o = keypoints[i];
          windows.finish_descriptor(windows.descriptor_histogram(level_of(o), o, next), parts_.description.descriptor,
                                    descriptors + i * descriptor_length);
        });
  }

  const Plane& level(int octave, int layer) override {
    return levels_[is_in_parts_ ? 0 : static_cast<std::size_t>(octave)][static_cast<std::size_t>(layer)];
  }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image) const override {
    return memory_for(image, Kept::everything);
  }

  [[nodiscard]] MemoryNeed memory_for_parts(const ImageView& image) const override {
    return memory_for(image, trilateral_ ? Kept::everything : Kept::parts);
  }

  [[nodiscard]] MemoryNeed memory_for_visits(const ImageView& image) const override {
    return memory_for(image, Kept::bands_of_large_octaves);
  }

  [[nodiscard]] MemoryNeed memory_for_description(const ImageView& image, std::size_t) const override {
    return memory_for(image);
  }

 private:
  enum class Kept { everything, parts, bands_of_large_octaves };

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, Kept what) const {
    ScaleSpacePlan plan = plan_scale_space(image.width, image.height, parts_.scale_space);
    MemoryNeed need;
    if (plan.octaves.empty()) return need;
    const Taps top = take_last_step(plan);
    const OctaveCpu rings(isa_);
    const DroppedOctaves dropped = what == Kept::bands_of_large_octaves ? dropped_of(plan) : DroppedOctaves();
    std::uint64_t firsts = 0, planes = 0, of_tile = 0;
    for (std::size_t o = 0; o < plan.octaves.size(); ++o) {
      const Size size = plan.octaves[o];
      if (!trilateral_ && o > 0) firsts += bytes_of_first(plan, o, dropped);
      std::uint64_t kept = 0;
      for (int level = 0; level < plan.levels(); ++level) kept += keeps(plan, level) ? 1 : 0;
      if (what == Kept::parts) {
        const Rows rows = cut_into_parts(size).front();
        const int height = std::min(rows.end + 2 * window_reach(), size.height);
        planes = std::max(planes, kept * Plane::bytes_of(size.width, height));
      } else if (o < dropped.sizes.size()) {
        planes += kept * Plane::bytes_of(size.width, dropped.most_rows(o));
      } else {
        planes += kept * Plane::bytes_of(size.width, size.height);
      }
      const OctaveJob job = searched(job_of(plan, o, image), top);
      for (const Tile& tile : cut_into_tiles(size, pool_.threads())) {
        const std::uint64_t of_rings = trilateral_ ? 0 : rings.bytes_for(job, tile);
        of_tile = std::max(
            of_tile, of_rings + ExtremaCpu::bytes_for(parts_.scale_space.layers, tile, trilateral_ ? nullptr : &top));
      }
    }
    const std::uint64_t threads = static_cast<std::uint64_t>(pool_.threads());
    need.least.host = firsts + planes;
    need.usual.host = firsts + planes + threads * (of_tile + scratch_of_thread);
    return trilateral_ ? need + trilateral_->memory_for(image, plan) : need;
  }

  // The rows of an octave whose planes are in memory together.
  [[nodiscard]] std::vector<Rows> cut_into_parts(Size octave) const {
    constexpr std::int64_t most_pixels = std::int64_t{1} << 24;  // 64 MiB for each plane
    const std::int64_t pixels = std::int64_t{octave.width} * octave.height;
    // Rows around a part are made twice.
    const int most_parts = std::max(octave.height / (8 * window_reach()), 1);
    const int parts = static_cast<int>(std::min<std::int64_t>((pixels + most_pixels - 1) / most_pixels, most_parts));
    const int height = (octave.height + parts - 1) / parts;
    std::vector<Rows> rows;
    for (int y = 0; y < octave.height; y += height) rows.push_back({y, std::min(y + height, octave.height)});
    return rows;
  }

  // The farthest row from an extremum's that its orientation and its descriptor read.
  [[nodiscard]] int window_reach() const {
    const int layers = parts_.scale_space.layers;
    Extremum largest{.layer = layers};
    largest.layer_offset = 0.5f;
    const float scale = scale_of(largest, parts_.scale_space);
    return std::max(orientation_radius(scale), descriptor_radius(scale)) + 1;
  }

  // The farthest pixel from the centre of a window on an image of a dropped octave.
  [[nodiscard]] int reach_of_frames() const {
    const PoolingRecord pooling = pooling_of(parts_, 1);
    const float widest = pooling.limit[pooling.layers] * (parts_.description.affine ? 2.0f : 1.0f);
    return std::max(window_reach(), descriptor_radius(widest) + 4);
  }

  // The octaves whose images do not stay if there are visits.
  [[nodiscard]] DroppedOctaves dropped_of(const ScaleSpacePlan& plan) const {
    return trilateral_ ? DroppedOctaves() : dropped_octaves(plan, reach_of_frames());
  }

  // [byte] that the first image of an octave takes beyond a plane of bands, if it lies in one.
  static std::uint64_t bytes_of_first(const ScaleSpacePlan& plan, std::size_t octave, const DroppedOctaves& dropped) {
    const std::uint64_t bytes = Plane::bytes_of(plan.octaves[octave].width, plan.octaves[octave].height);
    const std::size_t first_that_stays = dropped.sizes.size();
    if (first_that_stays == 0 || octave < first_that_stays ||
        octave >= first_that_stays + static_cast<std::size_t>(plan.layers)) {
      return bytes;
    }
    return bytes - std::min<std::uint64_t>(bytes, Plane::bytes_of(plan.octaves[0].width, dropped.most_rows(0)));
  }

  // Where the first image of an octave is made. Between detection and visits the planes of bands are free.
  Plane& first_image(std::size_t octave) {
    const std::size_t plane = octave - dropped_ + 1;
    const bool is_free = !is_in_parts_ && dropped_ > 0 && octave >= dropped_ && plane < levels_[0].size();
    return is_free ? levels_[0][plane] : firsts_[octave];
  }

  // Makes room for what outlives an image.
  void begin(const ScaleSpacePlan& plan) {
    const std::size_t octaves = plan.octaves.size();
    pooling_ = pooling_of(parts_, static_cast<int>(octaves));
    if (levels_.size() < octaves) {
      levels_.resize(octaves);
      firsts_.resize(octaves);
    }
    const std::size_t workers = static_cast<std::size_t>(pool_.threads());
    while (workers_.size() < workers) workers_.emplace_back(isa_);
    for (Worker& w : workers_) w.found.clear();  // an image that failed may have left some
  }

  // Makes the octaves and, unless `found` is null, finds the extrema of each. Images of the first `dropped` octaves do
  // not stay.
  void make_octaves(const ImageView& image, std::size_t dropped, std::vector<std::vector<Extremum>>* found) {
    ScaleSpacePlan plan = plan_scale_space(image.width, image.height, parts_.scale_space);
    // Only the search reads the images above S, and of the last one few pixels. With trilateral smoothing they are made
    // all the same.
    const Taps top = take_last_step(plan);
    if (!found) plan.step.resize(static_cast<std::size_t>(plan.layers));
    const std::size_t octaves = plan.octaves.size();
    begin(plan);
    is_in_parts_ = false;
    dropped_ = dropped;
    if (dropped > 0) levels_[0].resize(std::max(levels_[0].size(), static_cast<std::size_t>(plan.levels())));

    if (found) found->resize(octaves);
    for (std::size_t o = 0; o < octaves; ++o) {
      const Size size = plan.octaves[o];
      if (trilateral_) {
        tell_octave(o, octaves);
        make_trilateral_octave(o, plan, image);
        if (!found) continue;
        search(o, size);
        take_found((*found)[o]);
        continue;
      }
      OctaveJob job = job_of(plan, o, image);
      if (found) job = searched(job, top);
      make_rows(job, o, {0, size.height}, found ? &top : nullptr);
      if (found) take_found((*found)[o]);
    }
  }

  void tell_octave(std::size_t o, std::size_t octaves) {
    pool_.stage("octave " + std::to_string(o + 1) + " of " + std::to_string(octaves));
  }

  // Makes rows of an octave's images and, unless `top` is null, searches them.
  void make_rows(OctaveJob& job, std::size_t o, const Rows& rows, const Taps* top) {
    const ScaleSpacePlan& plan = *job.plan;
    const std::size_t octaves = plan.octaves.size();
    const Size size = job.size;
    tell_octave(o, octaves);
    job.first = o == 0 ? nullptr : &first_image(o);
    if (is_in_parts_ || o >= dropped_) keep_rows(job, o, rows);
    if (o + 1 < octaves) {
      job.half = &first_image(o + 1);
      job.half->resize(plan.octaves[o + 1].width, plan.octaves[o + 1].height);
    }
    std::vector<Tile> tiles = cut_into_tiles({size.width, rows.end - rows.begin}, pool_.threads());
    for (Tile& tile : tiles) {
      tile.y_begin += rows.begin;
      tile.y_end += rows.begin;
    }
    run_tiles(job, tiles, top);
  }

  // Gives a job planes for the rows of the images that are kept.
  void keep_rows(OctaveJob& job, std::size_t o, const Rows& rows) {
    const ScaleSpacePlan& plan = *job.plan;
    std::vector<Plane>& levels = levels_[is_in_parts_ ? 0 : o];
    levels.resize(std::max(levels.size(), static_cast<std::size_t>(plan.levels())));
    job.keep.clear();
    for (int level = 0; level < plan.levels(); ++level) {
      Plane& plane = levels[static_cast<std::size_t>(level)];
      if (keeps(plan, level)) plane.resize(job.size.width, job.size.height, rows.begin, rows.end - rows.begin);
      job.keep.push_back(keeps(plan, level) ? &plane : nullptr);
    }
  }

  void run_tiles(const OctaveJob& job, const std::vector<Tile>& tiles, const Taps* top) {
    pool_.parallel_for(static_cast<int>(tiles.size()), [&](int i, int worker) {
      Worker& w = workers_[static_cast<std::size_t>(worker)];
      const Tile& tile = tiles[static_cast<std::size_t>(i)];
      if (top) w.extrema.begin(parts_.limits, job.size, tile, top, &w.found);
      w.octave.run(job, tile, top ? &w.extrema : nullptr);
    });
  }

  // Whether an image of an octave stays in memory.
  [[nodiscard]] bool keeps(const ScaleSpacePlan& plan, int level) const {
    return trilateral_ || (level >= 1 && level <= plan.layers);
  }

  // The filter from image S + 1 to image S + 2, which octaves do not make; with trilateral smoothing they do.
  [[nodiscard]] Taps take_last_step(ScaleSpacePlan& plan) const {
    if (trilateral_) return {};
    Taps last = std::move(plan.step.back());
    plan.step.pop_back();
    return last;
  }

  // A job whose tiles are searched for extrema.
  static OctaveJob searched(OctaveJob job, const Taps& top) {
    job.reach = extrema_reach;
    job.last_reach = ExtremaCpu::reach_of(top);
    return job;
  }

  // The job of an octave without its planes.
  [[nodiscard]] OctaveJob job_of(const ScaleSpacePlan& plan, std::size_t octave, const ImageView& image) const {
    return {.plan = &plan,
            .size = plan.octaves[octave],
            .image = octave == 0 ? &image : nullptr,
            .luma = parts_.scale_space.luma,
            .keep = {}};
  }

  void make_trilateral_octave(std::size_t o, const ScaleSpacePlan& plan, const ImageView& image) {
    const Size size = plan.octaves[o];
    levels_[o].resize(static_cast<std::size_t>(plan.levels()));
    for (Plane& plane : levels_[o]) plane.resize(size.width, size.height);
    if (o == 0) {
      trilateral_->begin(image, plan, levels_[0][0]);
    } else {
      reference::halved(levels_[o - 1][static_cast<std::size_t>(plan.halved)], levels_[o][0]);
    }
    trilateral_->complete(levels_[o]);
  }

  // Finds the extrema of an octave whose images are all complete.
  void search(std::size_t o, Size size) {
    constexpr int rows_at_once = 12;  // of all images; they stay in the cache
    const ExtremumLimits limits = limits_of_contrast(parts_.limits, trilateral_->contrast());
    std::vector<LevelRows> rows;
    for (const Plane& plane : levels_[o]) rows.push_back({plane.row(0), plane.stride(), plane.height()});
    const std::vector<Tile> tiles = cut_into_tiles(size, pool_.threads());
    pool_.parallel_for(static_cast<int>(tiles.size()), [&](int i, int worker) {
      Worker& w = workers_[static_cast<std::size_t>(worker)];
      const Tile& tile = tiles[static_cast<std::size_t>(i)];
      w.extrema.begin(limits, size, tile, nullptr, &w.found);
      for (int y = tile.y_begin; y < tile.y_end; y += rows_at_once) {
        w.extrema.rows_ready(rows, y, std::min(y + rows_at_once, tile.y_end));
      }
    });
  }

  // Moves the extrema of the workers, sorted and without duplicates.
  void take_found(std::vector<Extremum>& found) {
    for (Worker& w : workers_) {
      found.insert(found.end(), w.found.begin(), w.found.end());
      w.found.clear();
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }

  const Plane& level_of(const Oriented& o) { return level(o.octave, o.extremum.layer); }

  // Calls work(k, windows, next) for each point. Neighbours in canonical order read the same rows, so they stay on one
  // thread. Each fetches the pixels of the next one.
  template <class PrefetchOf, class Work>
  void for_each_window(const std::vector<Oriented>& points, const PrefetchOf& prefetch_of, const Work& work) {
    constexpr std::size_t chunk = 64;
    pool_.parallel_for(static_cast<int>((points.size() + chunk - 1) / chunk), [&](int i, int worker) {
      const std::size_t begin = static_cast<std::size_t>(i) * chunk, end = std::min(begin + chunk, points.size());
      for (std::size_t k = begin; k < end; ++k) {
        WindowPrefetch next = k + 1 < end ? prefetch_of(points[k + 1]) : WindowPrefetch();
        work(k, workers_[static_cast<std::size_t>(worker)].windows, next);
        next.finish();
      }
    });
  }

  // Neighbours in canonical order read the same rows, so they stay on one thread.
  template <class Work>
  void for_each_keypoint(std::size_t n, const Work& work) {
    constexpr std::size_t chunk = 64;
    pool_.parallel_for(static_cast<int>((n + chunk - 1) / chunk), [&](int i, int worker) {
      const std::size_t begin = static_cast<std::size_t>(i) * chunk;
      for (std::size_t k = begin; k < std::min(begin + chunk, n); ++k)
        work(k, workers_[static_cast<std::size_t>(worker)].windows);
    });
  }

  // Calls work(k, windows, for_each_size) for each keypoint; for_each_size(add) calls add(level, frame, next) for each
  // of its windows, whose pixels up to `reach` cells from the centre are read. Neighbours in canonical order read the
  // same rows, so they stay on one thread. Each window fetches the pixels of the next one.
  template <class FrameOf, class Work>
  void for_each_frame(std::size_t keypoints, int sizes, float reach, const FrameOf& frame_of, const Work& work) {
    constexpr std::size_t most_frames = 512;
    const std::size_t chunk = std::min<std::size_t>(most_frames / static_cast<std::size_t>(sizes), 32);
    pool_.parallel_for(static_cast<int>((keypoints + chunk - 1) / chunk), [&](int i, int worker) {
      WindowsCpu& windows = workers_[static_cast<std::size_t>(worker)].windows;
      const std::size_t begin = static_cast<std::size_t>(i) * chunk, end = std::min(begin + chunk, keypoints);
      std::array<WindowFrame, most_frames> frames;
      std::size_t made = 0;
      const auto prefetch_of = [&](const WindowFrame& frame) {
        return WindowPrefetch(level(frame.octave, frame.layer), frame, reach);
      };
      for (std::size_t k = begin; k < end; ++k) {
        for (int size = 0; size < sizes; ++size) frames[made++] = frame_of(k, size);
        if (k == begin) prefetch_of(frames[0]).finish();
      }
      for (std::size_t at = 0; at < made;) {
        work(begin + at / static_cast<std::size_t>(sizes), windows, [&](const auto& add) {
          for (int size = 0; size < sizes; ++size, ++at) {
            WindowPrefetch next;
            if (at + 1 < made) next = prefetch_of(frames[at + 1]);
            add(level(frames[at].octave, frames[at].layer), frames[at], next);
            next.finish();
          }
        });
      }
    });
  }

  void describe_pooled(const std::vector<Oriented>& keypoints, std::uint8_t* descriptors) {
    for_each_frame(
        keypoints.size(), pooling_.sizes, 2.6f,
        [&](std::size_t k, int size) { return window_frame(pooling_, keypoints[k], size); },
        [&](std::size_t k, WindowsCpu& windows, const auto& for_each_size) {
          PooledBytes sums{};
          for_each_size([&](const Plane& level, const WindowFrame& window, WindowPrefetch& next) {
            std::array<std::uint8_t, descriptor_length> bytes;
            windows.finish_descriptor(windows.descriptor_histogram(level, window, next), DescriptorKind::sift,
                                      bytes.data());
            for (std::size_t b = 0; b < bytes.size(); ++b) sums[b] += bytes[b];
          });
          windows.finish_pooled(sums, parts_.description.descriptor, descriptors + k * descriptor_length);
        });
  }

  SiftParts parts_;
  PoolingRecord pooling_{};
  Isa isa_;
  CpuPool pool_;
  std::deque<Worker> workers_;
  // Per octave and level; with Gaussian smoothing only levels 1…S. In parts: of the octave that is made, the first.
  std::vector<std::vector<Plane>> levels_;
  bool is_in_parts_ = false;
  std::size_t dropped_ = 0;  // so many octaves' images do not stay
  // Per octave except the first: its first image, with Gaussian smoothing.
  std::vector<Plane> firsts_;
  std::optional<TrilateralOctavesCpu> trilateral_;
};

}  // namespace

std::unique_ptr<SiftEngine> make_cpu_engine(const SiftParts& parts, Isa isa, CpuPool pool) {
  return std::make_unique<CpuEngine>(parts, std::move(isa), std::move(pool));
}

}  // namespace octavo
