// Features from a NumPy archive: two or three matrices, each checked before it is believed.

#include <cmath>
#include <cstddef>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "imageio/decoders.h"
#include "imageio/npy_array.h"
#include "imageio/read_bytes.h"
#include "imageio/unzip.h"
#include "octavo/error.h"
#include "octavo/imageio.h"

namespace octavo {
namespace {

using imageio::Bytes;
using imageio::DecodeError;
using imageio::NpyArray;

std::optional<NpyArray> find_array(const std::vector<imageio::ZipMember>& members, const std::string& name) {
  for (const imageio::ZipMember& member : members) {
    if (member.name == name + ".npy") return imageio::read_npy(imageio::unpack(member), name);
  }
  return std::nullopt;
}

NpyArray array_of(const std::vector<imageio::ZipMember>& members, const std::string& name) {
  std::optional<NpyArray> array = find_array(members, name);
  if (!array) throw DecodeError("it holds no array '" + name + "'");
  return *std::move(array);
}

[[noreturn]] void refuse_shape(const std::string& name, const NpyArray& array, const std::string& wanted) {
  throw DecodeError(name + " has the shape (" + std::to_string(array.rows) + ", " + std::to_string(array.columns) +
                    "), but must have " + wanted);
}

// The number as a whole number between the limits.
template <class Whole>
Whole whole(const NpyArray& array, std::size_t i, const std::string& name, double low, double high) {
  const double number = array.numbers[i];
  if (!(number >= low && number <= high) || number != std::floor(number)) {
    throw DecodeError(name + " holds " + std::to_string(number) + " in row " + std::to_string(i / array.columns) +
                      ", whole numbers from " + std::to_string(static_cast<long long>(low)) + " to " +
                      std::to_string(static_cast<long long>(high)) + " are needed");
  }
  return static_cast<Whole>(number);
}

Features decode(Bytes file) {
  const std::vector<imageio::ZipMember> members = imageio::zip_members(file);
  const NpyArray keypoints = array_of(members, "keypoints");
  const NpyArray descriptors = array_of(members, "descriptors");
  const std::optional<NpyArray> octave_layer = find_array(members, "octave_layer");
  const std::string n = std::to_string(keypoints.rows);
  if (keypoints.columns < 2) refuse_shape("keypoints", keypoints, "two or more columns");
  if (descriptors.rows != keypoints.rows || descriptors.columns != descriptor_length) {
    refuse_shape("descriptors", descriptors, "(" + n + ", 128), a row for each keypoint");
  }
  if (octave_layer && (octave_layer->rows != keypoints.rows || octave_layer->columns != 2)) {
    refuse_shape("octave_layer", *octave_layer, "(" + n + ", 2)");
  }

  Features features;
  features.keypoints.reserve(keypoints.rows);
  for (std::size_t i = 0; i < keypoints.rows; ++i) {
    const auto at = [&](std::size_t column) {
      if (column >= keypoints.columns) return 0.0f;
      const auto number = static_cast<float>(keypoints.numbers[i * keypoints.columns + column]);
      if (std::isfinite(number)) return number;
      throw DecodeError("keypoints holds a number that is not finite in row " + std::to_string(i));
    };
    Keypoint k{.x = at(0), .y = at(1), .scale = at(2), .orientation = at(3), .response = at(4)};
    if (octave_layer) {
      constexpr double low = std::numeric_limits<std::int32_t>::min(), high = std::numeric_limits<std::int32_t>::max();
      k.octave = whole<std::int32_t>(*octave_layer, 2 * i, "octave_layer", low, high);
      k.layer = whole<std::int32_t>(*octave_layer, 2 * i + 1, "octave_layer", low, high);
    }
    features.keypoints.push_back(k);
  }
  features.descriptors.reserve(descriptors.numbers.size());
  for (std::size_t i = 0; i < descriptors.numbers.size(); ++i) {
    features.descriptors.push_back(whole<std::uint8_t>(descriptors, i, "descriptors", 0, 255));
  }
  return features;
}

}  // namespace

Features decode_npz_features(std::span<const std::byte> bytes, const std::string& name) {
  try {
    return decode(bytes);
  } catch (const DecodeError& error) {
    imageio::refuse(name, error.what());
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "cannot read '" + name + "': not enough memory for its features");
  }
}

Features read_npz_features(const std::filesystem::path& file) {
  return decode_npz_features(imageio::read_bytes(file), file.string());
}

}  // namespace octavo
