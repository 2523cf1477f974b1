#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace octavo::io {

/// The description of a matrix in the header of a .npy file.
struct NpyHeader {
  std::size_t rows = 0, columns = 0;
  bool columns_first = false;                          ///< Fortran's order
  std::size_t number_size = 0;                         ///< [byte]
  double (*number_at)(const std::byte* at) = nullptr;  ///< reads one number
  std::size_t length = 0;                              ///< [byte] of the header itself
};

/// The greatest number of bytes of a header.
inline constexpr std::size_t longest_npy_header = 12 + 4096;

/// Reads the header of a file of `size` bytes from its beginning: the first longest_npy_header bytes, or all. Errors
/// call the file `name`. Throws DecodeError if the file is truncated or damaged, if the matrix does not fill the rest
/// of the file, or if it has other than two dimensions, or numbers other than little-endian integers of 1, 2, 4 or 8
/// bytes and floats of 2, 4 or 8.
NpyHeader read_npy_header(std::span<const std::byte> beginning, std::size_t size, const std::string& name);

/// The number in a row and column of the whole file. Whole numbers beyond 2^53 are rounded.
double npy_number(const NpyHeader& header, std::span<const std::byte> file, std::size_t row, std::size_t column);

}  // namespace octavo::io
