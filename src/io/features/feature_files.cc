// Files of features, by the endings of their names.

#include <string>

#include "io/features/hloc.h"
#include "io/files/ending.h"
#include "io/files/output_file.h"
#include "io/files/read_bytes.h"
#include "octavo/error.h"
#include "octavo/io/feature_files.h"

namespace octavo {

using io::ending_of;

bool looks_like_features(const std::filesystem::path& file) {
  const std::string ending = ending_of(file);
  return ending == ".npz" || ending == ".txt";
}

bool is_hloc_file(const std::filesystem::path& file) {
  const std::string ending = ending_of(file);
  return ending == ".h5" || ending == ".hdf5";
}

Features read_features(const std::filesystem::path& file) {
  const std::string ending = ending_of(file);
  if (ending == ".npz") return read_npz_features(file);
  if (ending == ".txt") return read_colmap_features(file);
  io::refuse(file.string(), "the name of a file of features ends in .npz or .txt");
}

std::vector<Keypoint> read_keypoints(const std::filesystem::path& file) {
  const std::string ending = ending_of(file);
  if (ending == ".npz") return decode_npz_keypoints(io::read_bytes(file), file.string());
  if (ending == ".json") return decode_json_keypoints(io::read_bytes(file), file.string());
  if (ending == ".txt") return read_colmap_features(file).keypoints;
  io::refuse(file.string(), "the name of a file of keypoints ends in .npz, .txt or .json");
}

void require_description_file(const std::filesystem::path& file) {
  const std::string ending = ending_of(file);
  if (ending == ".npz" || ending == ".txt") return;
  throw Error(ErrorCode::invalid_option,
              InvalidOption{"output", "\"" + file.string() + "\"", "must end in .npz or .txt, which hold descriptors"});
}

void write_description(const std::filesystem::path& file, const Description& description) {
  require_description_file(file);
  if (ending_of(file) == ".txt") return write_colmap_features(file, description.features);
  write_file(file, encode_npz_description(file.string(), description));
}

}  // namespace octavo
