// The way from pictures to a plan: features, pairs, groups, model, orientation, canvas, exposure, seams.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>

#include "geometry/opencv_error.h"
#include "imageio/cv_mat.h"
#include "mosaic/choose_model.h"
#include "mosaic/details.h"
#include "mosaic/even_contrast.h"
#include "mosaic/match_pairs.h"
#include "mosaic/pair_graph.h"
#include "mosaic/refine.h"
#include "mosaic/seams.h"
#include "mosaic/small.h"
#include "mosaic/stored.h"
#include "mosaic/upright.h"
#include "mosaic/warp.h"
#include "octavo/error.h"
#include "octavo/mosaic.h"

namespace octavo {
namespace {

using mosaic::Canvas;
using mosaic::Choice;
using mosaic::Geometry;
using mosaic::Tree;
using mosaic::VerifiedPair;

constexpr int longest_side = 32766;  // OpenCV's remap counts pixels in 16 bits
constexpr double grey_pixels = 2e6;  // of the grey copies, by which places are compared
constexpr double degrees = std::numbers::pi / 180;

// What is kept of a picture when it is loaded the first time.
struct Loaded {
  mosaic::Stored small;
  PixelType depth = PixelType::u8;
};

class Planner {
 public:
  Planner(std::span<const MosaicInput> inputs, Extractor& extractor, Matcher& matcher, const RobustOptions& robust,
          const MosaicOptions& options, const ProgressSink& progress)
      : inputs_(inputs),
        extractor_(extractor),
        matcher_(matcher),
        robust_(robust),
        options_(options),
        progress_(progress) {}

  MosaicPlan plan() {
    load();
    match();
    group();
    if (plan_.found) {
      place();
      join();
    }
    return std::move(plan_);
  }

 private:
  void load() {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      report(progress_, "features", i, inputs_.size());
      MosaicPicture picture;
      picture.name = inputs_[i].name;
      MosaicImage one = loaded_or_failed(i, picture);
      picture.size = {one.image.width(), one.image.height()};
      sizes_.push_back(picture.size);
      Loaded loaded;
      features_.emplace_back();
      greys_.emplace_back();
      if (picture.fate != MosaicFate::failed) {
        const mosaic::Stored stored = mosaic::stored_of(one);
        loaded = {mosaic::small_copy(stored), one.image.type()};
        map_to_full_scale(one.image, stored.scale);
        features_.back() = features_of(one.image, stored.shown);
        greys_.back() = mosaic::grey_picture(mosaic::colours_of(one.image.view()), grey_pixels);
        picture.scale = stored.scale;
        picture.keypoints = features_.back().size();
      }
      for (std::size_t k = 0; k < i && is_wanted(picture); ++k) {
        if (plan_.pictures[k].size != picture.size || !is_identical(k, loaded)) continue;
        picture.fate = MosaicFate::identical;
        picture.reason = fmt::format("it is the same picture as '{}'", inputs_[k].name);
      }
      plan_.pictures.push_back(std::move(picture));
      loaded_.push_back(loaded);
    }
  }

  // A picture that fails says why, and is empty; the others are a mosaic without it.
  MosaicImage loaded_or_failed(std::size_t i, MosaicPicture& picture) {
    try {
      MosaicImage one = inputs_[i].load();
      if (std::max(one.image.width(), one.image.height()) <= longest_side) return one;
      picture.reason = fmt::format("it has {} x {} pixels, the longest side of a mosaic's picture is {}",
                                   one.image.width(), one.image.height(), longest_side);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::file_error && error.code() != ErrorCode::out_of_memory) throw;
      picture.reason = error.what();
    }
    picture.fate = MosaicFate::failed;
    return Image();
  }

  Features features_of(const Image& image, const cv::Mat& shown) {
    if (shown.empty()) return extractor_.extract(image.view());
    const ImageView mask = imageio::view_of(shown);
    return extractor_.extract(image.view(), &mask);
  }

  // Whether the picture whose features are the last is this one.
  [[nodiscard]] bool is_identical(std::size_t k, const Loaded& last) const {
    const Loaded& other = loaded_[k];
    return other.small.colours.size() == last.small.colours.size() && other.small.scale == last.small.scale &&
           features_[k].descriptors == features_.back().descriptors &&
           cv::norm(other.small.colours, last.small.colours, cv::NORM_INF) == 0;
  }

  static bool is_wanted(const MosaicPicture& picture) {
    return picture.fate != MosaicFate::identical && picture.fate != MosaicFate::failed;
  }

  [[nodiscard]] bool is_matched(std::size_t i) const { return is_wanted(plan_.pictures[i]); }

  void match() {
    pairs_ = matched(false, [](std::size_t, std::size_t) { return true; });
    match_even_contrast();
    features_.clear();
  }

  // The pairs of these that are not of identical pictures, with exact places.
  std::vector<VerifiedPair> matched(bool even_contrast,
                                    const std::function<bool(std::size_t a, std::size_t b)>& is_wanted) {
    const auto both = [&](std::size_t a, std::size_t b) { return is_matched(a) && is_matched(b) && is_wanted(a, b); };
    std::vector<VerifiedPair> pairs =
        mosaic::match_pairs({features_, sizes_, both, even_contrast}, matcher_, robust_, progress_);
    align(pairs);
    return pairs;
  }

  // A second attempt for pictures that their features do not connect with the largest group.
  void match_even_contrast() {
    const std::vector<int> group = mosaic::groups(static_cast<int>(sizes_.size()), pairs_);
    const auto is_outside = [&](std::size_t i) { return is_matched(i) && group[i] != 0; };
    std::size_t outside = 0;
    for (std::size_t i = 0; i < group.size(); ++i) outside += is_outside(i) ? 1 : 0;
    if (outside == 0) return;
    for (std::size_t i = 0; i < greys_.size(); ++i) {
      report(progress_, "features of even contrast", i, greys_.size());
      if (!is_matched(i)) continue;
      features_[i] = mosaic::features_of_even_contrast(greys_[i], extractor_);
    }
    mosaic::add_used(pairs_,
                     matched(true, [&](std::size_t a, std::size_t b) { return is_outside(a) || is_outside(b); }));
  }

  // Exact places of pairs, by their intensities.
  void align(std::vector<VerifiedPair>& pairs) {
    report(progress_, "comparing intensities");
    cv::parallel_for_(cv::Range(0, static_cast<int>(pairs.size())), [&](const cv::Range& range) {
      for (int k = range.start; k < range.end; ++k) {
        VerifiedPair& pair = pairs[static_cast<std::size_t>(k)];
        if (pair.report.inliers == 0) continue;
        mosaic::align(pair, greys_[static_cast<std::size_t>(pair.report.a)],
                      greys_[static_cast<std::size_t>(pair.report.b)], robust_.threshold);
      }
    });
  }

  // The groups of pictures, and why those outside of the largest are left out. Pairs that the others contradict are
  // removed one by one.
  void group() {
    plan_.found = connect();
    constexpr int comparisons = 2;  // the second begins at better places, and leaves out what is far off there
    for (int round = 0; round < comparisons && plan_.found; ++round) {
      report(progress_, "comparing intensities");
      mosaic::compare_neighbours(pairs_, choice_.frames, group_, greys_, sizes_, robust_.threshold);
      plan_.found = connect();
    }
    leave_out();
    if (plan_.found) tell_errors();
    greys_.clear();
  }

  bool connect() {
    const int n = static_cast<int>(loaded_.size());
    constexpr int most_rounds = 20;
    for (int round = 0; round <= most_rounds; ++round) {
      group_ = mosaic::groups(n, pairs_);
      tree_ = mosaic::strongest_tree(group_, 0, pairs_);
      if (tree_.branches.empty()) return false;
      choice_ = mosaic::choose_model(tree_, pairs_, sizes_, options_, progress_);
      if (!remove_worst_pair()) break;
    }
    return true;
  }

  bool remove_worst_pair() {
    std::vector<double> medians;
    VerifiedPair* worst = nullptr;
    double worst_median = 0;
    // Where pairs contradict each other, one that is not sure is wrong.
    VerifiedPair* worst_unsure = nullptr;
    double worst_unsure_median = 0;
    for (VerifiedPair& pair : pairs_) {
      if (!is_used(pair)) continue;
      medians.push_back(mosaic::error_of(choice_.frames, pair).median);
      if (!mosaic::is_sure(pair.report) && medians.back() > worst_unsure_median) {
        worst_unsure_median = medians.back();
        worst_unsure = &pair;
      }
      if (medians.back() <= worst_median) continue;
      worst_median = medians.back();
      worst = &pair;
    }
    if (medians.size() < 3) return false;
    std::nth_element(medians.begin(), medians.begin() + static_cast<std::ptrdiff_t>(medians.size() / 2), medians.end());
    const double usual = medians[medians.size() / 2];
    const double largest = std::max(4 * robust_.threshold, 5 * usual);
    if (worst_median <= largest) return false;
    if (worst_unsure_median > largest) worst = worst_unsure;
    worst->report.state = MosaicPairState::inconsistent;
    return true;
  }

  [[nodiscard]] bool is_used(const VerifiedPair& pair) const {
    return pair.report.state == MosaicPairState::used && group_[static_cast<std::size_t>(pair.report.a)] == 0;
  }

  // The strongest pair of a picture, as words.
  [[nodiscard]] std::string best_pair_of(int picture) const {
    const VerifiedPair* best = nullptr;
    for (const VerifiedPair& pair : pairs_) {
      if (pair.report.a != picture && pair.report.b != picture) continue;
      if (best == nullptr || pair.report.inliers > best->report.inliers ||
          (pair.report.inliers == best->report.inliers && pair.report.matches > best->report.matches)) {
        best = &pair;
      }
    }
    if (best == nullptr) return "it has no matches with any";
    const int other = best->report.a == picture ? best->report.b : best->report.a;
    return fmt::format("its best is '{}' with {} matches, of which {} agree",
                       inputs_[static_cast<std::size_t>(other)].name, best->report.matches, best->report.inliers);
  }

  void leave_out() {
    for (std::size_t i = 0; i < plan_.pictures.size(); ++i) {
      MosaicPicture& picture = plan_.pictures[i];
      if (!is_wanted(picture)) continue;
      if (plan_.found && group_[i] == 0) {
        picture.fate = MosaicFate::placed;
        continue;
      }
      std::vector<std::string> others;
      for (std::size_t k = 0; k < group_.size(); ++k) {
        if (k != i && group_[k] == group_[i]) others.push_back("'" + inputs_[k].name + "'");
      }
      if (others.empty()) {
        picture.fate = MosaicFate::no_overlap;
        picture.reason = fmt::format("it overlaps no other picture: {}", best_pair_of(static_cast<int>(i)));
      } else {
        picture.fate = MosaicFate::second_panorama;
        picture.reason = "it belongs to another panorama, with " + others.front();
        if (others.size() > 1) picture.reason += fmt::format(" and {} more", others.size() - 1);
      }
    }
    if (plan_.found) return;
    plan_.reason = reason_of_none();
    tell_pairs();
  }

  [[nodiscard]] std::string reason_of_none() const {
    const auto count = [&](MosaicFate fate) {
      return std::count_if(plan_.pictures.begin(), plan_.pictures.end(),
                           [fate](const MosaicPicture& picture) { return picture.fate == fate; });
    };
    const auto loaded = std::ssize(plan_.pictures) - count(MosaicFate::failed);
    if (loaded == 0) return "no picture can be read";
    if (loaded == 1) return "only one of the pictures can be read";
    return count(MosaicFate::identical) + 1 == loaded ? "the pictures are identical" : "no two pictures overlap";
  }

  void tell_pairs() {
    for (const VerifiedPair& pair : pairs_) plan_.pairs.push_back(pair.report);
  }

  void tell_errors() {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      VerifiedPair& pair = pairs_[i];
      const bool is_judged = pair.report.state != MosaicPairState::unrelated &&
                             group_[static_cast<std::size_t>(pair.report.a)] == 0 &&
                             group_[static_cast<std::size_t>(pair.report.b)] == 0;
      if (!is_judged) continue;
      const mosaic::PairError error = mosaic::error_of(choice_.frames, pair);
      pair.report.residual = error.all;
      pair.report.withheld = error.withheld;
      if (pair.report.state != MosaicPairState::used) continue;
      const bool is_branch = std::any_of(tree_.branches.begin(), tree_.branches.end(),
                                         [i](const Tree::Branch& branch) { return branch.pair == i; });
      if (is_branch) continue;
      pair.report.loop_error = mosaic::loop_error(tree_, i, pairs_, sizes_);
      plan_.loop_error = std::max(plan_.loop_error.value_or(0), pair.report.loop_error);
    }
    tell_pairs();
    plan_.model = choice_.chosen.model;
    plan_.distortion = choice_.chosen.distortion;
    plan_.why = choice_.why;
    plan_.candidates = choice_.candidates;
    plan_.reference = tree_.root;
    plan_.residual = choice_.chosen.residual;
    plan_.withheld = choice_.chosen.withheld;
    if (plan_.model == MosaicModel::rotation && !choice_.frames.held_focal.empty()) {
      plan_.doubts.push_back(
          "the pictures do not show the focal length, because the camera hardly turns: that of a usual lens is "
          "assumed");
    }
    if (plan_.withheld > robust_.threshold) {
      plan_.doubts.push_back(
          fmt::format("the pictures do not meet: withheld matches are {:.1f} pixels off; the camera moved and the "
                      "scene is not flat",
                      plan_.withheld));
    }
    // Distortion bends a plane too, by as much.
    for (const VerifiedPair& pair : pairs_) {
      if (plan_.distortion || pair.report.state != MosaicPairState::used || !pair.parallax.shows_depth()) continue;
      plan_.doubts.push_back(fmt::format(
          "'{}' and '{}' show a scene with depth from two places: of {} matches that a moving camera "
          "explains, {} lie more than {:g} pixels from where a homography puts them",
          inputs_[static_cast<std::size_t>(pair.report.a)].name, inputs_[static_cast<std::size_t>(pair.report.b)].name,
          pair.parallax.epipolar, pair.parallax.off, 2 * robust_.threshold));
    }
    for (std::size_t i = 0; i < plan_.pictures.size(); ++i) {
      constexpr double largest_uncertainty = 1;  // [pixel]
      if (plan_.pictures[i].fate != MosaicFate::placed || choice_.uncertainty[i] <= largest_uncertainty) continue;
      plan_.doubts.push_back(
          fmt::format("the place of '{}' is known only within about {:.1f} pixels: it shares few "
                      "details with the others",
                      inputs_[i].name, choice_.uncertainty[i]));
    }
    for (const MosaicPair& pair : plan_.pairs) {
      if (pair.state == MosaicPairState::used && pair.residual > 2 * robust_.threshold) {
        plan_.doubts.push_back(fmt::format("'{}' and '{}' are {:.1f} pixels apart in their overlap",
                                           inputs_[static_cast<std::size_t>(pair.a)].name,
                                           inputs_[static_cast<std::size_t>(pair.b)].name, pair.residual));
      }
    }
  }

  // The frames of pixels, the projection and the canvas.
  void place() {
    const std::vector<std::size_t> placed = placed_pictures();
    const bool turns = plan_.model == MosaicModel::rotation;
    const auto root = static_cast<std::size_t>(tree_.root);
    const mosaic::Frames& frames = choice_.frames;
    cv::Matx33d common =
        turns ? cv::Matx33d::eye() : mosaic::hat_from_pixel(sizes_[root]).inv() * frames.frame(root).inv();
    if (turns) common = mosaic::upright(frames, sizes_, placed);
    std::vector<double> focal_lengths;
    for (const std::size_t i : placed) {
      MosaicPicture& picture = plan_.pictures[i];
      const cv::Matx33d frame = common * frames.frame(i) * mosaic::hat_from_pixel(sizes_[i]);
      std::copy_n(frame.val, 9, picture.frame_from_picture.begin());
      const auto g = static_cast<std::size_t>(frames.group[i]);
      picture.radial = frames.distortion ? frames.radial[g] : 0;
      picture.uncertainty = choice_.uncertainty[i];
      if (turns) picture.focal_length = std::exp(frames.log_focal[g]) * frames.unit[i];
      focal_lengths.push_back(picture.focal_length);
    }
    std::nth_element(focal_lengths.begin(), focal_lengths.begin() + std::ssize(focal_lengths) / 2, focal_lengths.end());
    plan_.scale = turns ? focal_lengths[focal_lengths.size() / 2] : 1;
    choose_projection(placed);
    require_drawable(placed);
  }

  [[nodiscard]] std::vector<std::size_t> placed_pictures() const {
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < plan_.pictures.size(); ++i) {
      if (plan_.pictures[i].fate == MosaicFate::placed) list.push_back(i);
    }
    return list;
  }

  [[nodiscard]] std::vector<Geometry> geometry_in(MosaicProjection projection,
                                                  const std::vector<std::size_t>& placed) const {
    std::vector<Geometry> list(plan_.pictures.size());
    for (const std::size_t i : placed) {
      const MosaicPicture& picture = plan_.pictures[i];
      list[i] = mosaic::geometry_of(picture.frame_from_picture, picture.radial, picture.size, projection);
    }
    return list;
  }

  void choose_projection(const std::vector<std::size_t>& placed) {
    const bool turns = plan_.model == MosaicModel::rotation;
    if (!turns &&
        (options_.projection == MosaicProjection::cylinder || options_.projection == MosaicProjection::sphere)) {
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("a {} is for a turning camera, but the model of these pictures is {}",
                              word(options_.projection), word(plan_.model)));
    }
    plan_.projection = MosaicProjection::plane;
    if (!turns) return;
    double left = 0, right = 0, top = 0, bottom = 0;
    for (const std::size_t i : placed) {
      const MosaicPicture& picture = plan_.pictures[i];
      const auto area = mosaic::extent(
          mosaic::geometry_of(picture.frame_from_picture, picture.radial, picture.size, MosaicProjection::sphere),
          MosaicProjection::sphere);
      if (!area) continue;
      left = std::min(left, area->x), right = std::max(right, area->x + area->width);
      top = std::min(top, area->y), bottom = std::max(bottom, area->y + area->height);
    }
    const double wide = right - left, high = 2 * std::max(-top, bottom);
    plan_.projection = options_.projection;
    if (plan_.projection == MosaicProjection::plane && wide > 150 * degrees) {
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("the pictures are {:.0f} degrees wide, a plane takes 150", wide / degrees));
    }
    if (plan_.projection != MosaicProjection::automatic) return;
    plan_.projection = wide <= 90 * degrees && high <= 90 * degrees ? MosaicProjection::plane
                       : high <= 110 * degrees                      ? MosaicProjection::cylinder
                                                                    : MosaicProjection::sphere;
  }

  void require_drawable(const std::vector<std::size_t>& placed) {
    std::vector<Geometry> visible;
    const std::vector<Geometry> all = geometry_in(plan_.projection, placed);
    for (const std::size_t i : placed) visible.push_back(all[i]);
    const Canvas canvas = mosaic::canvas_of(visible, plan_.projection, plan_.scale);
    const double pixels = static_cast<double>(canvas.width) * static_cast<double>(canvas.height);
    constexpr std::int64_t longest = (std::int64_t{1} << 31) - 2 * mosaic_block;
    if (pixels > static_cast<double>(options_.max_canvas) || std::max(canvas.width, canvas.height) > longest) {
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("the mosaic would have {} x {} pixels, more than the {} that are allowed", canvas.width,
                              canvas.height, options_.max_canvas));
    }
    plan_.scale = canvas.scale;
    plan_.left = canvas.left;
    plan_.top = canvas.top;
    plan_.width = static_cast<std::uint64_t>(canvas.width);
    plan_.height = static_cast<std::uint64_t>(canvas.height);
    details_ = std::make_shared<MosaicPlan::Details>();
    details_->options = options_;
    details_->threads = extractor_.threads();
    details_->geometry = all;
    details_->canvas = canvas;
    for (const std::size_t i : placed) {
      details_->geometry[i] = all[i].resized(mosaic::size_to_draw(all[i], canvas));
    }
    share_values(placed);
  }

  // One range of values for pictures of one type.
  void share_values(const std::vector<std::size_t>& placed) {
    for (const std::size_t i : placed) plan_.depth = std::max(plan_.depth, loaded_[i].depth);
    plan_.values = full_scale(plan_.depth, {});
    const bool is_one_type =
        std::all_of(placed.begin(), placed.end(), [&](std::size_t i) { return loaded_[i].depth == plan_.depth; });
    if (is_one_type) {
      plan_.values = plan_.pictures[placed.front()].scale;
      for (const std::size_t i : placed) plan_.values = joined(plan_.values, plan_.pictures[i].scale);
      for (const std::size_t i : placed) plan_.pictures[i].scale = plan_.values;
    }
    plan_.exposure = options_.exposure == MosaicExposure::automatic ? !mosaic::has_own_unit(plan_.values, plan_.depth)
                                                                    : options_.exposure == MosaicExposure::on;
  }

  // Exposure and seams.
  void join() {
    report(progress_, "exposure");
    std::vector<mosaic::Stored> small;
    for (const Loaded& one : loaded_) small.push_back(one.small);
    mosaic::draw_small(plan_, *details_, small);
    report(progress_, "seams");
    if (options_.seams) mosaic::find_seams(details_->parts);
    plan_.details = details_;
  }

  std::span<const MosaicInput> inputs_;
  Extractor& extractor_;
  Matcher& matcher_;
  const RobustOptions& robust_;
  const MosaicOptions& options_;
  const ProgressSink& progress_;

  MosaicPlan plan_;
  std::vector<Loaded> loaded_;
  std::vector<Features> features_;
  std::vector<mosaic::GreyPicture> greys_;
  std::vector<ImageSize> sizes_;
  std::vector<VerifiedPair> pairs_;
  std::vector<int> group_;
  Tree tree_;
  Choice choice_;
  std::shared_ptr<MosaicPlan::Details> details_;
};

}  // namespace

MosaicPlan plan_mosaic(std::span<const MosaicInput> inputs, Extractor& extractor, Matcher& matcher,
                       const RobustOptions& robust, const MosaicOptions& options, const ProgressSink& progress) try {
  validate(options);
  validate(robust);
  if (inputs.size() < 2) {
    throw Error(ErrorCode::invalid_argument, fmt::format("a mosaic needs at least 2 pictures, but there {} {}",
                                                         inputs.size() == 1 ? "is" : "are", inputs.size()));
  }
  return Planner(inputs, extractor, matcher, robust, options, progress).plan();
} catch (const cv::Exception& error) {
  throw_error_of(error, "no mosaic can be planned");
}

}  // namespace octavo
