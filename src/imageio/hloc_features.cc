// hloc's features in HDF5. A descriptor is written as d/|d|, with d the bytes. Reading finds d again: the largest
// number of d is a whole number m, so |d| = m/max(d/|d|), and of the few m for which |d| is near 512 the right one
// makes all numbers whole.

#include <algorithm>
#include <array>
#include <cmath>
#include <new>

#include "imageio/ending.h"
#include "imageio/hdf5_file.h"
#include "imageio/hdf5_output.h"
#include "imageio/npz_limit.h"
#include "octavo/error.h"
#include "octavo/hloc.h"

namespace octavo {
namespace {

using imageio::Hdf5File;

constexpr const char* note_name = "octavo";
using Descriptor = std::array<float, descriptor_length>;

float length_of(std::span<const std::uint8_t, descriptor_length> descriptor) {
  double sum = 0;
  for (const std::uint8_t one : descriptor) sum += static_cast<double>(one) * one;
  return static_cast<float>(std::sqrt(sum));
}

// Whether all numbers times `factor` are whole, but for the rounding of f32.
bool are_whole(const Descriptor& numbers, float factor) {
  return std::all_of(numbers.begin(), numbers.end(), [&](float one) {
    const float scaled = one * factor;
    return std::abs(scaled - std::round(scaled)) < 1e-3F && scaled < 255.5F;
  });
}

// What a descriptor is multiplied with.
float factor_of(const Descriptor& numbers) {
  const float largest = *std::max_element(numbers.begin(), numbers.end());
  if (!(largest > 0)) return 0;
  // A byte descriptor's length is 512 but for rounding, or less where numbers stopped at 255.
  const int low = std::max(1, static_cast<int>(largest * 480)), high = static_cast<int>(largest * 544) + 1;
  for (int m = std::min(high, 255); m >= std::min(low, 255); --m) {
    const float factor = static_cast<float>(m) / largest;
    if (are_whole(numbers, factor)) return factor;
  }
  return 512;
}

void require_rows(const Hdf5File& file, const std::string& path, std::size_t rows, std::size_t wanted) {
  if (rows == wanted) return;
  file.refuse("the data set '" + path + "' has " + std::to_string(rows) + " entries for " + std::to_string(wanted) +
              " keypoints");
}

std::vector<std::uint8_t> descriptors_of(const Hdf5File& file, const std::string& path, std::size_t count) {
  const std::vector<std::size_t> shape = file.shape(path, 2);
  if (shape[0] != descriptor_length) {
    file.refuse("the data set '" + path + "' has " + std::to_string(shape[0]) +
                " rows, but descriptors of SIFT have 128");
  }
  require_rows(file, path, shape[1], count);
  const std::vector<float> numbers = file.read_floats(path);
  std::vector<std::uint8_t> descriptors(count * descriptor_length);
  Descriptor one;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < descriptor_length; ++j) {
      one[j] = numbers[j * count + i];
      if (!(one[j] >= 0 && one[j] <= 1.01F)) {
        file.refuse("the data set '" + path + "' holds a number that is not between 0 and 1");
      }
    }
    const float factor = factor_of(one);
    for (std::size_t j = 0; j < descriptor_length; ++j) {
      descriptors[i * descriptor_length + j] = static_cast<std::uint8_t>(std::min(255L, std::lround(one[j] * factor)));
    }
  }
  return descriptors;
}

// A column of numbers, if the file has it.
void read_column(const Hdf5File& file, const std::string& path, std::vector<Keypoint>& keypoints,
                 float Keypoint::*member) {
  if (!file.has(path)) return;
  require_rows(file, path, file.shape(path, 1)[0], keypoints.size());
  const std::vector<float> numbers = file.read_floats(path);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers[i])) file.refuse("the data set '" + path + "' holds a number that is not finite");
    keypoints[i].*member = numbers[i];
  }
}

std::vector<Keypoint> keypoints_of(const Hdf5File& file, const std::string& group) {
  const std::string path = group + "/keypoints";
  const std::vector<std::size_t> shape = file.shape(path, 2);
  if (shape[1] < 2 || shape[0] > imageio::most_npz_keypoints) {
    file.refuse("the data set '" + path + "' is " + std::to_string(shape[0]) + "x" + std::to_string(shape[1]) +
                ", but must be Nx2");
  }
  const std::vector<float> numbers = file.read_floats(path);
  std::vector<Keypoint> keypoints(shape[0]);
  for (std::size_t i = 0; i < keypoints.size(); ++i) {
    keypoints[i].x = numbers[i * shape[1]];
    keypoints[i].y = numbers[i * shape[1] + 1];
    if (!std::isfinite(keypoints[i].x) || !std::isfinite(keypoints[i].y)) {
      file.refuse("the data set '" + path + "' holds a number that is not finite");
    }
  }
  read_column(file, group + "/scores", keypoints, &Keypoint::response);
  read_column(file, group + "/scales", keypoints, &Keypoint::scale);
  read_column(file, group + "/oris", keypoints, &Keypoint::orientation);
  const std::string ellipses = group + "/ellipses";
  if (!file.has(ellipses)) return keypoints;
  const std::vector<std::size_t> sides = file.shape(ellipses, 2);
  if (sides[0] != keypoints.size() || sides[1] != 4) file.refuse("the data set '" + ellipses + "' must be Nx4");
  const std::vector<float> matrices = file.read_floats(ellipses);
  for (std::size_t i = 0; i < keypoints.size(); ++i) {
    Keypoint& k = keypoints[i];
    const std::array<float*, 4> elements{&k.a11, &k.a12, &k.a21, &k.a22};
    for (std::size_t j = 0; j < 4; ++j) *elements[j] = matrices[4 * i + j];
  }
  return keypoints;
}

void write_features(const Hdf5File& file, const std::string& name, const Features& features, ImageSize size) {
  const std::size_t count = features.size();
  std::vector<float> places, scores, scales, orientations, ellipses, descriptors(count * descriptor_length);
  bool has_ellipses = false;
  for (std::size_t i = 0; i < count; ++i) {
    const Keypoint& k = features.keypoints[i];
    places.insert(places.end(), {k.x, k.y});
    scores.push_back(k.response);
    scales.push_back(k.scale);
    orientations.push_back(k.orientation);
    ellipses.insert(ellipses.end(), {k.a11, k.a12, k.a21, k.a22});
    has_ellipses |= has_ellipse(k);
    const auto descriptor = features.descriptor(i);
    const float length = std::max(length_of(descriptor), 1.0F);
    for (std::size_t j = 0; j < descriptor_length; ++j) {
      descriptors[j * count + i] = static_cast<float>(descriptor[j]) / length;
    }
  }
  const std::array<std::size_t, 1> column{count};
  file.write(name + "/keypoints", std::array{count, std::size_t{2}}, places);
  file.write_number(name + "/keypoints", "uncertainty", 1);
  file.write(name + "/descriptors", std::array{descriptor_length, count}, descriptors);
  file.write(name + "/scores", column, scores);
  file.write(name + "/scales", column, scales);
  file.write(name + "/oris", column, orientations);
  if (has_ellipses) file.write(name + "/ellipses", std::array{count, std::size_t{4}}, ellipses);
  file.write(name + "/image_size", std::array{std::size_t{2}},
             std::array{static_cast<std::int32_t>(size.width), static_cast<std::int32_t>(size.height)});
}

[[noreturn]] void refuse_for_memory(const std::string& file) {
  throw Error(ErrorCode::out_of_memory, "no memory for the features of '" + file + "'");
}

}  // namespace

bool is_hloc_file(const std::filesystem::path& file) {
  const std::string ending = imageio::ending_of(file);
  return ending == ".h5" || ending == ".hdf5";
}

class HlocFeatures::Impl {
 public:
  explicit Impl(const std::filesystem::path& path)
      : file(path, path.string(), Hdf5File::Mode::read), names(file.groups_with("keypoints")) {}
  Hdf5File file;
  std::vector<std::string> names;
};

HlocFeatures::HlocFeatures(const std::filesystem::path& file) : impl_(std::make_unique<Impl>(file)) {}
HlocFeatures::~HlocFeatures() = default;
HlocFeatures::HlocFeatures(HlocFeatures&&) noexcept = default;
HlocFeatures& HlocFeatures::operator=(HlocFeatures&&) noexcept = default;

const std::vector<std::string>& HlocFeatures::names() const { return impl_->names; }

Features HlocFeatures::read(const std::string& name) const try {
  if (!std::binary_search(impl_->names.begin(), impl_->names.end(), name)) {
    impl_->file.refuse("it has no features of '" + name + "'");
  }
  Features features;
  features.keypoints = keypoints_of(impl_->file, name);
  features.descriptors = descriptors_of(impl_->file, name + "/descriptors", features.size());
  return features;
} catch (const std::bad_alloc&) {
  refuse_for_memory(name);
}

std::optional<std::string> HlocFeatures::note(const std::string& name) const {
  return impl_->file.has(name) ? impl_->file.read_text(name, note_name) : std::nullopt;
}

class HlocFeaturesWriter::Impl : public imageio::Hdf5Output {
  using Hdf5Output::Hdf5Output;
};

HlocFeaturesWriter::HlocFeaturesWriter(const std::filesystem::path& file) : impl_(std::make_unique<Impl>(file)) {}
HlocFeaturesWriter::~HlocFeaturesWriter() = default;
HlocFeaturesWriter::HlocFeaturesWriter(HlocFeaturesWriter&&) noexcept = default;
HlocFeaturesWriter& HlocFeaturesWriter::operator=(HlocFeaturesWriter&&) noexcept = default;

void HlocFeaturesWriter::write(const std::string& name, const Features& features, ImageSize size,
                               const std::string& note) try {
  const Hdf5File& file = impl_->file();
  if (features.descriptors.size() != features.size() * descriptor_length) {
    file.refuse("the features of '" + name + "' have no descriptors");
  }
  if (file.has(name)) file.remove(name);
  write_features(file, name, features, size);
  if (!note.empty()) file.write_text(name, note_name, note);
} catch (const std::bad_alloc&) {
  refuse_for_memory(name);
}

void HlocFeaturesWriter::finish() { impl_->finish(); }

}  // namespace octavo
