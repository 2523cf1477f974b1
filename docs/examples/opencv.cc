// A program that is written for cv::SIFT: the homography between two photographs. One line makes it use Octavo.
// usage: example_opencv IMAGE-A IMAGE-B

#include <cstdio>
#include <opencv2/calib3d.hpp>
#include <opencv2/features2d.hpp>
#include <opencv2/imgcodecs.hpp>
#include <vector>

#include "octavo/opencv.h"

using octavo::opencv::SIFT;  // this line was: using cv::SIFT;

int main(int count, char** files) {
  if (count != 3) return 2;
  const cv::Mat image_a = cv::imread(files[1]), image_b = cv::imread(files[2]);
  if (image_a.empty() || image_b.empty()) return 1;

  const auto sift = SIFT::create(2000);
  std::vector<cv::KeyPoint> keypoints_a, keypoints_b;
  cv::Mat descriptors_a, descriptors_b;
  sift->detectAndCompute(image_a, cv::noArray(), keypoints_a, descriptors_a);
  sift->detectAndCompute(image_b, cv::noArray(), keypoints_b, descriptors_b);

  std::vector<std::vector<cv::DMatch>> nearest;
  cv::BFMatcher(sift->defaultNorm()).knnMatch(descriptors_a, descriptors_b, nearest, 2);
  std::vector<cv::Point2f> points_a, points_b;
  for (const auto& two : nearest) {
    if (two.size() < 2 || two[0].distance > 0.8f * two[1].distance) continue;
    points_a.push_back(keypoints_a[static_cast<std::size_t>(two[0].queryIdx)].pt);
    points_b.push_back(keypoints_b[static_cast<std::size_t>(two[0].trainIdx)].pt);
  }
  cv::Mat inliers;
  const cv::Mat homography = cv::findHomography(points_a, points_b, cv::RANSAC, 3, inliers);
  std::printf("%zu and %zu keypoints, %zu matches, %d of them inliers\n", keypoints_a.size(), keypoints_b.size(),
              points_a.size(), homography.empty() ? 0 : cv::countNonZero(inliers));
  return homography.empty() ? 1 : 0;
}
