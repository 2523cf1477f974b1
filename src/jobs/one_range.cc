// One range of values for the images of a job.

#include "io/images/set_range.h"
#include "octavo/error.h"
#include "octavo/io/collection.h"
#include "octavo/jobs/collection_jobs.h"

namespace octavo {

void take_one_range(std::span<const std::string> places, bool recursive, ReadOptions& read) {
  const ReadOptions usual;
  if (read.range != usual.range || read.black != usual.black || read.white != usual.white) {
    throw Error(ErrorCode::invalid_option,
                "one_range stands in the place of range, black and white: give it or them, not both");
  }
  std::vector<std::filesystem::path> files;
  for (ImageFile& image : find_images(places, recursive).images) {
    if (image.file != "-") files.push_back(std::move(image.file));  // the standard input is read once
  }
  const std::optional<ValueRange> range = range_of_set(std::move(files), read);
  if (!range) return;
  read.black = range->low;
  read.white = range->high;
}

}  // namespace octavo
