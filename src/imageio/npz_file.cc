// NumPy's .npz: a ZIP archive (PKWARE's APPNOTE 4.3) of .npy files (NumPy Enhancement Proposal 1), as numpy.savez
// writes it: members stored as they are, since descriptors hardly compress. Sizes stay below 4 GiB, which is ZIP's
// without extensions.

#include <fmt/format.h>
#include <zlib.h>

#include <bit>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "imageio/atomic_file.h"
#include "imageio/npz_limit.h"
#include "octavo/error.h"
#include "octavo/imageio.h"

namespace octavo {
namespace {

static_assert(std::endian::native == std::endian::little,
              "both formats are little-endian, and are written as memory holds them");

using Bytes = std::span<const std::byte>;

/// An archive that grows member by member.
class StoredZip {
 public:
  void add(std::string_view name, std::string_view header, Bytes data) {
    const std::size_t size = header.size() + data.size();
    uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(header.data()), header.size());
    // For no data at all there is no pointer either, which zlib would take for a wish to begin anew.
    if (!data.empty()) crc = crc32_z(crc, reinterpret_cast<const Bytef*>(data.data()), data.size());

    std::string common;         // what the local and the central record share
    put16(common, 20);          // ZIP 2.0
    put16(common, 0);           // flags
    put16(common, 0);           // stored
    put32(common, 0x00210000);  // 1 January 1980: the same features give the same bytes
    put32(common, crc);
    put32(common, size);
    put32(common, size);
    put16(common, name.size());
    put16(common, 0);  // no extra field

    put32(directory_, 0x02014b50);
    put16(directory_, 20);
    directory_ += common;
    put16(directory_, 0);  // no comment
    put16(directory_, 0);  // first disk
    put16(directory_, 0);
    put32(directory_, 0);
    put32(directory_, archive_.size());
    directory_ += name;

    put32(archive_, 0x04034b50);
    archive_ += common;
    archive_ += name;
    archive_ += header;
    archive_.append(reinterpret_cast<const char*>(data.data()), data.size());
    ++members_;
  }

  std::string finish() && {
    const std::size_t start = archive_.size();
    archive_ += directory_;
    put32(archive_, 0x06054b50);
    put32(archive_, 0);  // disk numbers
    put16(archive_, members_);
    put16(archive_, members_);
    put32(archive_, directory_.size());
    put32(archive_, start);
    put16(archive_, 0);  // no comment
    return std::move(archive_);
  }

 private:
  static void put16(std::string& out, std::size_t value) { put(out, value, 2); }
  static void put32(std::string& out, std::size_t value) { put(out, value, 4); }
  static void put(std::string& out, std::size_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> 8 * i & 0xFF));
  }

  std::string archive_, directory_;
  std::size_t members_ = 0;
};

/// The head of a .npy file: magic, version 1.0, the length of the description, padded so that the data start at a
/// multiple of 64.
std::string npy_header(std::string_view type, std::size_t rows, std::size_t columns) {
  constexpr std::size_t prefix = 10;
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}), }}", type, rows, columns);
  text.append(64 - (prefix + text.size() + 1) % 64, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 0xFF);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

}  // namespace

void write_npz_features(const std::filesystem::path& file, const Features& features) {
  const std::size_t n = features.size();
  if (n > imageio::most_npz_keypoints) {
    throw Error(ErrorCode::file_error,
                fmt::format("cannot write '{}': {} keypoints do not fit into an npz file, the most is {}",
                            file.string(), n, imageio::most_npz_keypoints));
  }
  std::vector<float> keypoints;
  std::vector<std::int32_t> octave_layer;
  keypoints.reserve(5 * n);
  octave_layer.reserve(2 * n);
  for (const Keypoint& k : features.keypoints) {
    keypoints.insert(keypoints.end(), {k.x, k.y, k.scale, k.orientation, k.response});
    octave_layer.insert(octave_layer.end(), {k.octave, k.layer});
  }
  StoredZip zip;
  zip.add("keypoints.npy", npy_header("<f4", n, 5), std::as_bytes(std::span(keypoints)));
  zip.add("octave_layer.npy", npy_header("<i4", n, 2), std::as_bytes(std::span(octave_layer)));
  zip.add("descriptors.npy", npy_header("|u1", features.descriptors.size() / descriptor_length, descriptor_length),
          std::as_bytes(std::span(features.descriptors)));
  const std::string archive = std::move(zip).finish();
  imageio::write_file(file, std::as_bytes(std::span(archive)));
}

}  // namespace octavo
