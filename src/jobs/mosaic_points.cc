// Points that a person has set in the images of a mosaic, as text.

#include "jobs/mosaic_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

#include "io/features/quoted_words.h"
#include "io/files/read_bytes.h"
#include "jobs/figures_text.h"
#include "octavo/error.h"

namespace octavo::jobs {
namespace {

Error refusal(const std::string& why) { return Error(ErrorCode::file_error, why); }

int image_called(const std::string& name, std::span<const ImageFile> images) {
  const auto is_called = [&](const ImageFile& image) {
    return image.file.generic_string() == name || image.name.generic_string() == name;
  };
  const auto found = std::ranges::find_if(images, is_called);
  if (found == images.end()) throw refusal(fmt::format("names '{}', which is not one of the images", name));
  if (std::any_of(found + 1, images.end(), is_called)) {
    throw refusal(fmt::format("names '{}', which is the name of several images: write the whole path", name));
  }
  return static_cast<int>(found - images.begin());
}

double pixel_in(const std::string& word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) {
    throw refusal(fmt::format("has '{}' where a number must be", word));
  }
  return value;
}

MosaicPoint point_of_words(const std::optional<std::vector<std::string>>& found, std::span<const ImageFile> images) {
  if (!found) throw refusal("has a quote without an end, or something right behind one");
  const std::vector<std::string>& words = *found;
  if (words.size() != 6) {
    throw refusal(fmt::format("has {}, but must have an image, x and y, and another image, x and y",
                              count_text(words.size(), "word")));
  }
  const MosaicPoint point{image_called(words[0], images),
                          image_called(words[3], images),
                          {pixel_in(words[1]), pixel_in(words[2])},
                          {pixel_in(words[4]), pixel_in(words[5])}};
  if (point.a == point.b) throw refusal(fmt::format("names '{}' twice, but must name two images", words[0]));
  return point;
}

}  // namespace

PointList read_mosaic_points(const std::filesystem::path& file, std::span<const ImageFile> images) {
  std::istringstream text(io::read_text(file));
  PointList list;
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin == std::string::npos || line[begin] == '#') continue;
    try {
      list.points.push_back(point_of_words(words_of(line), images));
    } catch (const Error& error) {
      list.problems.push_back(fmt::format("line {} of '{}' {}", number, file.string(), error.what()));
    }
  }
  return list;
}

}  // namespace octavo::jobs
