#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/keypoint.h"

// Files of features and of keypoints: COLMAP's text, NumPy's archives, JSON, hloc's HDF5.

namespace OCTAVO_API octavo {

/// "N 128", then a line per keypoint: x y scale orientation and 128 numbers; of an ellipse too, since COLMAP's importer
/// takes four columns alone. COLMAP's pixel origin: the top-left corner
/// of the image, so (0.5, 0.5) is the centre of the first pixel. Throws Error(file_error), also for features without
/// descriptors.
void write_colmap_features(const std::filesystem::path& file, const Features& features);

/// The text of that file; `name` is what the errors call it.
std::string colmap_features(const std::string& name, const Features& features);

/// Features from COLMAP's text, as write_colmap_features and COLMAP's users write it. The half pixel between the
/// origins is taken off again; response, octave and layer, which the format does not hold, are 0. Words are separated
/// by blanks and tabs; empty lines may follow the last keypoint. Throws Error(file_error) naming the file, the line and
/// what is wrong with it: the first line is not "N 128", fewer or more lines than N, not 132 numbers in a line (or 134:
/// x y a11 a12 a21 a22 and 128 numbers of an ellipse), a number that is not finite, a descriptor's that is not a whole
/// number 0…255, more than 27 million keypoints; Error(out_of_memory).
Features read_colmap_features(const std::filesystem::path& file);

/// The same for a file held in memory; `name` is what the errors call it.
Features decode_colmap_features(std::span<const std::byte> bytes, const std::string& name);

/// A NumPy archive: keypoints (N×5 f32: x, y, scale, orientation, response), octave_layer (N×2 i32), descriptors (N×128
/// u8, or 0×128 where there are none) and, if there are ellipses, ellipses (N×4 f32: a11, a12, a21, a22). The same
/// features give the same bytes. Throws Error(file_error), also above 27 million keypoints.
void write_npz_features(const std::filesystem::path& file, const Features& features);

/// The bytes of that file; `name` is what the errors call it.
std::vector<std::byte> encode_npz_features(const std::string& name, const Features& features);

/// Features from a NumPy archive as write_npz_features or numpy.savez, numpy.savez_compressed write it, of Octavo or
/// any other system: `keypoints`, N×2 or more numbers (x, y, then as far as there are columns scale, orientation,
/// response; what is missing is 0, columns beyond are left out), `descriptors`, N×128 whole numbers 0…255 of any type,
/// and, if they are there, `octave_layer`, N×2 whole numbers, and `ellipses`, N×4 numbers. Throws Error(file_error)
/// naming the file and what is wrong with it: missing, no archive, truncated, damaged, an array missing or of another
/// shape or type, more than 27 million keypoints, a number that is not finite or not in range; Error(out_of_memory).
Features read_npz_features(const std::filesystem::path& file);

/// The same for a file held in memory; `name` is what the errors call it.
Features decode_npz_features(std::span<const std::byte> bytes, const std::string& name);

/// Whether a file's name ends, in letters of either case, as those of features that read_features knows: .npz, .txt.
bool looks_like_features(const std::filesystem::path& file);

/// Features from a file of which the name's ending tells the format: read_npz_features (.npz) or read_colmap_features
/// (.txt). Throws what these throw, and Error(file_error) for another ending.
Features read_features(const std::filesystem::path& file);

/// Keypoints from a file of which the name's ending tells the format; descriptors are not needed and not read, except
/// COLMAP's. Throws what the three functions below throw, and Error(file_error) for another ending.
///   .npz   `keypoints` as read_npz_features reads it, with three or more columns: x, y, scale, and then as far as
///   there
///          are columns orientation, response; and `octave_layer`, if it is there
///   .txt   read_colmap_features
///   .json  json_features, or an array with one such object: x, y and scale are needed; orientation, response, octave
///          and layer are 0 if they are missing, and other keys are left out
std::vector<Keypoint> read_keypoints(const std::filesystem::path& file);

/// The keypoints of a NumPy archive or of JSON held in memory, as read_keypoints describes it; `name` is what the
/// errors call it. Throw Error(file_error) naming it and what is wrong: damaged, a number missing, not finite or not a
/// number; Error(out_of_memory).
std::vector<Keypoint> decode_npz_keypoints(std::span<const std::byte> bytes, const std::string& name);
/// The same of a file of JSON.
std::vector<Keypoint> decode_json_keypoints(std::span<const std::byte> bytes, const std::string& name);

/// The arrays of encode_npz_features, and `input` (N i32: the index of each row's keypoint among those that were given)
/// and `left_out` (M i32: the indices of the keypoints without description). Throws as that.
std::vector<std::byte> encode_npz_description(const std::string& name, const Description& description);

/// Throws Error(invalid_option) for the option `output` if the name ends in neither .npz nor .txt.
void require_description_file(const std::filesystem::path& file);

/// Writes a description by the ending of the name: .npz (encode_npz_description) or .txt (write_colmap_features, which
/// holds no indices). The file appears whole or not at all. Throws Error(file_error) and the error above.
void write_description(const std::filesystem::path& file, const Description& description);

/// Features of any detector, whose descriptors are numbers.
struct NumberedFeatures {
  std::vector<Keypoint> keypoints{};  ///< octave and layer are 0, and what the file does not have
  std::size_t length = 0;             ///< of a descriptor
  std::vector<float> descriptors{};   ///< that of keypoint i begins at i · length
};

/// hloc's file of features: a group of HDF5 for each image, by its name, with `keypoints` (N×2 numbers or wider; (0, 0)
/// is the centre of the first pixel) and `descriptors` (D×N), and if they are there `scores`, `scales` and `oris`. All
/// functions throw Error(file_error), which names the file and what is wrong, also in a build without HDF5, and
/// Error(out_of_memory). An object is used by one thread at a time.
class HlocFile {
 public:
  explicit HlocFile(const std::filesystem::path& file);
  ~HlocFile();
  HlocFile(HlocFile&&) noexcept;
  HlocFile& operator=(HlocFile&&) noexcept;

  /// The images, in the order of their names.
  [[nodiscard]] const std::vector<std::string>& names() const;
  /// The features of an image.
  [[nodiscard]] NumberedFeatures read(const std::string& name) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// {"image", "keypoints": [{"x","y","scale","orientation","response","octave","layer","input"}], "left_out":
/// [{"input","reason"}], "seconds"}, on one line.
std::string json_description(const std::string& image_name, const Description& description, double seconds);

/// {"image", "keypoints": [{"x","y","scale","orientation","response"}], "seconds"}, on one line; ellipses have
/// "a11", "a12", "a21" and "a22" too; without `seconds` if none are given, so that the same features give the same
/// text. Bytes of the name that are not UTF-8 become U+FFFD.
std::string json_features(const std::string& image_name, const Features& features, std::optional<double> seconds = {});

}  // namespace octavo
