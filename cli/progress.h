#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "octavo/progress.h"

namespace octavo::cli {

/// One line about the work under way, on the last line of the error stream: the entry of the list, the stage of the
/// library, and the time; of a list also a bar and the time that is left. It appears once the work takes a second, or
/// the milliseconds of the environment variable OCTAVO_PROGRESS_DELAY, and is erased at the end. A thread draws it, so
/// a stage that tells nothing is shown too. With 0 milliseconds every step is drawn besides, at once, however short it
/// is. Nothing is drawn if the error stream is not a terminal.
class Progress {
 public:
  /// Error (invalid_argument): OCTAVO_PROGRESS_DELAY is no number.
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Says what is worked on now, a file for example; of a list also how many of its entries are done, and all of them.
  /// Draws again after `clear`.
  void show(std::string_view name, std::size_t done = 0, std::size_t total = 0);
  /// Erases the line and keeps it away until `show`. Call it before other lines are printed.
  void clear();

  /// For DeviceOptions::progress and functions of the library. Valid as long as this object. Empty if nothing is drawn.
  ProgressSink sink();

 private:
  // What the line says.
  struct Line {
    std::string name, stage;
    std::size_t done = 0, total = 0;              // of the list
    std::size_t stage_done = 0, stage_total = 0;  // of the stage
    std::chrono::steady_clock::time_point since;  // the beginning of the stage
  };
  // How long a list has taken. The time that is left is that of the mean entry for each one that is left.
  struct Pace {
    std::chrono::steady_clock::time_point begin, last;  // of the list; when the last entry was told
    std::size_t first = 0;                              // the entries that were done when the list was told first
  };

  void draw_until_stopped();
  // These expect a locked mutex.
  void note_pace(std::size_t done, std::size_t total);
  // "(3 min left) " once some entries and seconds of a list tell it; otherwise empty.
  std::string time_left() const;
  void draw();
  void erase();

  const std::chrono::milliseconds delay_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Line line_;
  Pace pace_;
  bool paused_ = false, stopping_ = false, drawn_ = false;
  std::thread thread_;
};

}  // namespace octavo::cli
