#pragma once

// A process that decodes or encodes. It is a program of its own, `octavo-decode` or `octavo-encode`, rather than a fork
// of this process (process/forked_work.h), for four reasons. FFmpeg's libavcodec brings some 80 shared libraries,
// which would slow down the start of every program with Octavo; now only these two link them. A fork carries the locks
// of other threads of its parent and its whole memory, which a decoder that a hostile file has taken over could read.
// Several videos are decoded at a time from programs with many threads. And a program that uses Octavo as a library has
// no main function that Octavo could call again.

#include <chrono>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/process/child_process.h"
#include "engine/process/descriptor.h"
#include "engine/process/program.h"

namespace octavo::video {

/// What a helper is: its file's name, what errors call it, and the environment variable that names another file.
struct Helper {
  const char *program, *role, *variable;
};
inline constexpr Helper decoder{"octavo-decode", "decoder", "OCTAVO_DECODER"};
inline constexpr Helper encoder{"octavo-encode", "encoder", "OCTAVO_ENCODER"};

/// The path of the helper, as VideoOptions::decoder describes it. Throws Error(file_error) if it is not found.
std::string find_helper(const Helper& helper, const std::string& asked_for);

/// The descriptor under which the helper finds the file that it writes.
inline constexpr int output_file_descriptor = program_file;

/// Why no more bytes come: the process hangs, crashed, or ended too early.
class HelperEnded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class HelperProcess {
 public:
  /// Starts the program with these words. Its standard input is the descriptor, its standard output is read here, and
  /// `output_file`, if it is not negative, is its output_file_descriptor. It has no other open files. Throws
  /// Error(file_error).
  HelperProcess(const Helper& helper, const std::string& program, std::span<const std::string> words, int input,
                int output_file = -1);

  /// Fills the span with the next bytes. Throws HelperEnded ("the decoder crashed: Segmentation fault") if fewer come,
  /// or none for so long.
  void read(std::span<std::byte> bytes, std::chrono::milliseconds patience);

  /// Kills the process.
  void end();

  /// [second] of CPU cores that the process has taken so far.
  [[nodiscard]] double busy_seconds() const;

 private:
  std::size_t read_some(std::chrono::milliseconds patience);
  [[noreturn]] void explain_end();

  const char* role_;
  ChildProcess process_;     // the object ends it
  double busy_seconds_ = 0;  // at the end of the process
  Descriptor output_;
  std::vector<std::byte> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // of the bytes in the buffer that are still to be read
};

}  // namespace octavo::video
