// Open descriptors, two ends of a pipe, and reading with a limit.

#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "engine/core/internal_api.h"

namespace OCTAVO_INTERNAL_API octavo {

/// An open descriptor, or none. The destructor closes it.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  [[nodiscard]] int number() const { return number_; }  ///< negative: none
  void close();

 private:
  int number_ = -1;
};

/// Two ends, which no program inherits.
struct DescriptorPair {
  Descriptor first, second;
};

/// A pipe from `second` to `first`. Throws std::system_error.
DescriptorPair make_pipe();

/// Reads what has come, as soon as something has. Returns the number of bytes, 0 at the end or if nothing can be read,
/// and nothing if nothing came within the limit.
std::optional<std::size_t> read_within(int descriptor, std::span<std::byte> bytes, std::chrono::milliseconds limit);

}  // namespace octavo
