#pragma once

// The bytes of a model's binary file: numbers in little-endian order, lists after their lengths. A damaged length may
// be enormous, so each list is checked against the bytes that are left before memory is taken for it.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "multiview/sfm/model_files.h"

namespace octavo::sfm {

static_assert(std::endian::native == std::endian::little, "numbers are copied from the file");

/// Reads a file from its beginning to its end. Throws Error(file_error), which names the file.
class ModelBytes {
 public:
  explicit ModelBytes(std::filesystem::path file) : file_(std::move(file)) {
    std::ifstream in(file_, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
    if (!in) refuse_file(file_, "cannot be read");
  }

  template <class Number>
  Number number() {
    need(sizeof(Number));
    Number value;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  template <std::size_t count>
  std::array<double, count> numbers() {
    std::array<double, count> values;
    for (double& value : values) value = number<double>();
    return values;
  }

  /// Puts numbers in place of those that were read last.
  template <std::size_t count>
  void replace(const std::array<double, count>& values) {
    std::memcpy(bytes_.data() + at_ - sizeof values, values.data(), sizeof values);
  }

  /// The length of a list whose entries take at least so many bytes.
  std::uint64_t length(std::size_t entry) { return checked(number<std::uint64_t>(), entry); }
  /// The same of a list whose length has 32 bits.
  std::uint64_t short_length(std::size_t entry) { return checked(number<std::uint32_t>(), entry); }

  std::string text() {
    const std::size_t end = bytes_.find('\0', at_);
    if (end == std::string::npos) refuse_file(file_, "is cut off within a name");
    std::string found = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return found;
  }

  void skip(std::size_t bytes) {
    need(bytes);
    at_ += bytes;
  }

  void require_end() const {
    if (at_ != bytes_.size()) refuse_file(file_, "is damaged: there are bytes behind its last entry");
  }

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] const std::string& all() const { return bytes_; }

 private:
  [[nodiscard]] std::uint64_t checked(std::uint64_t count, std::size_t entry) const {
    if (count > (bytes_.size() - at_) / entry) refuse_file(file_, "is damaged: a list is longer than the file");
    return count;
  }

  void need(std::size_t bytes) const {
    if (bytes > bytes_.size() - at_) refuse_file(file_, "is cut off");
  }

  std::filesystem::path file_;
  std::string bytes_;
  std::size_t at_ = 0;
};

}  // namespace octavo::sfm
