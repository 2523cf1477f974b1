#pragma once

// What libtiff asks of the one who calls it: where errors go, and how bytes of a file in memory are read and sought. No
// exception may leave its callbacks.

#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>

namespace octavo::io {

struct TiffClose {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
using TiffHandle = std::unique_ptr<TIFF, TiffClose>;

using TiffOptions = std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)>;

/// Options by which the first error becomes `complaint`, without its full stop, and warnings are not told. `complaint`
/// must outlive the file.
inline TiffOptions tiff_options(std::string& complaint) {
  TiffOptions options(TIFFOpenOptionsAlloc(), TIFFOpenOptionsFree);
  if (!options) throw std::bad_alloc();
  const auto keep = [](TIFF*, void* user, const char*, const char* format, std::va_list arguments) {
    auto& first = *static_cast<std::string*>(user);
    if (!first.empty()) return 1;
    std::array<char, 256> text{};
    std::vsnprintf(text.data(), text.size(), format, arguments);
    first = text.data();
    while (!first.empty() && first.back() == '.') first.pop_back();
    return 1;
  };
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keep, &complaint);
  TIFFOpenOptionsSetWarningHandlerExtR(
      options.get(), [](TIFF*, void*, const char*, const char*, std::va_list) { return 1; }, nullptr);
  return options;
}

/// How a file with so many bytes of pixels is opened for writing: TIFF 6.0 ends at 4 GiB, and what is compressed may be
/// longer than the pixels.
inline const char* tiff_write_mode(std::uint64_t pixel_bytes) {
  return pixel_bytes >= std::uint64_t{1} << 31 ? "w8" : "w";
}

/// Opens a file in memory. `Memory` has its bytes as `std::span<const std::byte> bytes() const`, the `position` at
/// which libtiff reads and writes, and `tmsize_t write(const void*, tmsize_t)`, which returns how many bytes it takes.
/// It must outlive the file. `mode`: see TIFFOpen. Returns none for an error.
template <class Memory>
TiffHandle open_tiff(Memory& memory, const char* mode, const TiffOptions& options) {
  const auto read = [](thandle_t handle, void* out, tmsize_t size) -> tmsize_t {
    auto& file = *static_cast<Memory*>(handle);
    const std::span<const std::byte> bytes = file.bytes();
    const std::uint64_t left = bytes.size() - std::min<std::uint64_t>(file.position, bytes.size());
    const std::uint64_t count = std::min<std::uint64_t>(left, static_cast<std::uint64_t>(std::max<tmsize_t>(size, 0)));
    if (count > 0) std::memcpy(out, bytes.data() + file.position, count);
    file.position += count;
    return static_cast<tmsize_t>(count);
  };
  const auto write = [](thandle_t handle, void* data, tmsize_t size) -> tmsize_t {
    return static_cast<Memory*>(handle)->write(data, size);
  };
  const auto seek = [](thandle_t handle, toff_t offset, int whence) -> toff_t {
    auto& file = *static_cast<Memory*>(handle);
    const std::uint64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file.position : file.bytes().size();
    return file.position = base + offset;
  };
  const auto close = [](thandle_t) { return 0; };
  const auto size = [](thandle_t handle) -> toff_t { return static_cast<Memory*>(handle)->bytes().size(); };
  return TiffHandle(
      TIFFClientOpenExt("TIFF", mode, &memory, read, write, seek, close, size, nullptr, nullptr, options.get()));
}

}  // namespace octavo::io
