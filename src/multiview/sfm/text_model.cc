// Text files of models: an entry a line, words with spaces between them, lines that begin with # are notes. An image
// has two lines, of which the second may be empty. Names of images may have spaces.

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string_view>
#include <system_error>

#include "multiview/sfm/model_files.h"

namespace octavo::sfm {
namespace {

namespace fs = std::filesystem;

// The words of one line.
class Line {
 public:
  Line(const fs::path& file, std::size_t number, std::string text)
      : file_(file), number_(number), text_(std::move(text)) {}

  template <class Number>
  Number number() {
    const std::string_view word = next();
    Number value{};
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (problem != std::errc() || end != word.data() + word.size())
      refuse(fmt::format("'{}' is no number of this place", word));
    return value;
  }

  std::string word() { return std::string(next()); }

  std::string rest() {
    const std::size_t begin = text_.find_first_not_of(' ', at_);
    if (begin == std::string::npos) refuse("it has too few words");
    at_ = text_.size();
    return text_.substr(begin);
  }

  [[nodiscard]] bool at_end() const { return text_.find_first_not_of(' ', at_) == std::string::npos; }

  [[noreturn]] void refuse(const std::string& why) const {
    refuse_file(file_, fmt::format("is damaged: line {}: {}", number_, why));
  }

 private:
  std::string_view next() {
    const std::size_t begin = text_.find_first_not_of(' ', at_);
    if (begin == std::string::npos) refuse("it has too few words");
    at_ = std::min(text_.find(' ', begin), text_.size());
    return std::string_view(text_).substr(begin, at_ - begin);
  }

  fs::path file_;
  std::size_t number_;
  std::string text_;
  std::size_t at_ = 0;
};

class Lines {
 public:
  explicit Lines(fs::path file) : file_(std::move(file)), in_(file_) {
    if (!in_) refuse_file(file_, "cannot be read");
  }

  /// The next entry, or none at the end of the file.
  std::optional<Line> entry() {
    std::string text;
    while (read(text)) {
      if (!text.empty() && text.front() != '#') return Line(file_, number_, text);
    }
    return std::nullopt;
  }

  /// The second line of an entry.
  Line continuation() {
    std::string text;
    if (!read(text)) refuse_file(file_, "is cut off");
    return {file_, number_, text};
  }

 private:
  bool read(std::string& text) {
    ++number_;
    if (!std::getline(in_, text)) {
      if (in_.bad()) refuse_file(file_, "cannot be read");
      return false;
    }
    if (!text.empty() && text.back() == '\r') text.pop_back();
    return true;
  }

  fs::path file_;
  std::ifstream in_;
  std::size_t number_ = 0;
};

void read_text_cameras(const fs::path& file, SfmModel& model) {
  Lines lines(file);
  while (std::optional<Line> line = lines.entry()) {
    const auto id = line->number<std::uint32_t>();
    SfmCamera camera{.model = line->word(), .parameters = {}};
    camera.width = line->number<std::uint64_t>();
    camera.height = line->number<std::uint64_t>();
    while (!line->at_end()) camera.parameters.push_back(line->number<double>());
    const std::optional<std::size_t> wanted = camera_parameters(camera.model);
    if (!wanted) line->refuse("unknown camera model " + camera.model);
    if (camera.parameters.size() != *wanted) {
      line->refuse(fmt::format("{} parameters, but {} has {}", camera.parameters.size(), camera.model, *wanted));
    }
    model.cameras[id] = std::move(camera);
  }
}

void read_text_images(const fs::path& file, SfmModel& model) {
  Lines lines(file);
  while (std::optional<Line> line = lines.entry()) {
    SfmImage& image = model.images[line->number<std::uint32_t>()];
    for (double& number : image.camera_from_world) number = line->number<double>();
    for (double& number : image.translation) number = line->number<double>();
    image.camera = line->number<std::uint32_t>();
    image.name = line->rest();
    for (Line points = lines.continuation(); !points.at_end();) {
      SfmObservation observation;
      observation.x = points.number<double>();
      observation.y = points.number<double>();
      const auto point = points.number<std::int64_t>();
      if (point >= 0) observation.point = static_cast<std::uint64_t>(point);
      image.observations.push_back(observation);
    }
  }
}

void read_text_points(const fs::path& file, SfmModel& model) {
  Lines lines(file);
  while (std::optional<Line> line = lines.entry()) {
    SfmPoint& point = model.points[line->number<std::uint64_t>()];
    for (double& number : point.place) number = line->number<double>();
    for (std::uint8_t& channel : point.colour) channel = line->number<std::uint8_t>();
    point.error = line->number<double>();
    for (; !line->at_end(); ++point.track) {
      line->number<std::uint32_t>();
      line->number<std::uint32_t>();
    }
  }
}

}  // namespace

SfmModel read_text_model(const fs::path& folder) {
  SfmModel model;
  read_text_cameras(folder / "cameras.txt", model);
  read_text_images(folder / "images.txt", model);
  read_text_points(folder / "points3D.txt", model);
  return model;
}

}  // namespace octavo::sfm
