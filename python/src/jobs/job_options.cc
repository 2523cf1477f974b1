#include "jobs/job_options.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "array_range.h"
#include "arrays.h"
#include "features.h"
#include "gil.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/image_view.h"
#include "octavo/io/image_files.h"
#include "octavo/io/image_formats.h"
#include "octavo/video/video_file.h"

namespace nb = nanobind;

namespace octavo::python {

void set_detector(DetectorOptions& options, Keywords& keywords, bool describes) {
  if (const std::string detector = keywords.word("detector"); !detector.empty()) {
    options = with_detector(options, detector);
  }
  if (const std::string preset = keywords.word("preset"); !preset.empty()) options = with_preset(options, preset);
  // Descriptors are made whatever is given, and their options have an effect then.
  if (describes) options = described(std::move(options));
  keywords.set(options);
  if (describes) options = described(std::move(options));
}

Image image_of(nb::handle array) {
  ArrayImage pixels(array);
  if (pixels.is_on_device()) {
    throw Error(ErrorCode::invalid_argument, "the image lies on a GPU, but must be in host memory for this call");
  }
  const ImageView& view = pixels.view();
  Image image(view.width, view.height, view.channels, view.type);
  const std::size_t sample = bytes_of(view.type);
  for (int y = 0; y < view.height; ++y) {
    std::copy_n(view.row(y), image.stride(), image.row(y));
    if (!pixels.is_reversed()) continue;
    for (int x = 0; x < view.width; ++x) {
      std::byte* const pixel = image.row(y) + 3 * sample * static_cast<std::size_t>(x);
      std::swap_ranges(pixel, pixel + sample, pixel + 2 * sample);
    }
  }
  return image;
}

Photograph photograph_of(Image pixels, const ReadOptions& options, const Image* mask) {
  Photograph photograph{.image = std::move(pixels), .focal_length = {}};
  const bool is_given = options.black < options.white;
  const ArrayRange range(options.range == InputRange::full && !is_given ? "full" : "image", options.black,
                         options.white);
  photograph.scale = full_scale(photograph.image.type(), {});
  if (const auto scale = range.scale_of(photograph.image.view(), mask != nullptr ? &mask->view() : nullptr)) {
    photograph.scale = *scale;
    map_to_full_scale(photograph.image, *scale);
  }
  return photograph;
}

void set_read(ReadOptions& read, Keywords& keywords) {
  keywords.set(read);
  print_warnings(read);
}

void print_warnings(ReadOptions& read) {
  const std::shared_ptr<nb::object> warn(new nb::object(nb::module_::import_("octavo._checks").attr("warner")()),
                                         [](nb::object* kept) {
                                           const WithGil of_any_thread;
                                           delete kept;
                                         });
  read.warning.tell = [warn](const std::string& sentence) {
    const WithGil lock;
    try {
      (*warn)(text_of(sentence));
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("octavo");
    }
  };
}

void set_reading(VideoOptions& video, const ReadOptions& read) {
  video.range = read.range;
  video.black = read.black;
  video.white = read.white;
  video.max_pixels = read.max_pixels;
}

nb::object text_of(const std::string& text) {
  return nb::steal(PyUnicode_DecodeFSDefaultAndSize(text.data(), static_cast<Py_ssize_t>(text.size())));
}

nb::typed<nb::list, nb::str> texts_of(const std::vector<std::string>& texts) {
  nb::typed<nb::list, nb::str> list;
  for (const std::string& text : texts) list.append(text_of(text));
  return list;
}

std::vector<std::string> names_of(const std::vector<std::filesystem::path>& places) {
  std::vector<std::string> names;
  for (const std::filesystem::path& place : places) names.push_back(place.string());
  return names;
}

nb::object python_features(Features features) {
  return nb::module_::import_("octavo._features").attr("Features").attr("_of")(arrays_of(std::move(features)));
}

nb::object python_matches(std::vector<Match> matches) {
  return nb::module_::import_("octavo._matches").attr("Matches").attr("_of")(array_of_matches(std::move(matches)));
}

}  // namespace octavo::python
