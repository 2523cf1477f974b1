#include "video/frames/decoder/end_with_reader.h"

#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

namespace octavo::video {

// The parent is asked for too: a fork of it that runs no other program may hold the other end for a while.
void end_with_reader() {
  std::thread([parent = getppid()] {
    constexpr int step = 500;  // [ms]
    pollfd output{STDOUT_FILENO, 0, 0};
    while (poll(&output, 1, step) <= 0 && getppid() == parent) continue;
    _exit(EXIT_FAILURE);
  }).detach();
}

}  // namespace octavo::video
