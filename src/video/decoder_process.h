#pragma once

// The process that decodes. It is a program of its own, `octavo-decode`, rather than a fork of this process
// (device/child_process.h), for four reasons. FFmpeg's libavcodec brings some 80 shared libraries, which would slow
// down the start of every program with Octavo; now only the decoder links them. A fork carries the locks of other
// threads of its parent and its whole memory, which a decoder that a hostile file has taken over could read. Several
// videos are decoded at a time from programs with many threads. And a program that uses Octavo as a library has no main
// function that Octavo could call again.

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace octavo::video {

/// The path of octavo-decode, as VideoOptions::decoder describes it. Throws Error(file_error) if it is not found.
std::string find_decoder(const std::string& asked_for);

/// Why no more bytes come: the process hangs, crashed, or ended too early.
class DecoderEnded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class DecoderProcess {
 public:
  /// Starts the program with these words. Its standard input is the descriptor, its standard output is read here.
  /// Throws Error(file_error).
  DecoderProcess(const std::string& program, std::span<const std::string> words, int input);
  /// Kills the process if it still runs.
  ~DecoderProcess();
  DecoderProcess(const DecoderProcess&) = delete;
  DecoderProcess& operator=(const DecoderProcess&) = delete;

  /// Fills the span with the next bytes. Throws DecoderEnded ("the decoder crashed: Segmentation fault") if fewer come,
  /// or none for so long.
  void read(std::span<std::byte> bytes, std::chrono::milliseconds patience);

  /// Kills the process.
  void end();

 private:
  void wait_for_bytes(std::chrono::milliseconds patience);
  [[noreturn]] void explain_end();

  pid_t process_ = -1;
  int output_ = -1;
  std::vector<std::byte> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // of the bytes in the buffer that are still to be read
};

}  // namespace octavo::video
