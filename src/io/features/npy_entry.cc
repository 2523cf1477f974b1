#include "io/features/npy_entry.h"

#include <fmt/format.h>

namespace octavo::io {

ZipEntry npy_entry(const std::string& name, std::string_view type, const std::string& shape,
                   std::span<const std::byte> data) {
  // Magic, version 1.0, the length of the description, and the description, padded so that the data begin at a multiple
  // of 64.
  constexpr std::size_t prefix = 10;
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
  text.append(64 - (prefix + text.size() + 1) % 64, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 0xFF);
  header += static_cast<char>(text.size() >> 8);
  return {name + ".npy", header + text, data};
}

}  // namespace octavo::io
