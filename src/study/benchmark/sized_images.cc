#include "study/benchmark/sized_images.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "io/images/resize.h"
#include "octavo/error.h"
#include "octavo/io/collection.h"
#include "octavo/io/image_files.h"

namespace octavo {

std::string SizedImage::subject() const { return fmt::format("{} at {}x{}", name, image.width(), image.height()); }

std::vector<std::vector<SizedImage>> images_by_size(const BenchmarkInput& input, const ProgressSink& progress) {
  const ImageFiles found = find_images(input.places);
  if (!found.problems.empty()) throw Error(ErrorCode::file_error, found.problems.front());
  std::vector<std::vector<SizedImage>> by_size(std::max<std::size_t>(input.sizes.size(), 1));
  for (const ImageFile& file : found.images) {
    const std::string name = file.file.string();
    report_item(progress, name);
    Image image = read_image(file.file, input.read);
    for (std::size_t s = 0; s < input.sizes.size(); ++s) {
      by_size[s].push_back({name, resize_and_crop(image.view(), input.sizes[s])});
    }
    if (input.sizes.empty()) by_size[0].push_back({name, std::move(image)});
  }
  return by_size;
}

}  // namespace octavo
