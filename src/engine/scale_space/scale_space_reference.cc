#include "engine/scale_space/scale_space_reference.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/maths/scalar.h"
#include "engine/scale_space/grey.h"

namespace octavo::reference {

using namespace maths;
#include "engine/scale_space/pixel_maths.h"

namespace {

template <class Sample>
void grey_of(const ImageView& image, const LumaWeights& w, Plane& out) {
  const int red_at = red_sample(image.order);
  for (int y = 0; y < image.height; ++y) {
    const std::byte* row = image.row(y);
    for (int x = 0; x < image.width; ++x) {
      const auto sample = [&](int c) {
        return sample_at<Sample>(row, static_cast<std::ptrdiff_t>(x) * image.channels + c);
      };
      out.row(y)[x] = image.channels < 3
                          ? sample(0) * w.grey
                          : luma_of(sample(red_at), sample(1), sample(2 - red_at), w.red, w.green, w.blue);
    }
  }
}

}  // namespace

void grey(const ImageView& image, Luma luma, Plane& out, double white) {
  out.resize(image.width, image.height);
  const LumaWeights weights = luma_weights(luma, image.type, white);
  switch (image.type) {
    case PixelType::u8:
      return grey_of<std::uint8_t>(image, weights, out);
    case PixelType::u16:
      return grey_of<std::uint16_t>(image, weights, out);
    case PixelType::f32:
      return grey_of<float>(image, weights, out);
  }
}

void doubled(const Plane& in, Plane& out) {
  const int w = in.width(), h = in.height();
  Plane wide;
  wide.resize(2 * w, h);
  for (int y = 0; y < h; ++y) {
    const float* row = in.row(y);
    float* twice = wide.row(y);
    for (int x = 0; x < w; ++x) {
      *twice++ = row[x];
      *twice++ = halfway(row[x], row[std::min(x + 1, w - 1)]);
    }
  }
  out.resize(2 * w, 2 * h);
  for (int y = 0; y < h; ++y) {
    const float* row = wide.row(y);
    const float* next = wide.row(std::min(y + 1, h - 1));
    for (int x = 0; x < 2 * w; ++x) {
      out.row(2 * y)[x] = row[x];
      out.row(2 * y + 1)[x] = halfway(row[x], next[x]);
    }
  }
}

void blur(const Plane& in, const Taps& taps, Plane& out) {
  const int w = in.width(), h = in.height();
  const std::vector<float>& weight = taps.weight;
  const auto row_at = [&](int i) { return in.row(pixel_read_at(i, h, taps.border)); };
  const auto column_at = [&](int i) { return pixel_read_at(i, w, taps.border); };
  Plane columns;
  columns.resize(w, h);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      float_v sum = weight[0] * in.row(y)[x];
      for (int k = 1; k <= taps.radius(); ++k) {
        const float_v pair = row_at(y - k)[x] + row_at(y + k)[x];
        sum = fma(weight[static_cast<std::size_t>(k)], pair, sum);
      }
      columns.row(y)[x] = sum;
    }
  }
  out.resize(w, h);
  for (int y = 0; y < h; ++y) {
    const float* row = columns.row(y);
    for (int x = 0; x < w; ++x) {
      float_v sum = weight[0] * row[x];
      for (int k = 1; k <= taps.radius(); ++k) {
        sum = fma(weight[static_cast<std::size_t>(k)], row[column_at(x - k)] + row[column_at(x + k)], sum);
      }
      out.row(y)[x] = sum;
    }
  }
}

void halved(const Plane& in, Plane& out) {
  out.resize(in.width() / 2, in.height() / 2);
  for (int y = 0; y < out.height(); ++y) {
    for (std::ptrdiff_t x = 0; x < out.width(); ++x) out.row(y)[x] = in.row(2 * y)[2 * x];
  }
}

void difference(const Plane& a, const Plane& b, Plane& out) {
  out.resize(a.width(), a.height());
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) out.row(y)[x] = a.row(y)[x] - b.row(y)[x];
  }
}

Smooth gaussian_steps(const ScaleSpacePlan& plan) {
  return [&plan](const std::vector<Plane>& images, Plane& next) {
    blur(images.back(), plan.step[images.size() - 1], next);
  };
}

std::vector<Plane> octave(Plane first, const ScaleSpacePlan& plan, const Smooth& smooth) {
  std::vector<Plane> images;
  images.push_back(std::move(first));
  while (images.size() < static_cast<std::size_t>(plan.levels())) {
    Plane next;
    smooth(images, next);
    images.push_back(std::move(next));
  }
  return images;
}

std::vector<Plane> octave(Plane first, const ScaleSpacePlan& plan) {
  return octave(std::move(first), plan, gaussian_steps(plan));
}

Plane first_image(const ImageView& image, Luma luma, const ScaleSpacePlan& plan) {
  Plane source, first;
  grey(image, luma, source);
  if (plan.doubled) {
    Plane twice;
    doubled(source, twice);
    std::swap(source, twice);
  }
  blur(source, plan.base, first);
  return first;
}

std::vector<std::vector<Plane>> scale_space(const ImageView& image, Luma luma, const ScaleSpacePlan& plan,
                                            const Smooth& smooth) {
  std::vector<std::vector<Plane>> octaves;
  for (std::size_t o = 0; o < plan.octaves.size(); ++o) {
    Plane first;
    if (o == 0) {
      first = first_image(image, luma, plan);
    } else {
      halved(octaves.back()[static_cast<std::size_t>(plan.halved)], first);
    }
    octaves.push_back(octave(std::move(first), plan, smooth));
  }
  return octaves;
}

std::vector<std::vector<Plane>> scale_space(const ImageView& image, Luma luma, const ScaleSpacePlan& plan) {
  return scale_space(image, luma, plan, gaussian_steps(plan));
}

}  // namespace octavo::reference
