// hloc's features in HDF5. A descriptor is written as d/|d|, with d the bytes. Reading finds d again: the largest
// number of d is a whole number m, so |d| = m/max(d/|d|), and of the few m for which |d| is near 512 the right one
// makes all numbers whole.

#include <algorithm>
#include <array>
#include <cmath>
#include <new>

#include "io/features/hdf5_file.h"
#include "io/features/hdf5_output.h"
#include "io/features/hdf5_trial.h"
#include "io/features/hloc.h"
#include "io/features/npz_limit.h"
#include "io/files/ending.h"
#include "octavo/error.h"

namespace octavo {
namespace {

using io::Hdf5File;

constexpr const char* note_name = "octavo";
constexpr const char* saved_name = "octavo_saved";  // of the whole file
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

// Descriptors of any kind: a column of the file is that of a keypoint.
void read_columns(const Hdf5File& file, const std::string& path, NumberedFeatures& features) {
  const std::vector<std::size_t> shape = file.shape(path, 2);
  const std::size_t count = features.keypoints.size();
  require_rows(file, path, shape[1], count);
  features.length = shape[0];
  const std::vector<float> columns = file.read_floats(path);
  features.descriptors.resize(columns.size());
  for (std::size_t j = 0; j < features.length; ++j) {
    for (std::size_t i = 0; i < count; ++i) features.descriptors[i * features.length + j] = columns[j * count + i];
  }
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
  if (shape[1] < 2 || shape[0] > io::most_npz_keypoints) {
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

void require_descriptors(const Hdf5File& file, const std::string& name, const Features& features) {
  if (features.descriptors.size() == features.size() * descriptor_length) return;
  file.refuse("the features of '" + name + "' have no descriptors");
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

// Writes the data sets of an image as `write_features` has written them into another file.
void copy_features(const Hdf5File& from, const Hdf5File& to, const std::string& name) {
  const auto copy_floats = [&](const std::string& path, std::size_t dimensions) {
    to.write(path, from.shape(path, dimensions), from.read_floats(path));
  };
  copy_floats(name + "/keypoints", 2);
  to.write_number(name + "/keypoints", "uncertainty", 1);
  copy_floats(name + "/descriptors", 2);
  for (const char* column : {"/scores", "/scales", "/oris"}) copy_floats(name + column, 1);
  if (from.has(name + "/ellipses")) copy_floats(name + "/ellipses", 2);
  to.write(name + "/image_size", from.shape(name + "/image_size", 1), from.read_integers(name + "/image_size"));
}

// Whether all images have notes: other programs have written none of them.
bool are_noted(const Hdf5File& file, const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(),
                     [&](const std::string& name) { return file.read_text(name, note_name).has_value(); });
}

[[noreturn]] void refuse_for_memory(const std::string& file) {
  throw Error(ErrorCode::out_of_memory, "no memory for the features of '" + file + "'");
}

}  // namespace

class HlocFeatures::Impl {
 public:
  explicit Impl(const std::filesystem::path& path) : file(tried(path)), names(file.groups_with("keypoints")) {}
  void require(const std::string& name) const {
    if (!std::binary_search(names.begin(), names.end(), name)) file.refuse("it has no features of '" + name + "'");
  }
  Hdf5File file;
  std::vector<std::string> names;

 private:
  static Hdf5File tried(const std::filesystem::path& path) {
    const auto open = [&] { return Hdf5File(path, path.string(), Hdf5File::Mode::read); };
    io::try_hdf5(path, path.string(), [&] { open().survey(); });
    return open();
  }
};

HlocFeatures::HlocFeatures(const std::filesystem::path& file) : impl_(std::make_unique<Impl>(file)) {}
HlocFeatures::~HlocFeatures() = default;
HlocFeatures::HlocFeatures(HlocFeatures&&) noexcept = default;
HlocFeatures& HlocFeatures::operator=(HlocFeatures&&) noexcept = default;

const std::vector<std::string>& HlocFeatures::names() const { return impl_->names; }

Features HlocFeatures::read(const std::string& name) const try {
  impl_->require(name);
  Features features;
  features.keypoints = keypoints_of(impl_->file, name);
  features.descriptors = descriptors_of(impl_->file, name + "/descriptors", features.size());
  return features;
} catch (const std::bad_alloc&) {
  refuse_for_memory(name);
}

NumberedFeatures HlocFeatures::read_numbers(const std::string& name) const try {
  impl_->require(name);
  NumberedFeatures features{.keypoints = keypoints_of(impl_->file, name)};
  read_columns(impl_->file, name + "/descriptors", features);
  return features;
} catch (const std::bad_alloc&) {
  refuse_for_memory(name);
}

std::optional<std::string> HlocFeatures::note(const std::string& name) const {
  return impl_->file.has(name) ? impl_->file.read_text(name, note_name) : std::nullopt;
}

bool HlocFeatures::is_finished() const { return !impl_->file.read_text("/", saved_name); }

class HlocFeaturesWriter::Impl : public io::Hdf5Output {
 public:
  Impl(const std::filesystem::path& file, io::Hdf5Output::Existing existing)
      : Hdf5Output(file, existing), is_in_order(!is_extended()) {}

  void begin(const std::string& name) {
    is_in_order = is_in_order && (last.empty() || last < name);
    last = name;
    if (file().has(name)) file().remove(name);
  }
  // A file that is extended, or whose images came in another order, has other bytes than one that was written at
  // once.
  void mark() {
    if (!file().read_text("/", saved_name)) file().write_text("/", saved_name, "1");
  }

  void unmark() { file().remove_attribute("/", saved_name); }

  bool is_in_order;
  std::filesystem::path last;  // the image that was written last
};

HlocFeaturesWriter::HlocFeaturesWriter(const std::filesystem::path& file, Existing existing)
    : impl_(std::make_unique<Impl>(file, existing == Existing::extended ? io::Hdf5Output::Existing::extended
                                                                        : io::Hdf5Output::Existing::replaced)) {}
HlocFeaturesWriter::~HlocFeaturesWriter() = default;
HlocFeaturesWriter::HlocFeaturesWriter(HlocFeaturesWriter&&) noexcept = default;
HlocFeaturesWriter& HlocFeaturesWriter::operator=(HlocFeaturesWriter&&) noexcept = default;

void HlocFeaturesWriter::write(const std::string& name, const Features& features, ImageSize size,
                               const std::string& note) try {
  const Hdf5File& file = impl_->file();
  require_descriptors(file, name, features);
  impl_->begin(name);
  write_features(file, name, features, size);
  if (!note.empty()) file.write_text(name, note_name, note);
} catch (const std::bad_alloc&) {
  refuse_for_memory(name);
}

void HlocFeaturesWriter::copy(const HlocFeatures& from, const std::string& name) try {
  impl_->begin(name);
  copy_features(from.impl_->file, impl_->file(), name);
  if (const auto note = from.note(name)) impl_->file().write_text(name, note_name, *note);
} catch (const std::bad_alloc&) {
  refuse_for_memory(name);
}

void HlocFeaturesWriter::save() {
  impl_->mark();
  impl_->finish();
}

void HlocFeaturesWriter::finish() {
  if (impl_->is_in_order || !are_noted(impl_->file(), impl_->file().groups_with("keypoints"))) {
    impl_->unmark();
    return impl_->finish();
  }
  save();
  // Its lock comes first, since another job may extend the file.
  HlocFeaturesWriter sorted(impl_->target(), Existing::replaced);
  const HlocFeatures saved(impl_->target());
  std::vector<std::filesystem::path> names(saved.names().begin(), saved.names().end());
  std::sort(names.begin(), names.end());
  for (const std::filesystem::path& name : names) sorted.copy(saved, name.string());
  sorted.impl_->finish();
}

std::vector<std::byte> encode_hloc_features(const std::string& name, const Features& features, ImageSize size,
                                            const std::string& note) try {
  const Hdf5File file("octavo", name, Hdf5File::Mode::memory);
  require_descriptors(file, name, features);
  write_features(file, name, features, size);
  if (!note.empty()) file.write_text(name, note_name, note);
  return file.bytes();
} catch (const std::bad_alloc&) {
  refuse_for_memory(name);
}

}  // namespace octavo
