// Features from a NumPy archive: two to four matrices, each of which is checked. The headers are checked before memory
// is allocated for the numbers, since an archive may unpack to a thousand times its size.

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "io/features/npy_array.h"
#include "io/features/npz_limit.h"
#include "io/features/zip_reader.h"
#include "io/files/read_bytes.h"
#include "io/images/decode_error.h"
#include "octavo/error.h"
#include "octavo/io/feature_files.h"

namespace octavo {
namespace {

using io::Bytes;
using io::DecodeError;

// A matrix in the archive. Only its header is read; memory for the numbers is allocated when they are needed.
struct Matrix {
  std::string name;
  io::ZipMember member;
  io::NpyHeader header;
};

// A matrix with its numbers, in the layout of the file.
class Numbers {
 public:
  Numbers(const io::ZipReader& archive, const Matrix& matrix) : matrix_(matrix), file_(archive.unpack(matrix.member)) {}

  [[nodiscard]] double at(std::size_t row, std::size_t column) const {
    return io::npy_number(matrix_.header, file_, row, column);
  }

  // The number as an integer between the limits.
  template <class Whole>
  [[nodiscard]] Whole whole_at(std::size_t row, std::size_t column) const {
    constexpr auto low = std::numeric_limits<Whole>::min(), high = std::numeric_limits<Whole>::max();
    const double number = at(row, column);
    if (!(number >= low && number <= high) || number != std::floor(number)) {
      throw DecodeError(matrix_.name + " holds " + std::to_string(number) + " in row " + std::to_string(row) +
                        ", whole numbers from " + std::to_string(low) + " to " + std::to_string(high) + " are needed");
    }
    return static_cast<Whole>(number);
  }

 private:
  const Matrix& matrix_;
  std::vector<std::byte> file_;
};

std::optional<Matrix> find_matrix(const io::ZipReader& archive, const std::string& name) {
  const std::optional<io::ZipMember> member = archive.find(name + ".npy");
  if (!member) return std::nullopt;
  const auto beginning = archive.unpack_beginning(*member, io::longest_npy_header);
  return Matrix{name, *member, io::read_npy_header(beginning, member->size, name)};
}

Matrix matrix_of(const io::ZipReader& archive, const std::string& name) {
  std::optional<Matrix> matrix = find_matrix(archive, name);
  if (!matrix) throw DecodeError("it holds no array '" + name + "'");
  return *std::move(matrix);
}

[[noreturn]] void refuse_shape(const Matrix& matrix, const std::string& wanted) {
  throw DecodeError(matrix.name + " has the shape (" + std::to_string(matrix.header.rows) + ", " +
                    std::to_string(matrix.header.columns) + "), but must have " + wanted);
}

std::vector<Keypoint> keypoints_from(const io::ZipReader& archive, const Matrix& matrix) {
  const Numbers numbers(archive, matrix);
  std::vector<Keypoint> keypoints;
  keypoints.reserve(matrix.header.rows);
  for (std::size_t i = 0; i < matrix.header.rows; ++i) {
    const auto at = [&](std::size_t column) {
      if (column >= matrix.header.columns) return 0.0f;
      const auto number = static_cast<float>(numbers.at(i, column));
      if (std::isfinite(number)) return number;
      throw DecodeError("keypoints holds a number that is not finite in row " + std::to_string(i));
    };
    keypoints.push_back({.x = at(0), .y = at(1), .scale = at(2), .orientation = at(3), .response = at(4)});
  }
  return keypoints;
}

void add_ellipses(const io::ZipReader& archive, const Matrix& matrix, std::vector<Keypoint>& keypoints) {
  const Numbers numbers(archive, matrix);
  for (std::size_t i = 0; i < keypoints.size(); ++i) {
    Keypoint& k = keypoints[i];
    const std::array<float*, 4> elements{&k.a11, &k.a12, &k.a21, &k.a22};
    for (std::size_t column = 0; column < elements.size(); ++column) {
      *elements[column] = static_cast<float>(numbers.at(i, column));
      if (!std::isfinite(*elements[column])) {
        throw DecodeError("ellipses holds a number that is not finite in row " + std::to_string(i));
      }
    }
  }
}

void add_octaves_and_layers(const io::ZipReader& archive, const Matrix& matrix, std::vector<Keypoint>& keypoints) {
  const Numbers numbers(archive, matrix);
  for (std::size_t i = 0; i < keypoints.size(); ++i) {
    keypoints[i].octave = numbers.whole_at<std::int32_t>(i, 0);
    keypoints[i].layer = numbers.whole_at<std::int32_t>(i, 1);
  }
}

std::vector<std::uint8_t> descriptors_from(const io::ZipReader& archive, const Matrix& matrix) {
  const Numbers numbers(archive, matrix);
  std::vector<std::uint8_t> descriptors;
  descriptors.reserve(matrix.header.rows * descriptor_length);
  for (std::size_t i = 0; i < matrix.header.rows; ++i) {
    for (std::size_t j = 0; j < descriptor_length; ++j) descriptors.push_back(numbers.whole_at<std::uint8_t>(i, j));
  }
  return descriptors;
}

// The arrays of an archive that tell of keypoints. Their shapes are checked.
struct KeypointArrays {
  KeypointArrays(const io::ZipReader& archive, std::size_t least_columns, const std::string& columns)
      : keypoints(matrix_of(archive, "keypoints")),
        octave_layer(find_matrix(archive, "octave_layer")),
        ellipses(find_matrix(archive, "ellipses")) {
    if (keypoints.header.columns < least_columns) refuse_shape(keypoints, columns);
    if (rows() > io::most_npz_keypoints) {
      refuse_shape(keypoints, "at most " + std::to_string(io::most_npz_keypoints) + " rows");
    }
    if (octave_layer && !has_shape(octave_layer->header, 2)) {
      refuse_shape(*octave_layer, fmt::format("({}, 2)", rows()));
    }
    if (ellipses && !has_shape(ellipses->header, 4)) refuse_shape(*ellipses, fmt::format("({}, 4)", rows()));
  }

  [[nodiscard]] std::size_t rows() const { return keypoints.header.rows; }
  [[nodiscard]] bool has_shape(const io::NpyHeader& header, std::size_t columns) const {
    return header.rows == rows() && header.columns == columns;
  }
  [[nodiscard]] std::vector<Keypoint> read(const io::ZipReader& archive) const {
    std::vector<Keypoint> read = keypoints_from(archive, keypoints);
    if (octave_layer) add_octaves_and_layers(archive, *octave_layer, read);
    if (ellipses) add_ellipses(archive, *ellipses, read);
    return read;
  }

  Matrix keypoints;
  std::optional<Matrix> octave_layer, ellipses;
};

Features decode_arrays(Bytes file) {
  const io::ZipReader archive(file);
  const KeypointArrays keypoints(archive, 2, "two or more columns");
  const Matrix descriptors = matrix_of(archive, "descriptors");
  const bool described = keypoints.has_shape(descriptors.header, descriptor_length);
  if (!described && (descriptors.header.rows != 0 || descriptors.header.columns != descriptor_length)) {
    const std::string n = std::to_string(keypoints.rows());
    refuse_shape(descriptors, "(" + n + ", 128), a row for each keypoint, or none");
  }
  Features features;
  features.keypoints = keypoints.read(archive);
  features.descriptors = descriptors_from(archive, descriptors);
  return features;
}

std::vector<Keypoint> decode_keypoints(Bytes file) {
  const io::ZipReader archive(file);
  return KeypointArrays(archive, 3, "three or more columns: x, y, scale, orientation, response").read(archive);
}

template <class Decode>
auto decoded_arrays(std::span<const std::byte> bytes, const std::string& name, const Decode& decode) {
  try {
    return decode(bytes);
  } catch (const DecodeError& error) {
    io::refuse(name, error.what());
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "cannot read '" + name + "': not enough memory for its features");
  }
}

}  // namespace

Features decode_npz_features(std::span<const std::byte> bytes, const std::string& name) {
  return decoded_arrays(bytes, name, decode_arrays);
}

std::vector<Keypoint> decode_npz_keypoints(std::span<const std::byte> bytes, const std::string& name) {
  return decoded_arrays(bytes, name, decode_keypoints);
}

Features read_npz_features(const std::filesystem::path& file) {
  return decode_npz_features(io::read_bytes(file), file.string());
}

}  // namespace octavo
