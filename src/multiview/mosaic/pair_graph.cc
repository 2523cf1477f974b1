// The graph of images: an edge is a pair with a homography that chance does not explain (Brown & Lowe, IJCV 2007,
// §3.2). OpenCV's matcher sets the confidence of the best pairs to 0, as if they were the same image; here only the
// test of identical images leaves images out.

#include "multiview/mosaic/pair_graph.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "multiview/geometry/inlier_share.h"
#include "multiview/mosaic/votes.h"

namespace octavo::mosaic {
namespace {

cv::Point2d mapped(const cv::Matx33d& h, const cv::Point2d& p) {
  const cv::Vec3d q = h * cv::Vec3d(p.x, p.y, 1);
  return {q[0] / q[2], q[1] / q[2]};
}

// The place of a keypoint is found in a window that grows with its scale: so does the error.
double weight_of_scale(double scale) {
  // The deviation of a place, in scales and at least [pixel]; guesses, which make usual_deviation of a scale of 4.
  constexpr double deviation_of_scale = 0.1, least_deviation = 0.3;
  return usual_deviation / std::hypot(least_deviation, deviation_of_scale * scale);
}

int strength(const MosaicPair& pair) { return pair.inliers + pair.patches; }

int root_of(std::vector<int>& parent, int i) {
  while (parent[static_cast<std::size_t>(i)] != i) i = parent[static_cast<std::size_t>(i)];
  return i;
}

PointPairs inliers_of(const PointPairs& points, const RobustModel& model) {
  PointPairs inliers;
  for (std::size_t i = 0; i < points.a.size(); ++i) {
    if (model.inliers[i] == 0) continue;
    inliers.a.push_back(points.a[i]);
    inliers.b.push_back(points.b[i]);
  }
  return inliers;
}

// How the matches of two images lie, by the homography of their inliers.
struct SeenMatches {
  int matches = 0;       // of all, those whose point in a is mapped into b
  bool is_whole = true;  // no inlier lies behind the others' camera
  double sign = 0;       // of the inliers' depth
};

SeenMatches seen_matches(const PointPairs& points, const RobustModel& model, const cv::Matx33d& b_from_a,
                         ImageSize size_b) {
  SeenMatches seen;
  for (std::size_t i = 0; i < points.a.size(); ++i) {
    const cv::Point2d p(points.a[i].x, points.a[i].y);
    const double w = b_from_a(2, 0) * p.x + b_from_a(2, 1) * p.y + b_from_a(2, 2);
    const cv::Point2d there = mapped(b_from_a, p);
    if (there.x >= -0.5 && there.y >= -0.5 && there.x < size_b.width - 0.5 && there.y < size_b.height - 0.5) {
      ++seen.matches;
    }
    if (model.inliers[i] == 0) continue;
    if (seen.sign == 0) seen.sign = w > 0 ? 1 : -1;
    if (w * seen.sign <= 0) seen.is_whole = false;
  }
  return seen;
}

// The passage from a to b that a pair alone tells: its homography; of a turning camera the rotation that brings the
// rays of its inliers together (Kabsch). Errors of homographies, which also follow depth, multiply along a way.
cv::Matx33d passage_alone(const VerifiedPair& pair, const Frames& frames, const std::vector<ImageSize>& sizes) {
  if (frames.model != MosaicModel::rotation) return pair.b_from_a;
  const auto a = static_cast<std::size_t>(pair.report.a), b = static_cast<std::size_t>(pair.report.b);
  const auto ray_from_normalised = [&](std::size_t image) {
    const double f = std::exp(-frames.log_focal[static_cast<std::size_t>(frames.group[image])]);
    return cv::Matx33d::diag(cv::Vec3d(f, f, 1));
  };
  const cv::Matx33d from_a = ray_from_normalised(a), from_b = ray_from_normalised(b);
  cv::Matx33d sum = cv::Matx33d::zeros();
  for (std::size_t i = 0; i < pair.inliers.in_a.size(); ++i) {
    const cv::Point2d &p = pair.inliers.in_a[i], &q = pair.inliers.in_b[i];
    sum += cv::normalize(from_b * cv::Vec3d(q.x, q.y, 1)) * cv::normalize(from_a * cv::Vec3d(p.x, p.y, 1)).t();
  }
  const cv::Matx33d normalised_b_from_a = from_b.inv() * nearest_rotation(sum) * from_a;
  return normalised_from_pixel(sizes[b]).inv() * normalised_b_from_a * normalised_from_pixel(sizes[a]);
}

}  // namespace

double confidence_of(int inliers, int matches_in_overlap) {
  // Brown and Lowe's numbers: right matches and chance's, by their probabilities.
  constexpr double least_inliers = 8, share_by_chance = 0.3;
  return inliers / (least_inliers + share_by_chance * matches_in_overlap);
}

bool is_sure(const MosaicPair& pair) { return pair.confidence > 1 && !pair.even_contrast; }

int trust(const VerifiedPair& pair) {
  if (pair.report.by_hand) return 4;
  if (!is_sure(pair.report)) return 0;
  if (pair.inlier_share < local_share) return 1;
  return pair.report.patches > 0 ? 3 : 2;
}

VerifiedPair verify(int a, int b, const Features& features_a, const Features& features_b, ImageSize size_a,
                    ImageSize size_b, const std::vector<Match>& matches, const RobustOptions& robust) {
  VerifiedPair pair;
  pair.report.a = pair.inliers.a = a;
  pair.report.b = pair.inliers.b = b;
  pair.report.matches = static_cast<int>(matches.size());
  const PointPairs points = point_pairs(features_a, features_b, matches);
  const cv::Matx33d normalised_from_a = normalised_from_pixel(size_a),
                    normalised_from_b = normalised_from_pixel(size_b);
  const auto keep = [&](PairPoints& kept, std::size_t i) {
    kept.in_a.push_back(mapped(normalised_from_a, {points.a[i].x, points.a[i].y}));
    kept.in_b.push_back(mapped(normalised_from_b, {points.b[i].x, points.b[i].y}));
    const double weight = weight_of_scale(std::max(features_a.keypoints[static_cast<std::size_t>(matches[i].a)].scale,
                                                   features_b.keypoints[static_cast<std::size_t>(matches[i].b)].scale));
    kept.weight_in_a.push_back(weight * cv::Matx22d::eye());
    kept.weight_in_b.push_back(weight * cv::Matx22d::eye());
  };
  const auto keep_bent = [&] {
    pair.bent.b = 1;
    for (std::size_t i = 0; i < matches.size(); ++i) keep(pair.bent, i);
  };
  const RobustModel model = estimate_homography(features_a, features_b, matches, robust);
  if (model.found) {
    pair.b_from_a = cv::Matx33d(model.b_from_a.data());
    const SeenMatches seen = seen_matches(points, model, pair.b_from_a, size_b);
    pair.report.confidence = confidence_of(model.inlier_count, seen.matches);
    if (pair.report.confidence > 1 && seen.is_whole) {
      pair.report.status = MosaicPairStatus::used;
      pair.report.inliers = model.inlier_count;
      for (std::size_t i = 0; i < matches.size(); ++i) {
        if (model.inliers[i] != 0) keep(pair.inliers, i);
      }
      pair.parallax = planes::parallax_of(pair.b_from_a * seen.sign, points, robust);
      if (pair.parallax.shows_depth()) keep_bent();
      pair.inlier_share = planes::share_with_inliers({size_a, features_a}, {size_b, features_b}, pair.b_from_a,
                                                     inliers_of(points, model));
      return pair;
    }
  }
  // Too few for a homography; intensities decide (mosaic::align).
  constexpr double tolerance = 0.04;  // of half the diagonal: what perspective may displace; a guess
  const std::vector<std::size_t> voters =
      agreeing_on_similarity(features_a, features_b, matches, tolerance * half_diagonal(size_b));
  pair.report.inliers = static_cast<int>(voters.size());
  for (const std::size_t i : voters) keep(pair.inliers, i);
  if (confidence_of(pair.report.inliers, pair.report.matches) > 1) keep_bent();
  return pair;
}

void add_pairs(std::vector<VerifiedPair>& pairs, std::vector<VerifiedPair> others) {
  const auto key = [](const VerifiedPair& pair) { return std::pair(pair.report.a, pair.report.b); };
  for (VerifiedPair& other : others) {
    const auto at = std::lower_bound(pairs.begin(), pairs.end(), key(other),
                                     [&](const VerifiedPair& pair, const auto& wanted) { return key(pair) < wanted; });
    if (at == pairs.end() || key(*at) != key(other)) {
      pairs.insert(at, std::move(other));
    } else if (at->report.status != MosaicPairStatus::used) {
      *at = std::move(other);
    }
  }
}

std::vector<std::optional<double>> shares_found(const std::vector<VerifiedPair>& pairs, std::size_t images) {
  std::vector<std::optional<double>> largest(images);
  for (const VerifiedPair& pair : pairs) {
    if (pair.report.status != MosaicPairStatus::used || (!pair.report.by_hand && !pair.agreement.is_known())) continue;
    const double share = pair.report.by_hand ? 1 : static_cast<double>(pair.agreement.found) / pair.agreement.tried;
    for (const int image : {pair.report.a, pair.report.b}) {
      std::optional<double>& of_image = largest[static_cast<std::size_t>(image)];
      of_image = std::max(of_image.value_or(0), share);
    }
  }
  return largest;
}

std::vector<int> groups(int images, const std::vector<VerifiedPair>& pairs) {
  std::vector<int> parent(static_cast<std::size_t>(images));
  std::iota(parent.begin(), parent.end(), 0);
  for (const VerifiedPair& pair : pairs) {
    if (pair.report.status != MosaicPairStatus::used) continue;
    parent[static_cast<std::size_t>(root_of(parent, pair.report.b))] = root_of(parent, pair.report.a);
  }
  struct Group {
    int root, members;
    long inliers;
  };
  std::vector<Group> list;
  for (int i = 0; i < images; ++i) {
    if (root_of(parent, i) == i) list.push_back({i, 0, 0});
  }
  const auto group_of = [&](int i) {
    return std::find_if(list.begin(), list.end(),
                        [root = root_of(parent, i)](const Group& g) { return g.root == root; });
  };
  for (int i = 0; i < images; ++i) ++group_of(i)->members;
  for (const VerifiedPair& pair : pairs) {
    if (pair.report.status == MosaicPairStatus::used) group_of(pair.report.a)->inliers += strength(pair.report);
  }
  std::stable_sort(list.begin(), list.end(), [](const Group& x, const Group& y) {
    return x.members != y.members ? x.members > y.members : x.inliers > y.inliers;
  });
  std::vector<int> numbers;
  for (int i = 0; i < images; ++i) numbers.push_back(static_cast<int>(group_of(i) - list.begin()));
  return numbers;
}

Tree strongest_tree(const std::vector<int>& group, int wanted, const std::vector<VerifiedPair>& pairs) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const MosaicPair& pair = pairs[i].report;
    if (pair.status == MosaicPairStatus::used && group[static_cast<std::size_t>(pair.a)] == wanted) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    const VerifiedPair &p = pairs[x], &q = pairs[y];
    return std::pair(trust(p), strength(p.report)) > std::pair(trust(q), strength(q.report));
  });
  const std::size_t n = group.size();
  std::vector<int> parent(n);
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<std::vector<std::pair<int, std::size_t>>> neighbours(n);
  for (const std::size_t i : order) {
    const int a = pairs[i].report.a, b = pairs[i].report.b;
    const int root_a = root_of(parent, a), root_b = root_of(parent, b);
    if (root_a == root_b) continue;
    parent[static_cast<std::size_t>(root_b)] = root_a;
    neighbours[static_cast<std::size_t>(a)].emplace_back(b, i);
    neighbours[static_cast<std::size_t>(b)].emplace_back(a, i);
  }
  // The root is the image from which the farthest is nearest.
  Tree best;
  int best_depth = 0;
  for (int root = 0; root < static_cast<int>(n); ++root) {
    if (group[static_cast<std::size_t>(root)] != wanted) continue;
    Tree tree{root, {}};
    std::vector<int> depth(n, -1);
    depth[static_cast<std::size_t>(root)] = 0;
    std::vector<int> queue{root};
    for (std::size_t k = 0; k < queue.size(); ++k) {
      for (const auto& [child, pair] : neighbours[static_cast<std::size_t>(queue[k])]) {
        int& at = depth[static_cast<std::size_t>(child)];
        if (at >= 0) continue;
        at = depth[static_cast<std::size_t>(queue[k])] + 1;
        tree.branches.push_back({child, queue[k], pair});
        queue.push_back(child);
      }
    }
    const int deepest = *std::max_element(depth.begin(), depth.end());
    if (best.root >= 0 && deepest >= best_depth) continue;
    best = tree;
    best_depth = deepest;
  }
  return best;
}

std::vector<std::size_t> way_through(const Tree& tree, int a, int b) {
  std::vector<std::size_t> way;
  // A parent stands before its children: from the last on, each branch to an image of the way leads to its parent.
  for (auto branch = tree.branches.rbegin(); branch != tree.branches.rend() && a != b; ++branch) {
    if (branch->child != a && branch->child != b) continue;
    way.push_back(branch->pair);
    (branch->child == a ? a : b) = branch->parent;
  }
  return way;
}

// A pattern that repeats, such as the windows of a house, makes pairs of few matches between images that do not
// overlap, and a person who walks along with the camera makes some that are trusted less. Many of them agree with
// each other: so the others are adjusted first.
std::vector<std::size_t> weak_pairs(const std::vector<VerifiedPair>& pairs, const std::vector<int>& group) {
  constexpr int far_fewer = 2;  // times; a guess
  const Tree tree = strongest_tree(group, 0, pairs);
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const MosaicPair& pair = pairs[i].report;
    if (pair.status != MosaicPairStatus::used || pair.by_hand || group[static_cast<std::size_t>(pair.a)] != 0) continue;
    const std::vector<std::size_t> way = way_through(tree, pair.a, pair.b);
    const bool gives_way = std::ranges::all_of(way, [&](std::size_t k) {
      const bool is_weaker = far_fewer * pair.inliers < pairs[k].report.inliers;
      return k != i && (is_weaker || trust(pairs[i]) < trust(pairs[k]));
    });
    if (gives_way) list.push_back(i);
  }
  return list;
}

double loop_error(const Tree& tree, std::size_t index, const std::vector<VerifiedPair>& pairs, const Frames& frames,
                  const std::vector<ImageSize>& sizes) {
  std::vector<cv::Matx33d> root_from(sizes.size(), cv::Matx33d::eye());
  for (const Tree::Branch& branch : tree.branches) {
    if (branch.pair == index) return 0;
    const VerifiedPair& pair = pairs[branch.pair];
    const cv::Matx33d b_from_a = passage_alone(pair, frames, sizes);
    const cv::Matx33d parent_from_child = pair.report.b == branch.parent ? b_from_a : b_from_a.inv();
    root_from[static_cast<std::size_t>(branch.child)] =
        root_from[static_cast<std::size_t>(branch.parent)] * parent_from_child;
  }
  const VerifiedPair& pair = pairs[index];
  const auto a = static_cast<std::size_t>(pair.report.a), b = static_cast<std::size_t>(pair.report.b);
  const cv::Matx33d through = root_from[b].inv() * root_from[a], alone = passage_alone(pair, frames, sizes);
  const cv::Matx33d pixel = normalised_from_pixel(sizes[a]).inv();
  double largest = 0;
  for (const cv::Point2d& p : pair.inliers.in_a) {
    const cv::Point2d at = mapped(pixel, p);
    const double error = cv::norm(mapped(through, at) - mapped(alone, at));
    largest = std::max(largest, std::isfinite(error) ? error : far);
  }
  return std::min(largest, far);
}

}  // namespace octavo::mosaic
