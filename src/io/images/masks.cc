// Masks come as COLMAP has them: a file for each image, whose name is that of the image with .png behind it.

#include "io/images/masks.h"

#include <fmt/core.h>

#include <system_error>
#include <utility>

#include "io/files/content_digest.h"
#include "io/files/read_bytes.h"
#include "io/images/mask.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

fs::path with_png(fs::path name) { return name += ".png"; }

}  // namespace

Masks::Masks(const fs::path& place, const ReadOptions& options) {
  std::error_code unknown;
  if (place.empty()) return;
  if (!fs::is_directory(place, unknown)) {
    *this = Masks(io::read_bytes(place), place.string(), options);
    return;
  }
  place_ = place;
  options_ = mask_options(options);
}

Masks::Masks(std::span<const std::byte> bytes, const std::string& name, const ReadOptions& options)
    : place_(name),
      shared_(std::make_shared<const Image>(mask_of(decode_image(bytes, name, mask_options(options)).view()))),
      digest_(content_digest(bytes)) {}

fs::path Masks::file_of(const fs::path& name) const {
  std::error_code unknown;
  if (fs::path file = place_ / with_png(name); fs::exists(file, unknown)) return file;
  if (fs::path file = place_ / name; name.extension() == ".png" && fs::exists(file, unknown)) return file;
  return {};
}

void Masks::check(std::span<const fs::path> names, const JobContext& context) const {
  if (place_.empty() || shared_) return;
  std::size_t missing = 0;
  fs::path first;
  for (const fs::path& name : names) {
    if (!file_of(name).empty()) continue;
    if (missing == 0) first = name;
    ++missing;
  }
  if (missing == 0) return;
  const std::string wanted = (place_ / with_png(first)).string();
  if (missing == names.size()) {
    throw Error(ErrorCode::file_error, fmt::format("the folder '{}' has a mask of no image: that of '{}' would be '{}'",
                                                   place_.string(), first.string(), wanted));
  }
  report_warning(context, fmt::format("warning: {} of {} images have no mask and count as a whole: that of '{}' would "
                                      "be '{}'",
                                      missing, names.size(), first.string(), wanted));
}

std::string Masks::digest(const fs::path& name) const {
  if (place_.empty() || shared_) return digest_;
  const fs::path file = file_of(name);
  return file.empty() ? std::string() : content_digest(file);
}

Photograph Masks::hidden(const fs::path& name, const std::string& file,
                         const std::function<Photograph(const Image* mask)>& read) const {
  std::shared_ptr<const Image> mask = shared_;
  std::string mask_name = place_.string();
  if (const fs::path own = shared_ || place_.empty() ? fs::path() : file_of(name); !own.empty()) {
    mask = std::make_shared<const Image>(mask_of(read_image(own, options_).view()));
    mask_name = own.string();
  }
  Photograph photograph = read(mask.get());
  if (!mask) return photograph;
  const Image& image = photograph.image;
  if (mask->width() != image.width() || mask->height() != image.height()) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("`mask` {} is {}x{} pixels, but {} is {}x{}", mask_name, mask->width(), mask->height(),
                            file, image.width(), image.height()));
  }
  photograph.image = hidden_by(image.view(), mask->view());
  return photograph;
}

Photograph Masks::read(const fs::path& file, const fs::path& name, const ReadOptions& options) const {
  return hidden(name, file.string(), [&](const Image* mask) { return read_photograph(file, options, mask); });
}

}  // namespace octavo
