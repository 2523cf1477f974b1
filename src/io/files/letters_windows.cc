// Names of files are UTF-8 in Octavo. The standard library takes the letters of a path's text from mbrtowc, which on
// Windows knows them by a code page, and that of the locale "C" has none but those of Latin-1. The linker puts this
// function in its place (--wrap in CMakeLists.txt).

#include <cstddef>
#include <cwchar>

namespace {

constexpr std::size_t is_wrong = static_cast<std::size_t>(-1), is_part = static_cast<std::size_t>(-2);

// The number of bytes of a letter that begins with this one; 0: none does.
std::size_t bytes_of_letter(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

}  // namespace

// Of a letter of four bytes three give the first half of its pair in UTF-16, and `state` keeps the second half for the
// fourth one. `state` is an int there.
// NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker knows this name
extern "C" std::size_t __wrap_mbrtowc(wchar_t* letter, const char* bytes, std::size_t count, std::mbstate_t* state) {
  if (bytes == nullptr) return 0;
  if (count == 0) return is_part;
  if (*state != 0) {
    *letter = static_cast<wchar_t>(*state);
    *state = 0;
    return 1;
  }
  const std::size_t length = bytes_of_letter(static_cast<unsigned char>(bytes[0]));
  if (length == 0) return is_wrong;
  if (length > count) return is_part;
  unsigned code = length == 1 ? static_cast<unsigned char>(bytes[0]) : bytes[0] & (0x7F >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((bytes[i] & 0xC0) != 0x80) return is_wrong;
    code = code << 6 | (bytes[i] & 0x3F);
  }
  if (length < 4) {
    *letter = static_cast<wchar_t>(code);
    return code == 0 ? 0 : length;
  }
  *letter = static_cast<wchar_t>(0xD800 | (code - 0x10000) >> 10);
  *state = static_cast<int>(0xDC00 | (code & 0x3FF));
  return 3;
}
