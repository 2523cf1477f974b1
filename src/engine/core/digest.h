#pragma once

// The digest FNV-1a of 64 bits (Fowler, Noll and Vo; draft-eastlake-fnv). It tells whether bytes changed. It is no
// protection against intent.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

namespace octavo {

class Digest {
 public:
  Digest() = default;
  /// Goes on after bytes whose digest is `value`.
  explicit Digest(std::uint64_t value) : state_(value) {}
  void add(const void* data, std::size_t bytes) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) state_ = (state_ ^ p[i]) * 1099511628211u;
  }
  void add(std::span<const std::byte> bytes) { add(bytes.data(), bytes.size()); }
  template <class T>
  void add(const T& value) {
    static_assert(sizeof(T) == 4, "padding would enter the digest");
    add(&value, sizeof(T));
  }
  [[nodiscard]] std::uint64_t value() const { return state_; }
  /// 16 hexadecimal digits.
  [[nodiscard]] std::string text() const {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(state_));
    return digits;
  }

 private:
  std::uint64_t state_ = 14695981039346656037u;
};

}  // namespace octavo
