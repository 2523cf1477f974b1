#pragma once

// HDF5 files through the C library. Numbers are converted between the types of the file and those of the caller.

#define H5_USE_110_API  // later versions have other types behind the same names
#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace octavo::io {

/// An object of the library, which is closed at the end.
class Hdf5Id {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Id(hid_t id, Close close) : id_(id), close_(close) {}
  ~Hdf5Id() {
    if (id_ >= 0) close_(id_);
  }
  Hdf5Id(Hdf5Id&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Hdf5Id& operator=(Hdf5Id&&) = delete;
  [[nodiscard]] hid_t get() const { return id_; }

 private:
  hid_t id_;
  Close close_;
};

/// A file. Every function throws Error(file_error), which names the file and the reason. The library prints nothing.
class Hdf5File {
 public:
  enum class Mode { read, create, extend, memory };  // memory: a new file, which is nowhere else

  /// `name` is what the errors call the file.
  Hdf5File(const std::filesystem::path& file, std::string name, Mode mode);

  /// Whether there is a group or data set at the path, such as "a/b".
  [[nodiscard]] bool has(const std::string& path) const;
  /// The paths of the groups that have a data set of this name, in order.
  [[nodiscard]] std::vector<std::string> groups_with(const std::string& data_set) const;
  void remove(const std::string& path) const;
  /// Reads all but the numbers of data sets that lie together: what the library follows addresses in the file for.
  void survey() const;

  /// Writes a data set of i32 or f32, and makes the groups above it.
  void write(const std::string& path, std::span<const std::size_t> shape, std::span<const float> numbers) const;
  void write(const std::string& path, std::span<const std::size_t> shape, std::span<const std::int32_t> numbers) const;
  /// An attribute of a group or data set.
  void write_number(const std::string& path, const std::string& attribute, double number) const;
  void write_text(const std::string& group, const std::string& attribute, const std::string& text) const;
  /// Removes an attribute, if it is there.
  void remove_attribute(const std::string& path, const std::string& attribute) const;

  /// The lengths of the sides of a data set of numbers, which has `dimensions` of them.
  [[nodiscard]] std::vector<std::size_t> shape(const std::string& path, std::size_t dimensions) const;
  [[nodiscard]] std::vector<float> read_floats(const std::string& path) const;
  [[nodiscard]] std::vector<std::int32_t> read_integers(const std::string& path) const;
  [[nodiscard]] std::optional<std::string> read_text(const std::string& group, const std::string& attribute) const;

  /// Writes what is in memory.
  void flush() const;
  /// The bytes that the file has now.
  [[nodiscard]] std::vector<std::byte> bytes() const;

  [[noreturn]] void refuse(const std::string& why) const;

 private:
  [[nodiscard]] Hdf5Id data_set(const std::string& path) const;
  void survey_data_set(const std::string& path) const;
  [[nodiscard]] std::size_t count_of(hid_t data_set, const std::string& path) const;
  void write(const std::string& path, std::span<const std::size_t> shape, const void* numbers, hid_t type_in_file,
             hid_t type) const;
  void write_attribute(const std::string& path, const std::string& attribute, hid_t type, const void* value) const;
  // Throws for a negative result of the library.
  template <class Result>
  Result require(Result result, const std::string& what) const;

  std::string name_;
  bool reads_;
  Hdf5Id file_;
};

}  // namespace octavo::io
