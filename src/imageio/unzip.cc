// Reads ZIP archives (PKWARE's APPNOTE 4.3). The directory at the end says where each file lies: the end record leads
// to the directory, each of its entries to a local header, behind which the data begin. Nothing that the archive says
// is believed before it is held against its length.

#include "imageio/unzip.h"

#include <zlib.h>

#include <algorithm>
#include <optional>

#include "imageio/decoders.h"

namespace octavo::imageio {
namespace {

constexpr std::size_t end_size = 22, entry_size = 46, local_size = 30;
constexpr unsigned end_mark = 0x06054b50, entry_mark = 0x02014b50, local_mark = 0x04034b50;
constexpr std::size_t not_here = 0xFFFFFFFF;  // "see the extension"

[[noreturn]] void refuse_damaged(const ZipMember& member) { throw DecodeError(member.name + " is damaged"); }

std::size_t number(Bytes bytes, std::size_t at, std::size_t width) {
  if (at > bytes.size() || bytes.size() - at < width) throw DecodeError("the archive is truncated or damaged");
  std::size_t value = 0;
  for (std::size_t i = 0; i < width; ++i) value |= std::to_integer<std::size_t>(bytes[at + i]) << 8 * i;
  return value;
}

Bytes part(Bytes bytes, std::size_t at, std::size_t length) {
  if (at > bytes.size() || bytes.size() - at < length) throw DecodeError("the archive is truncated or damaged");
  return bytes.subspan(at, length);
}

// Where the end record begins: as late as possible, since a comment of up to 65535 bytes may follow it.
std::optional<std::size_t> find_end(Bytes archive) {
  if (archive.size() < end_size) return std::nullopt;
  const std::size_t last = archive.size() - end_size, first = last - std::min<std::size_t>(last, 0xFFFF);
  for (std::size_t at = last + 1; at-- > first;) {
    if (number(archive, at, 4) == end_mark) return at;
  }
  return std::nullopt;
}

}  // namespace

std::vector<ZipMember> zip_members(std::span<const std::byte> archive) {
  if (archive.empty()) throw DecodeError("it is empty");
  if (archive.size() < 4 || (number(archive, 0, 4) != local_mark && number(archive, 0, 4) != end_mark)) {
    throw DecodeError("it is not a NumPy archive (.npz)");
  }
  const std::optional<std::size_t> end = find_end(archive);
  if (!end) throw DecodeError("the archive is truncated");
  const std::size_t count = number(archive, *end + 10, 2);
  std::size_t at = number(archive, *end + 16, 4);
  std::vector<ZipMember> members;
  for (std::size_t i = 0; i < count; ++i) {
    if (number(archive, at, 4) != entry_mark) throw DecodeError("the archive's directory is damaged");
    const std::size_t flags = number(archive, at + 8, 2), packed = number(archive, at + 20, 4);
    const std::size_t name_length = number(archive, at + 28, 2), local = number(archive, at + 42, 4);
    ZipMember member;
    member.method = static_cast<unsigned>(number(archive, at + 10, 2));
    member.crc = static_cast<unsigned>(number(archive, at + 16, 4));
    member.size = number(archive, at + 24, 4);
    const Bytes name = part(archive, at + entry_size, name_length);
    member.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
    if (flags & 1) throw DecodeError("the archive is encrypted");
    if (packed == not_here || member.size == not_here || local == not_here) {
      throw DecodeError("the archive holds files above 4 GiB");
    }
    if (number(archive, local, 4) != local_mark) throw DecodeError("the archive's directory is damaged");
    const std::size_t begin =
        local + local_size + number(archive, local + 26, 2) + number(archive, local + 28, 2);  // name, extra field
    member.data = part(archive, begin, packed);
    members.push_back(std::move(member));
    at += entry_size + name_length + number(archive, at + 30, 2) + number(archive, at + 32, 2);
  }
  return members;
}

std::vector<std::byte> unpack_beginning(const ZipMember& member, std::size_t length) {
  constexpr std::size_t most_packed = 1032;  // no deflated byte stands for more (zlib's technical notes)
  const bool all = length >= member.size;
  length = std::min(length, member.size);
  std::vector<std::byte> data;
  if (member.method == 0) {
    if (member.size != member.data.size()) refuse_damaged(member);
    const Bytes beginning = member.data.first(length);
    data.assign(beginning.begin(), beginning.end());
  } else if (member.method == 8) {
    if (member.size / most_packed > member.data.size()) refuse_damaged(member);  // before memory is taken for it
    data.resize(length);
    z_stream stream{};
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(member.data.data()));
    stream.avail_in = static_cast<uInt>(member.data.size());
    Bytef nothing;
    stream.next_out = data.empty() ? &nothing : reinterpret_cast<Bytef*>(data.data());
    stream.avail_out = static_cast<uInt>(data.size());
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
    const int result = inflate(&stream, Z_FINISH);
    const bool is_there = stream.avail_out == 0 && (result == Z_STREAM_END || !all);
    inflateEnd(&stream);
    if (!is_there) refuse_damaged(member);
  } else {
    throw DecodeError(member.name + " is packed by ZIP's method " + std::to_string(member.method) +
                      "; stored (0) and deflated (8) can be read");
  }
  return data;
}

std::vector<std::byte> unpack(const ZipMember& member) {
  std::vector<std::byte> data = unpack_beginning(member, member.size);
  if (!data.empty() && crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), data.size()) != member.crc)
    refuse_damaged(member);
  return data;
}

}  // namespace octavo::imageio
