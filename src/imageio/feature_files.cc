// Files of features, by the endings of their names.

#include <string>

#include "imageio/ending.h"
#include "imageio/read_bytes.h"
#include "octavo/error.h"
#include "octavo/imageio.h"

namespace octavo {

using imageio::ending_of;

bool looks_like_features(const std::filesystem::path& file) {
  const std::string ending = ending_of(file);
  return ending == ".npz" || ending == ".txt";
}

Features read_features(const std::filesystem::path& file) {
  const std::string ending = ending_of(file);
  if (ending == ".npz") return read_npz_features(file);
  if (ending == ".txt") return read_colmap_features(file);
  imageio::refuse(file.string(), "the name of a file of features ends in .npz or .txt");
}

}  // namespace octavo
