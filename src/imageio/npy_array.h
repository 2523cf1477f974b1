#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace octavo::imageio {

/// A matrix from a .npy file, its numbers as doubles, row by row. Whole numbers beyond 2^53 are rounded.
struct NpyArray {
  std::size_t rows = 0, columns = 0;
  std::vector<double> numbers;
};

/// Reads integers and floats of any width, little-endian, in C's or Fortran's order. `name` is what errors call it.
/// Throws DecodeError where it is truncated or damaged, no matrix, or of another type of number.
NpyArray read_npy(std::span<const std::byte> file, const std::string& name);

}  // namespace octavo::imageio
