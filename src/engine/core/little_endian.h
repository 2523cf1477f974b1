#pragma once

// Files of Octavo's own formats: numbers in little-endian order, and at the end the FNV-1a digest (64 bits) of all
// bytes before it. A reader checks the digest first, so that it reads only what a writer wrote.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/digest.h"
#include "octavo/error.h"

namespace octavo {

class LittleEndianWriter {
 public:
  template <class Number>
  requires std::integral<Number>
  void put(Number number) {
    const auto bits = static_cast<std::make_unsigned_t<Number>>(number);
    for (std::size_t i = 0; i < sizeof bits; ++i) bytes_.push_back(static_cast<std::byte>(bits >> (8 * i) & 0xff));
  }
  void put(double number) { put(std::bit_cast<std::uint64_t>(number)); }
  void put(std::string_view text) { put(std::as_bytes(std::span(text))); }
  void put(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

  /// All bytes so far, without a digest.
  std::vector<std::byte> take() { return std::move(bytes_); }
  /// Appends the digest. Returns all bytes.
  std::vector<std::byte> finish() {
    Digest digest;
    digest.add(std::span<const std::byte>(bytes_));
    put(digest.value());
    return std::move(bytes_);
  }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads from the first byte to the last. Each error is Error(file_error), "cannot read 'NAME': …".
class LittleEndianReader {
 public:
  /// Checks that the bytes begin with `magic`, and their digest. `kind` is what such a file is called: "a vocabulary of
  /// Octavo". `name` must outlive the reader.
  LittleEndianReader(std::span<const std::byte> bytes, std::string_view magic, std::string_view kind,
                     const std::string& name)
      : name_(name) {
    if (bytes.empty()) refuse("it is empty");
    if (bytes.size() < magic.size() || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0) {
      refuse("it is not " + std::string(kind));
    }
    constexpr std::size_t digest_bytes = sizeof(std::uint64_t);
    if (bytes.size() < magic.size() + digest_bytes) refuse("it is truncated");
    const auto content = bytes.first(bytes.size() - digest_bytes);
    Digest digest;
    digest.add(content);
    left_ = bytes.last(digest_bytes);
    if (take<std::uint64_t>() != digest.value()) refuse("it is truncated or damaged: its checksum is wrong");
    left_ = content.subspan(magic.size());
  }

  template <class Number>
  requires std::integral<Number> Number take() {
    const auto bytes = take_bytes(sizeof(Number));
    std::make_unsigned_t<Number> bits = 0;
    for (std::size_t i = 0; i < sizeof bits; ++i) {
      bits = static_cast<std::make_unsigned_t<Number>>(bits | std::uint64_t{std::to_integer<std::uint8_t>(bytes[i])}
                                                                  << (8 * i));
    }
    return static_cast<Number>(bits);
  }
  double take_double() { return std::bit_cast<double>(take<std::uint64_t>()); }
  std::span<const std::byte> take_bytes(std::size_t count) {
    if (count > left_.size()) refuse("it ends too early");
    const auto bytes = left_.first(count);
    left_ = left_.subspan(count);
    return bytes;
  }
  std::string take_text(std::size_t count) {
    const auto bytes = take_bytes(count);
    return {reinterpret_cast<const char*>(bytes.data()), count};
  }
  /// The next number, which must be from `low` to `high`. `what` begins the sentence: "is of version".
  template <class Number>
  Number take_within(std::string_view what, Number low, Number high) {
    const auto number = take<Number>();
    if (number >= low && number <= high) return number;
    refuse("it " + std::string(what) + " " + std::to_string(number) + ", but it must be " +
           (low == high ? std::to_string(low) : "between " + std::to_string(low) + " and " + std::to_string(high)));
  }
  /// The number of bytes that are left.
  [[nodiscard]] std::size_t left() const { return left_.size(); }
  /// Refuses bytes that are left.
  void finish() const {
    if (!left_.empty()) refuse("it has " + std::to_string(left_.size()) + " bytes too many");
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorCode::file_error, "cannot read '" + name_ + "': " + why);
  }

 private:
  const std::string& name_;
  std::span<const std::byte> left_;
};

}  // namespace octavo
