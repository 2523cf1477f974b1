// ZIP archives (PKWARE's APPNOTE 4.3) are read with libzip. Two checks are added. First, a deflated byte stands for at
// most 1032 bytes (zlib's technical notes), so a file that announces more than 1032 times its packed bytes is damaged,
// as is one that is longer than the archive. This is detected before memory is allocated for it. Second, libzip
// verifies a check sum when the end of a file is read, so the end is always read.

#include "io/features/zip_reader.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "io/images/decode_error.h"

namespace octavo::io {
namespace {

/// libzip's record of an error.
class ZipError {
 public:
  ZipError() { zip_error_init(&error_); }
  ~ZipError() { zip_error_fini(&error_); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;

  zip_error_t* get() { return &error_; }

 private:
  zip_error_t error_;
};

[[noreturn]] void refuse_archive(zip_error_t* error) {
  if (zip_error_code_zip(error) == ZIP_ER_MEMORY) throw std::bad_alloc();
  throw DecodeError("the archive is truncated or damaged: " + std::string(zip_error_strerror(error)));
}

[[noreturn]] void refuse_damaged_member(const ZipMember& member) { throw DecodeError(member.name + " is damaged"); }

/// Reads until `out` is full.
void read_exactly(zip_file_t* file, Bytes::size_type size, std::byte* out, const ZipMember& member) {
  while (size > 0) {
    const zip_int64_t count = zip_fread(file, out, size);
    if (count <= 0) refuse_damaged_member(member);
    out += count;
    size -= static_cast<std::size_t>(count);
  }
}

using OpenFile = std::unique_ptr<zip_file_t, int (*)(zip_file_t*)>;

OpenFile open_member(zip_t* zip, const ZipMember& member) {
  OpenFile file(zip_fopen_index(zip, member.index, 0), zip_fclose);
  if (!file) refuse_damaged_member(member);
  return file;
}

/// True if the bytes begin with the record of a file, or with the end record of an archive without files.
bool is_archive(Bytes bytes) {
  return bytes.size() >= 4 &&
         (std::memcmp(bytes.data(), "PK\3\4", 4) == 0 || std::memcmp(bytes.data(), "PK\5\6", 4) == 0);
}

}  // namespace

ZipReader::ZipReader(std::span<const std::byte> archive) : archive_size_(archive.size()), zip_(nullptr, zip_discard) {
  if (archive.empty()) throw DecodeError("it is empty");
  // libzip accepts archives after any other bytes, such as self-extracting programs. NumPy writes none.
  if (!is_archive(archive)) throw DecodeError("it is not a NumPy archive (.npz)");
  ZipError error;
  zip_source_t* source = zip_source_buffer_create(archive.data(), archive.size(), 0, error.get());
  if (!source) refuse_archive(error.get());
  zip_.reset(zip_open_from_source(source, ZIP_RDONLY, error.get()));
  if (zip_) return;
  zip_source_free(source);
  refuse_archive(error.get());
}

std::optional<ZipMember> ZipReader::find(const std::string& name) const {
  const zip_int64_t index = zip_name_locate(zip_.get(), name.c_str(), 0);
  if (index < 0) return std::nullopt;
  ZipMember member{.index = static_cast<std::uint64_t>(index), .name = name};
  zip_stat_t facts;
  zip_stat_init(&facts);
  if (zip_stat_index(zip_.get(), member.index, 0, &facts) != 0) refuse_damaged_member(member);
  if (facts.encryption_method != ZIP_EM_NONE) throw DecodeError(name + " is encrypted");
  if (facts.comp_method != ZIP_CM_STORE && facts.comp_method != ZIP_CM_DEFLATE) {
    throw DecodeError(name + " is packed by ZIP's method " + std::to_string(facts.comp_method) +
                      "; stored (0) and deflated (8) can be read");
  }
  const std::uint64_t most_packed = facts.comp_method == ZIP_CM_STORE ? 1 : 1032;
  if (facts.comp_size > archive_size_ || facts.size / most_packed > facts.comp_size) {
    throw DecodeError(name + " is damaged: it asks for " + std::to_string(facts.size) + " bytes, but has " +
                      std::to_string(std::min<std::uint64_t>(facts.comp_size, archive_size_)));
  }
  member.size = facts.size;
  return member;
}

std::vector<std::byte> ZipReader::unpack(const ZipMember& member) const {
  const OpenFile file = open_member(zip_.get(), member);
  std::vector<std::byte> data(member.size);
  read_exactly(file.get(), data.size(), data.data(), member);
  std::byte beyond;
  if (zip_fread(file.get(), &beyond, 1) != 0) refuse_damaged_member(member);
  return data;
}

std::vector<std::byte> ZipReader::unpack_beginning(const ZipMember& member, std::size_t length) const {
  const OpenFile file = open_member(zip_.get(), member);
  std::vector<std::byte> data(std::min(length, member.size));
  read_exactly(file.get(), data.size(), data.data(), member);
  return data;
}

}  // namespace octavo::io
