// ZIP archives (PKWARE's APPNOTE 4.3) are written with libzip, into memory. Then write_file writes all bytes to the
// file, or none.

#include "io/features/zip_writer.h"

#include <zip.h>

#include <array>
#include <memory>
#include <new>

namespace octavo::io {
namespace {

// libzip names lack of memory as the only possible error here.
void require_written(bool done) {
  if (!done) throw std::bad_alloc();
}

using ZipSource = std::unique_ptr<zip_source_t, void (*)(zip_source_t*)>;

zip_buffer_fragment_t fragment(const void* data, std::size_t size) {
  return {static_cast<zip_uint8_t*>(const_cast<void*>(data)), size};
}

void add(zip_t* zip, const ZipEntry& entry) {
  const std::array<zip_buffer_fragment_t, 2> parts{fragment(entry.header.data(), entry.header.size()),
                                                   fragment(entry.data.data(), entry.data.size())};
  ZipSource source(zip_source_buffer_fragment_create(parts.data(), entry.data.empty() ? 1 : 2, 0, nullptr),
                   zip_source_free);
  require_written(source != nullptr);
  const zip_int64_t index = zip_file_add(zip, entry.name.c_str(), source.get(), ZIP_FL_ENC_UTF_8);
  require_written(index >= 0);
  static_cast<void>(source.release());  // the archive owns it now
  const auto place = static_cast<zip_uint64_t>(index);
  constexpr zip_uint16_t first_day = 1 << 5 | 1;  // years since 1980, month, day
  require_written(zip_set_file_compression(zip, place, ZIP_CM_STORE, 0) == 0);
  require_written(zip_file_set_dostime(zip, place, 0, first_day, 0) == 0);
}

}  // namespace

std::vector<std::byte> zip_archive(std::span<const ZipEntry> entries) {
  ZipSource archive(zip_source_buffer_create(nullptr, 0, 0, nullptr), zip_source_free);
  require_written(archive != nullptr);
  std::unique_ptr<zip_t, void (*)(zip_t*)> zip(zip_open_from_source(archive.get(), ZIP_CREATE | ZIP_TRUNCATE, nullptr),
                                               zip_discard);
  require_written(zip != nullptr);
  // zip_close and zip_discard free the archive's reference to the source. `ZipSource` frees the other one.
  zip_source_keep(archive.get());
  for (const ZipEntry& entry : entries) add(zip.get(), entry);
  require_written(zip_close(zip.get()) == 0);
  static_cast<void>(zip.release());

  zip_stat_t facts;
  zip_stat_init(&facts);
  require_written(zip_source_stat(archive.get(), &facts) == 0);
  std::vector<std::byte> bytes(facts.size);
  require_written(zip_source_open(archive.get()) == 0);
  const zip_int64_t count = zip_source_read(archive.get(), bytes.data(), bytes.size());
  zip_source_close(archive.get());
  require_written(count == static_cast<zip_int64_t>(bytes.size()));
  return bytes;
}

}  // namespace octavo::io
