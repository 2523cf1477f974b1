// The masks that a job is given, and what they lack.

#include "jobs/image_masks.h"

#include <vector>

#include "jobs/read_input.h"

namespace octavo::jobs {

Masks masks_of(const std::filesystem::path& place, const ReadOptions& read,
               const std::optional<StandardInput>& standard_input) {
  if (!is_stream(place, standard_input)) return {place, read};
  return {standard_input->image(), "standard input", read};
}

void check_masks(const Masks& masks, std::span<const ImageFile> images, const JobContext& context) {
  std::vector<std::filesystem::path> names;
  for (const ImageFile& image : images) names.push_back(image.name);
  masks.check(names, context);
}

Masks masks_of_files(const std::filesystem::path& place, const ReadOptions& read,
                     const std::optional<StandardInput>& standard_input, std::span<const std::filesystem::path> files,
                     const JobContext& context) {
  Masks masks = masks_of(place, read, standard_input);
  std::vector<std::filesystem::path> names;
  for (const std::filesystem::path& file : files) {
    if (!file.empty()) names.push_back(file.filename());
  }
  masks.check(names, context);
  return masks;
}

}  // namespace octavo::jobs
