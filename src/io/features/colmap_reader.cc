// COLMAP's text format for imported features, see colmap_file.cc. The file is in memory as a whole, and each keypoint
// that is stored has its text there, so the first line's N is not trusted with memory.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

#include "engine/core/ellipse.h"
#include "io/features/npz_limit.h"
#include "io/files/read_bytes.h"
#include "io/images/decode_error.h"
#include "octavo/error.h"
#include "octavo/io/feature_files.h"

namespace octavo {
namespace {

using io::DecodeError;

constexpr std::size_t numbers_of_a_line = 4 + descriptor_length;
constexpr std::size_t numbers_with_ellipse = 6 + descriptor_length;

// "word" for a message, cut where it is long.
std::string quoted(std::string_view word) {
  constexpr std::size_t longest = 40;
  return fmt::format("'{}{}'", word.substr(0, longest), word.size() > longest ? "…" : "");
}

// A line of the file. It gives its words one after the other.
class Line {
 public:
  Line(std::string_view text, std::size_t number) : rest_(text), number_(number) {}

  // The next word; empty at the end of the line.
  std::string_view word() {
    constexpr std::string_view blanks = " \t\r";
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
    const std::string_view word = rest_.substr(0, rest_.find_first_of(blanks));
    rest_.remove_prefix(word.size());
    return word;
  }

  [[noreturn]] void refuse(const std::string& why) const { throw DecodeError(fmt::format("line {} {}", number_, why)); }

 private:
  std::string_view rest_;
  std::size_t number_;
};

class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool is_at_end() const { return rest_.empty(); }

  Line next() {
    const std::string_view text = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(std::min(text.size() + 1, rest_.size()));
    return {text, ++number_};
  }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

template <typename Number>
bool is_number(std::string_view word, Number& number) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size();
}

// The N of the first line.
std::size_t count_of(Line line) {
  const std::string_view count_word = line.word(), length_word = line.word();
  std::size_t count = 0, length = 0;
  if (!is_number(count_word, count) || !is_number(length_word, length) || !line.word().empty()) {
    line.refuse("must be \"N 128\", the number of keypoints and of the numbers that describe each");
  }
  if (length != descriptor_length) {
    line.refuse(fmt::format("tells of descriptors of {} numbers, but they must have 128", length));
  }
  if (count > io::most_npz_keypoints) {
    line.refuse(fmt::format("tells of {} keypoints, but there must be at most {}", count, io::most_npz_keypoints));
  }
  return count;
}

float coordinate(const Line& line, std::string_view word) {
  float number = 0;
  if (!is_number(word, number) || !std::isfinite(number)) {
    line.refuse(fmt::format("holds {}, but must begin with the finite numbers x y scale orientation", quoted(word)));
  }
  return number;
}

std::uint8_t descriptor_number(const Line& line, std::string_view word) {
  std::uint8_t byte = 0;
  if (is_number(word, byte)) return byte;
  double number = 0;  // other programs may write 12.0
  if (!is_number(word, number) || !(number >= 0 && number <= 255) || number != std::floor(number)) {
    line.refuse(
        fmt::format("describes its keypoint by {}, but must do so by whole numbers from 0 to 255", quoted(word)));
  }
  return static_cast<std::uint8_t>(number);
}

void add_keypoint(Line line, Features& features) {
  std::array<std::string_view, numbers_with_ellipse> words;
  std::size_t count = 0;
  for (std::string_view word = line.word(); !word.empty(); word = line.word(), ++count) {
    if (count < words.size()) words[count] = word;
  }
  const bool is_ellipse = count == numbers_with_ellipse;
  if (count != numbers_of_a_line && !is_ellipse) {
    line.refuse(
        fmt::format("has {} numbers, but must have {}: x y scale orientation and 128 of the descriptor, or {}: "
                    "x y a11 a12 a21 a22 and 128",
                    count, numbers_of_a_line, numbers_with_ellipse));
  }
  constexpr float half_pixel = 0.5f;
  Keypoint k{.x = coordinate(line, words[0]) - half_pixel, .y = coordinate(line, words[1]) - half_pixel};
  if (is_ellipse) {
    std::array<float, 4> matrix{};
    for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = coordinate(line, words[2 + i]);
    set_ellipse(k, matrix);
  } else {
    k.scale = coordinate(line, words[2]);
    k.orientation = coordinate(line, words[3]);
  }
  features.keypoints.push_back(k);
  for (std::size_t i = is_ellipse ? 6 : 4; i < count; ++i) {
    features.descriptors.push_back(descriptor_number(line, words[i]));
  }
}

Features decode_text(std::string_view text) {
  if (text.empty()) throw DecodeError("it is empty");
  Lines lines(text);
  const std::size_t count = count_of(lines.next());
  // Each number takes two bytes at least: a digit, and what is behind it. The last line may lack its end.
  const std::size_t expected = std::min(count, text.size() / (2 * numbers_of_a_line) + 1);
  Features features;
  features.keypoints.reserve(expected);
  features.descriptors.reserve(expected * descriptor_length);
  for (std::size_t i = 0; i < count; ++i) {
    if (lines.is_at_end()) {
      throw DecodeError(fmt::format("it is truncated: line 1 tells of {} keypoints, but there are {}", count, i));
    }
    add_keypoint(lines.next(), features);
  }
  while (!lines.is_at_end()) {
    Line line = lines.next();
    if (!line.word().empty()) line.refuse(fmt::format("is one too many: line 1 tells of {} keypoints", count));
  }
  return features;
}

}  // namespace

Features decode_colmap_features(std::span<const std::byte> bytes, const std::string& name) {
  try {
    return decode_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  } catch (const DecodeError& error) {
    io::refuse(name, error.what());
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, fmt::format("cannot read '{}': not enough memory for its features", name));
  }
}

Features read_colmap_features(const std::filesystem::path& file) {
  return decode_colmap_features(io::read_bytes(file), file.string());
}

}  // namespace octavo
