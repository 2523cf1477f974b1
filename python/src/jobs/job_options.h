// What the keyword arguments of several jobs have in common.

#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/io/image_files.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"
#include "octavo/video/video_file.h"
#include "option_values.h"

namespace octavo::python {

/// The options that a call with one table gives. Raises octavo.UnknownOption. Throws Error(invalid_option).
template <class Options>
Options options_of(const char* call, const nanobind::dict& given) {
  Options options;
  Keywords keywords(call, given);
  keywords.set(options);
  keywords.finish();
  return options;
}

/// Sets the options of a detector by the keywords `detector`, `preset`, and those of its table. If `describes`, its
/// points get descriptors. Throws Error(invalid_option).
void set_detector(DetectorOptions& options, Keywords& keywords, bool describes = true);

/// The enumerator of a word; the words are in its order.
template <class Choice, std::size_t n>
Choice choice_of(const char* option, const std::string& word, const std::array<std::string_view, n>& words) {
  for (std::size_t i = 0; i < n; ++i) {
    if (words[i] == word) return static_cast<Choice>(i);
  }
  refuse_word(option, word, words);
}

/// A copy of the pixels of an array, in the order red, green, blue. Throws as ArrayImage does, and
/// Error(invalid_argument) for one on a GPU.
Image image_of(nanobind::handle array);

/// Pixels as read_photograph gives those of a file: values that the options name become 0 and full scale. Throws
/// Error(invalid_argument) for floats of which none counts.
Photograph photograph_of(Image pixels, const ReadOptions& options = {}, const Image* mask = nullptr);

/// Sets the options of reading that are given, and print_warnings.
void set_read(ReadOptions& read, Keywords& keywords);

/// Images whose files are not whole raise a UserWarning, on any thread that reads. Where the user's filters make it an
/// exception, that one is printed.
void print_warnings(ReadOptions& read);

/// The options of reading that hold for videos too.
void set_reading(VideoOptions& video, const ReadOptions& read);

/// A text as Python has file names, which may have any bytes.
nanobind::object text_of(const std::string& text);
nanobind::typed<nanobind::list, nanobind::str> texts_of(const std::vector<std::string>& texts);

/// The names of places.
std::vector<std::string> names_of(const std::vector<std::filesystem::path>& places);

/// octavo.Features and octavo.Matches.
nanobind::object python_features(Features features);
nanobind::object python_matches(std::vector<Match> matches);

}  // namespace octavo::python
