// The contact sheet of takes: a row for each take, a column for each moment of its scene (figure 5 of Fassold and
// Rosner 2015).

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <string>
#include <utility>

#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"
#include "octavo/error.h"
#include "octavo/video/takes.h"
#include "video/frames/contact_sheet.h"
#include "video/frames/frames_at.h"

namespace octavo {
namespace {

constexpr std::size_t columns = 8;            // moments of a scene
constexpr int width = 160, height = 120;      // [pixel] of a cell; a thumbnail fits into it
constexpr int gap = 6, line = 17, frame = 3;  // [pixel]
constexpr int font = cv::FONT_HERSHEY_SIMPLEX;
constexpr double letter_size = 0.42;
const cv::Scalar paper(24, 24, 24), ink(225, 225, 225), faint(150, 150, 150), nothing(40, 40, 40), chosen(255, 170, 30);

// An image that is wanted of a clip, and where it goes.
struct SheetCell {
  double seconds = 0;
  cv::Point at;
  bool is_key = false, is_drawn = false;
};

// The time of a take when it shows what the reference shows at `seconds`; none if it does not show it.
std::optional<double> corresponding(const Take& take, double seconds) {
  const std::vector<TakePair>& pairs = take.alignment;
  if (pairs.empty()) return std::nullopt;
  const double slack = 1;  // [second] before the first and after the last pair
  const auto after = std::ranges::lower_bound(pairs, seconds, {}, &TakePair::reference);
  double found = 0;
  if (after == pairs.begin() || after == pairs.end()) {
    const TakePair& end = after == pairs.begin() ? pairs.front() : pairs.back();
    if (std::abs(seconds - end.reference) > slack) return std::nullopt;
    found = end.take + seconds - end.reference;
  } else {
    const TakePair &b = *after, &a = *(after - 1);
    found = a.take + (b.take - a.take) * (seconds - a.reference) / (b.reference - a.reference);
  }
  if (found < take.shot.in || found >= take.shot.out) return std::nullopt;
  return found;
}

// The times of a take that are drawn, by column.
std::array<std::optional<double>, columns> times_of(const Scene& scene, const Take& take) {
  std::array<std::optional<double>, columns> times;
  const Take& reference = scene.takes[scene.reference];
  const double length = reference.shot.out - reference.shot.in;
  for (std::size_t k = 0; k < columns; ++k) {
    const double moment = reference.shot.in + length * (static_cast<double>(k) + 0.5) / columns;
    times[k] = &take == &reference ? std::optional(moment) : corresponding(take, moment);
  }
  // The column nearest to the frame that represents the take shows that frame.
  std::optional<std::size_t> nearest;
  const auto distance = [&](std::size_t k) { return std::abs(*times[k] - take.key); };
  for (std::size_t k = 0; k < columns; ++k) {
    if (times[k] && (!nearest || distance(k) < distance(*nearest))) nearest = k;
  }
  if (!nearest) nearest = columns / 2;
  times[*nearest] = take.key;
  return times;
}

void write(cv::Mat& canvas, const std::string& text, cv::Point at, const cv::Scalar& colour) {
  cv::putText(canvas, text, at, font, letter_size, colour, 1, cv::LINE_AA);
}

void draw(cv::Mat& canvas, const ImageView& image, const SheetCell& cell) {
  const double scale = std::min(static_cast<double>(width) / image.width, static_cast<double>(height) / image.height);
  const cv::Size size(std::max(1, static_cast<int>(std::lround(image.width * scale))),
                      std::max(1, static_cast<int>(std::lround(image.height * scale))));
  cv::Mat small;
  cv::resize(io::to_display(image), small, size, 0, 0, cv::INTER_AREA);
  const cv::Rect place(cell.at + cv::Point((width - size.width) / 2, (height - size.height) / 2), size);
  if (cell.is_key) {
    cv::rectangle(canvas, place + cv::Point(-frame, -frame) + cv::Size(2 * frame, 2 * frame), chosen, cv::FILLED);
  }
  small.copyTo(canvas(place));
}

void draw_empty(cv::Mat& canvas, cv::Point at) {
  cv::rectangle(canvas, cv::Rect(at, cv::Size(width, height)), nothing, cv::FILLED);
}

// Draws the cells of a clip. Those that it shows nothing of are empty, and all that are left if it cannot be read.
void draw_cells(cv::Mat& canvas, std::vector<SheetCell> cells, const std::filesystem::path& file, VideoOptions options,
                const ProgressSink& progress, const std::function<void(const std::string&)>& fail) {
  options.size = 2 * width;
  options.stored_luma = false;
  options.colour = true;
  std::vector<FrameRequest> requests;
  for (SheetCell& cell : cells) {
    requests.push_back({cell.seconds, [&canvas, &cell](const VideoFrame& shown, double) {
                          draw(canvas, shown.colour.view(), cell);
                          cell.is_drawn = true;
                        }});
  }
  std::string why;
  try {
    read_frames_at(file, std::move(requests), options, progress);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::file_error || !fail) throw;
    why = error.what();
  }
  for (const SheetCell& cell : cells) {
    if (!cell.is_drawn) draw_empty(canvas, cell.at);
  }
  if (!why.empty()) fail(why);
}

std::string title_of(const Take& take, bool is_reference, const std::filesystem::path& file) {
  std::string text =
      fmt::format("{}  {} - {}", file.filename().string(), time_text(take.shot.in), time_text(take.shot.out));
  if (is_reference) return text + "  reference";
  if (take.offset) text += fmt::format("  begins {:+.1f} s", *take.offset);
  return text + fmt::format("  {:.0f} %", 100 * take.score);
}

}  // namespace

Image draw_takes(const TakeList& list, std::span<const std::filesystem::path> files, const VideoOptions& video,
                 const ProgressSink& progress, const std::set<std::size_t>& unreadable,
                 const std::function<void(const std::string&)>& fail) try {
  if (list.scenes.empty()) throw Error(ErrorCode::invalid_argument, "a contact sheet of takes needs a take");
  std::size_t all = 0;
  for (const Scene& scene : list.scenes) all += scene.takes.size();
  const int row = line + height + gap + frame;
  int rows = 0, y = 2 * line;
  for (const Scene& scene : list.scenes) {
    y += 2 * line +
         row * static_cast<int>(std::min(scene.takes.size(), most_sheet_rows - static_cast<std::size_t>(rows)));
    rows = std::min(rows + static_cast<int>(scene.takes.size()), static_cast<int>(most_sheet_rows));
    if (rows == static_cast<int>(most_sheet_rows)) break;
  }
  cv::Mat canvas(y + gap, static_cast<int>(columns) * (width + gap) + gap, CV_8UC3, paper);
  write(canvas,
        fmt::format("{} scenes, {} takes{}", list.scenes.size(), all,
                    all > most_sheet_rows ? fmt::format(", of which the first {} are shown", most_sheet_rows) : ""),
        {gap, line}, ink);
  std::map<std::size_t, std::vector<SheetCell>> cells;  // by clip
  y = 2 * line;
  std::size_t drawn = 0;
  for (std::size_t s = 0; s < list.scenes.size() && drawn < most_sheet_rows; ++s) {
    const Scene& scene = list.scenes[s];
    cv::line(canvas, {0, y}, {canvas.cols, y}, nothing, 2);
    y += 2 * line;
    write(canvas, fmt::format("Scene {}: {} {}", s + 1, scene.takes.size(), scene.takes.size() == 1 ? "take" : "takes"),
          {gap, y - line + 4}, ink);
    for (std::size_t t = 0; t < scene.takes.size() && drawn < most_sheet_rows; ++t, ++drawn) {
      const Take& take = scene.takes[t];
      write(canvas, title_of(take, t == scene.reference, files[take.shot.clip]), {gap, y + line - 6}, faint);
      const auto times = times_of(scene, take);
      for (std::size_t k = 0; k < columns; ++k) {
        const cv::Point at(gap + static_cast<int>(k) * (width + gap), y + line);
        if (times[k] && !unreadable.contains(take.shot.clip)) {
          cells[take.shot.clip].push_back({.seconds = *times[k], .at = at, .is_key = *times[k] == take.key});
        } else {
          draw_empty(canvas, at);
        }
      }
      y += row;
    }
  }
  for (auto& [clip, wanted] : cells) {
    draw_cells(canvas, std::move(wanted), files[clip], video, progress, fail);
  }
  return io::to_image(canvas);
} catch (const cv::Exception& error) {
  throw_error_of(error, "the contact sheet of takes cannot be drawn");
}

}  // namespace octavo
