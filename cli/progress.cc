// The line of progress. The library tells its stages, which is cheap: they are only noted. A thread draws what was
// noted last, twice a second. Without a delay each step is drawn when it is told, so tests see the same steps on every
// machine.

#include "cli/progress.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "cli/system.h"
#include "octavo/error.h"

namespace octavo::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between(500);
constexpr std::chrono::seconds least_for_pace(2);  // shorter times tell little of those to come
constexpr std::size_t bar_width = 20;

// From the beginning to the first line.
std::chrono::milliseconds delay() {
  const char* const text = std::getenv("OCTAVO_PROGRESS_DELAY");
  if (text == nullptr) return std::chrono::seconds(1);
  const std::string_view given(text);
  int milliseconds = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), milliseconds);
  if (error != std::errc() || end != given.data() + given.size() || milliseconds < 0)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("OCTAVO_PROGRESS_DELAY is '{}', but must be a whole number of milliseconds from 0", given));
  return std::chrono::milliseconds(milliseconds);
}

std::string bar(std::size_t done, std::size_t total) {
  const std::size_t filled = bar_width * std::min(done, total) / total;
  return fmt::format("[{}{}] {}/{} ", std::string(filled, '#'), std::string(bar_width - filled, '.'), done, total);
}

// Of at least a second: "12 s", "3 min", "1 h 20 min".
std::string in_words(double seconds) {
  const auto whole = static_cast<long>(std::min(seconds, 3.6e6));
  if (whole < 60) return fmt::format("{} s", whole);
  const long minutes = (whole + 30) / 60;
  return minutes < 60 ? fmt::format("{} min", minutes) : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

// At most `width` characters. The end of a long path tells more than its beginning. UTF-8 stays whole.
std::string shortened(std::string_view text, std::size_t width) {
  const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  std::size_t count = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_start));
  if (count <= width) return std::string(text);
  if (width < 4) return {};
  while (count > width - 3) {
    text.remove_prefix(1);
    while (!text.empty() && !is_start(text.front())) text.remove_prefix(1);
    --count;
  }
  return "..." + std::string(text);
}

// A file's name may hold codes that control a terminal.
std::string printable(std::string_view name) {
  std::string text(name);
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return text;
}

}  // namespace

Progress::Progress() : delay_(delay()) {
  if (!is_terminal(stderr)) return;
  try {
    thread_ = std::thread([this] { draw_until_stopped(); });
  } catch (const std::system_error&) {  // without a thread the work goes on in silence
  }
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  erase();
}

void Progress::show(std::string_view name, std::size_t done, std::size_t total) {
  if (!thread_.joinable()) return;
  const std::lock_guard lock(mutex_);
  note_pace(done, total);
  line_ = {.name = printable(name), .stage = {}, .done = done, .total = total, .since = Clock::now()};
  paused_ = false;
  if (delay_.count() == 0) draw();
}

ProgressSink Progress::sink() {
  if (!thread_.joinable()) return {};
  return [this](const ProgressStep& step) {
    if (!step.item.empty()) return show(step.item, step.done, step.total);
    const std::lock_guard lock(mutex_);
    if (line_.stage != step.stage) {
      line_.stage = step.stage;
      line_.since = Clock::now();
    }
    line_.stage_done = step.done;
    line_.stage_total = step.total;
    if (delay_.count() == 0) draw();
  };
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  paused_ = true;
  erase();
}

void Progress::erase() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

void Progress::note_pace(std::size_t done, std::size_t total) {
  const auto now = Clock::now();
  const bool is_new = total != line_.total || done < line_.done;
  if (is_new) pace_ = {.begin = now, .last = now, .first = done};
  if (done != line_.done) pace_.last = now;
}

std::string Progress::time_left() const {
  using Seconds = std::chrono::duration<double>;
  const std::size_t done = line_.done - std::min(pace_.first, line_.done);
  const Seconds taken = pace_.last - pace_.begin;
  if (done == 0 || taken < least_for_pace || line_.done >= line_.total) return {};
  const double left = taken.count() / static_cast<double>(done) * static_cast<double>(line_.total - line_.done) -
                      Seconds(Clock::now() - pace_.last).count();
  return left < 1 ? "" : fmt::format("({} left) ", in_words(left));
}

void Progress::draw() {
  if (paused_ || (line_.name.empty() && line_.stage.empty())) return;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - line_.since).count();
  std::string end = line_.stage;
  if (!line_.name.empty() && !end.empty()) end.insert(0, ": ");
  if (line_.stage_total > 0) end += fmt::format(" {} %", 100 * line_.stage_done / line_.stage_total);
  if (seconds > 0) end += fmt::format(", {} s", seconds);
  const std::string begin = line_.total > 1 ? bar(line_.done, line_.total) + time_left() : "";
  const std::size_t width = terminal_width() - 1, taken = begin.size() + end.size();
  const std::string line =
      taken < width ? begin + shortened(line_.name, width - taken) + end : (begin + end).substr(0, width);
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::draw_until_stopped() {
  std::unique_lock lock(mutex_);
  const auto is_stopping = [this] { return stopping_; };
  auto wait = delay_;
  while (!changed_.wait_for(lock, wait, is_stopping)) {
    wait = delay_.count() > 0 ? std::min(delay_, between) : between;
    draw();
  }
}

}  // namespace octavo::cli
