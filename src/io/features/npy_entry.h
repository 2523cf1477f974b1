#pragma once

// Arrays as files of a NumPy archive (NumPy Enhancement Proposal 1). The format is little-endian, and arrays are
// written as memory holds them.

#include <bit>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "io/features/zip_writer.h"

namespace octavo::io {

static_assert(std::endian::native == std::endian::little);

/// The name of a type of numbers in the header of a .npy file.
template <class Number>
constexpr std::string_view npy_type() {
  if constexpr (std::is_same_v<Number, float>) return "<f4";
  if constexpr (std::is_same_v<Number, double>) return "<f8";
  if constexpr (std::is_same_v<Number, std::int32_t>) return "<i4";
  if constexpr (std::is_same_v<Number, std::uint8_t>) return "|u1";
}

/// The file NAME.npy of an array of bytes `data`, whose numbers are of this type. `shape` is "3, 4" or "3,".
ZipEntry npy_entry(const std::string& name, std::string_view type, const std::string& shape,
                   std::span<const std::byte> data);

/// A matrix, row by row. The numbers must outlive the entry.
template <class Number>
ZipEntry npy_matrix(const std::string& name, std::span<const Number> numbers, std::size_t rows, std::size_t columns) {
  return npy_entry(name, npy_type<Number>(), std::to_string(rows) + ", " + std::to_string(columns),
                   std::as_bytes(numbers));
}

/// A list. The numbers must outlive the entry.
template <class Number>
ZipEntry npy_list(const std::string& name, std::span<const Number> numbers) {
  return npy_entry(name, npy_type<Number>(), std::to_string(numbers.size()) + ",", std::as_bytes(numbers));
}

}  // namespace octavo::io
