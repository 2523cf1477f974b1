#include "io/files/file_facts_windows.h"

#include <cerrno>

namespace octavo::io {
namespace {

std::uint64_t joined(DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; }

// Windows counts 100 ns from 1601 on.
std::int64_t nanoseconds(const FILETIME& time) {
  constexpr std::int64_t begin_of_1970 = 116'444'736'000'000'000;
  return (static_cast<std::int64_t>(joined(time.dwHighDateTime, time.dwLowDateTime)) - begin_of_1970) * 100;
}

}  // namespace

std::optional<FileFacts> facts_of(HANDLE file) {
  BY_HANDLE_FILE_INFORMATION told{};
  if (GetFileType(file) != FILE_TYPE_DISK) return FileFacts{};
  if (GetFileInformationByHandle(file, &told) == 0) return std::nullopt;
  const bool is_folder = (told.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  return FileFacts{.identity = {told.dwVolumeSerialNumber, joined(told.nFileIndexHigh, told.nFileIndexLow)},
                   .size = joined(told.nFileSizeHigh, told.nFileSizeLow),
                   .modified = nanoseconds(told.ftLastWriteTime),
                   .is_regular = !is_folder,
                   .is_folder = is_folder};
}

std::optional<FileFacts> facts_of(const std::filesystem::path& file) {
  const HANDLE handle =
      CreateFileW(file.c_str(), FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                  OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);  // with this flag folders too
  if (handle == INVALID_HANDLE_VALUE) return std::nullopt;
  const std::optional<FileFacts> facts = facts_of(handle);
  CloseHandle(handle);
  return facts;
}

// Who may add files to a folder shows when one is added.
int writing_error(const std::filesystem::path& path) {
  const DWORD attributes = GetFileAttributesW(path.c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return 0;
  return (attributes & FILE_ATTRIBUTE_READONLY) != 0 ? EACCES : 0;
}

std::size_t longest_name(const std::filesystem::path&) { return 255; }

}  // namespace octavo::io
