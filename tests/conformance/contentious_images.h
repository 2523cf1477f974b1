#pragma once

// Images in which many values are nearly, or exactly, equal.

#include <string>
#include <utility>
#include <vector>

#include "engine/selftest/images.h"
#include "octavo/image.h"

namespace octavo {

struct TestImage {
  std::string name;
  Image image;
};

inline std::vector<TestImage> contentious_images() {
  std::vector<TestImage> all;
  all.push_back({"blobs", images::blobs(201, 155)});
  all.push_back({"noise", images::noise(97, 80)});
  all.push_back({"checkerboard", images::checkerboard(120, 90, 7)});
  return all;
}

}  // namespace octavo
