#pragma once

// The halves of a descriptor, and the rotation of the space of descriptors whose axes give the bits of codes. A mirror
// exchanges the upper two rows of cells with the lower two: in the frame of a keypoint, row r becomes 3 − r and
// direction d becomes −d. So the lower half is written as the mirror shows it, and a mirror exchanges both halves.
//
// The rotation gives each number of a half a fixed sign, the same for both halves, and takes the halves by turns. The
// Walsh–Hadamard transform then mixes all of them (Ailon and Chazelle 2009 call it a fast Johnson–Lindenstrauss
// transform). Its first step makes the sums and the differences of both halves; further steps mix sums with sums and
// differences with differences. So a mirror leaves even coordinates as they are, and changes the sign of odd ones. Up
// to its length √128 the transform is orthogonal. It is exact in integers: |y| ≤ 128·255.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "octavo/keypoint.h"
#include "octavo/retrieval.h"

namespace octavo {

/// The halves of a descriptor, 64 numbers each: the upper one, then the lower one as a mirror shows it.
using DescriptorHalves = std::array<std::array<std::uint8_t, descriptor_length / 2>, 2>;
DescriptorHalves halves_of(std::span<const std::uint8_t, descriptor_length> descriptor);

/// Where the mirrored descriptor has the number that a descriptor has at `i`, 0…127.
constexpr std::size_t mirrored_index(std::size_t i) {
  constexpr std::size_t rows = 4, columns = 4, directions = 8;
  const std::size_t row = i / (columns * directions), column = i / directions % columns, direction = i % directions;
  return ((rows - 1 - row) * columns + column) * directions + (directions - direction) % directions;
}

using RotatedDescriptor = std::array<std::int32_t, descriptor_length>;

/// The sign of the rotation for number j of a half, 1 or −1.
int rotation_sign(std::size_t j);

/// What the number of an axis is compared with: odd axes, whose sign a mirror changes, with 0.
inline std::int32_t code_threshold(std::size_t axis, const CodeModel& model) {
  return axis % 2 == 0 ? model.thresholds()[axis / 2] : 0;
}

/// Rotates a descriptor.
RotatedDescriptor rotate(const DescriptorHalves& halves);

}  // namespace octavo
