// The section of manuals that explains the metrics of an evaluation.

#include "cli/evaluate/metrics_manual.h"

namespace octavo::cli {

const char* const metrics_manual = R"(Definitions and sources are in docs/evaluation.md; in short, shares in percent:
  repeatability  points in common that have a point of the other image within
                 3 px
  one to one     points in common that have such a partner, if each is the
                 nearest point of the other
  MMA            mean matching accuracy: mutual nearest neighbours, without a
                 ratio test, whose error is at most the threshold in px
  matches, correct, precision, matching score
                 of the matches that --ratio and the other matching options
                 leave; correct means within 3 px; the score is the number of
                 correct matches per keypoint in common
  accuracy, AUC  homographies whose mean corner error is at most the threshold
                 in px; the area under that curve
  regions        ellipses or circles of keypoints in common; pairs of them
                 that correspond, one to one, by the overlap error: 1 -
                 intersection / union once A's has a radius of 30 px)";

}  // namespace octavo::cli
