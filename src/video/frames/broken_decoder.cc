// A decoder for tests, which breaks as real ones do over damaged files. The first letter of its standard input says
// how:
//   h  hangs at once                    f  hangs after a frame
//   c  crashes after a frame            e  ends after a frame without a word
//   n  sends nonsense after a frame     b  sends nonsense at once
//   l  declares a frame that is too large

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <span>
#include <utility>

#include "video/frames/messages.h"

namespace {

void send(std::span<const std::byte> bytes) {
  if (write(STDOUT_FILENO, bytes.data(), bytes.size()) < 0) std::abort();
}

void send(const octavo::video::Message& message) { send(octavo::video::bytes_of(message)); }

void send_nonsense() { send(std::as_bytes(std::span("no message, but a sentence that came from elsewhere"))); }

[[noreturn]] void hang() {
  for (;;) pause();
}

octavo::VideoFrame frame(int width, int height) {
  octavo::VideoFrame made;
  made.index = 41;
  made.seconds = 1.64;
  made.stored_width = 4;
  made.stored_height = 3;
  made.grey = octavo::Image(width, height, 1, octavo::PixelType::u8);
  for (int y = 0; y < height; ++y) std::fill_n(made.grey.row(y), width, std::byte{7});
  return made;
}

}  // namespace

int main() {
  char how = 0;
  if (read(STDIN_FILENO, &how, 1) != 1) return 1;
  if (how == 'h') hang();
  if (how == 'b') return send_nonsense(), 0;
  send(octavo::VideoFacts{});
  if (how == 'l') return send(frame(4000, 4000)), 0;
  const octavo::VideoFrame first = frame(4, 3);
  send(octavo::video::bytes_of(octavo::video::Message(frame(4, 3))));
  for (const auto pixels : octavo::video::pixels_of(first)) send(pixels);
  if (how == 'f') hang();
  if (how == 'c') {
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would report it and end the process in its own way
    std::raise(SIGSEGV);
  }
  if (how == 'n') send_nonsense();
  return 0;
}
