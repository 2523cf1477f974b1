// Finds the homography between two photographs. Usage: homography A B

#include <cstdio>
#include <vector>

#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/io/image_files.h"
#include "octavo/matcher.h"
#include "octavo/multiview/geometry.h"
#include "octavo/sift_options.h"

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  const octavo::Image image_a = octavo::read_image(argv[1]);
  const octavo::Image image_b = octavo::read_image(argv[2]);

  octavo::Extractor extractor({.max_features = 4000});  // SiftOptions; all cores, the best instruction set
  const octavo::Features a = extractor.extract(image_a.view());
  const octavo::Features b = extractor.extract(image_b.view());

  octavo::Matcher matcher({.ratio = 0.75});
  const std::vector<octavo::Match> matches = matcher.match(a, b);

  const octavo::PointPairs pairs = octavo::point_pairs(a, b, matches);
  const octavo::RobustModel model = octavo::estimate_homography(pairs.a, pairs.b);
  if (!model.found) {
    std::printf("no homography: %s\n", model.reason.c_str());
    return 1;
  }
  std::printf("%d of %zu matches fit, to %.2f pixels\n", model.inlier_count, matches.size(), model.reprojection_error);
  return 0;
} catch (const octavo::Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
