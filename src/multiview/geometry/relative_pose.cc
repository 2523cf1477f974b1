#include "multiview/geometry/relative_pose.h"

#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <vector>

#include "io/opencv/opencv_error.h"

namespace octavo {

namespace {

// The point on the plane z = 1 of the camera.
cv::Point2d ray(const Point& p, const Camera& camera) {
  return {(p.x - camera.cx) / camera.fx, (p.y - camera.cy) / camera.fy};
}

double angle_between(const cv::Vec3d& u, const cv::Vec3d& v) { return std::atan2(cv::norm(u.cross(v)), u.dot(v)); }

}  // namespace

bool add_pose(EssentialModel& model, std::span<const Point> a, std::span<const Point> b, const Camera& camera_a,
              const Camera& camera_b) try {
  std::vector<cv::Point2d> in_a, in_b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (model.inliers[i] == 0) continue;
    in_a.push_back(ray(a[i], camera_a));
    in_b.push_back(ray(b[i], camera_b));
  }
  // Points at a great distance count too: OpenCV's default is 50 times the distance of the cameras.
  constexpr double farthest = 1e9;
  cv::Matx33d rotation;
  cv::Vec3d translation;
  cv::Mat in_front;
  const int count = cv::recoverPose(cv::Matx33d(model.b_from_a.data()), in_a, in_b, cv::Matx33d::eye(), rotation,
                                    translation, farthest, in_front);
  if (count == 0) return false;

  std::vector<double> angles;
  for (std::size_t i = 0; i < in_a.size(); ++i) {
    if (in_front.at<unsigned char>(static_cast<int>(i)) == 0) continue;
    angles.push_back(angle_between(rotation * cv::Vec3d(in_a[i].x, in_a[i].y, 1), {in_b[i].x, in_b[i].y, 1}));
  }
  const auto middle = angles.begin() + static_cast<std::ptrdiff_t>(angles.size() / 2);
  std::nth_element(angles.begin(), middle, angles.end());
  model.median_ray_angle = *middle;
  model.in_front_count = count;
  std::copy_n(rotation.val, 9, model.rotation_b_from_a.begin());
  std::copy_n(translation.val, 3, model.translation_b_from_a.begin());
  return true;
} catch (const cv::Exception& error) {
  throw_error_of(error, "no pose can be sought");
}

}  // namespace octavo
