#include "engine/process/descriptor.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace octavo {

void Descriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

DescriptorPair make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category());
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

std::optional<std::size_t> read_within(int descriptor, std::span<std::byte> bytes, std::chrono::milliseconds limit) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + limit;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd wanted{descriptor, POLLIN, 0};
    const int ready = poll(&wanted, 1, static_cast<int>(std::max<decltype(left)>(left, 0)));
    if (ready > 0) {
      const ssize_t count = read(descriptor, bytes.data(), bytes.size());
      if (count >= 0) return static_cast<std::size_t>(count);
    }
    if (ready != 0 && errno != EINTR) return 0;
    if (left <= 0) return std::nullopt;
  }
}

}  // namespace octavo
