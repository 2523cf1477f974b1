// The C library of Windows gives the words of the command line in a code page that lacks most letters, and replaces
// patterns by names, which is the commands' work.

#include <fcntl.h>
#include <io.h>
#include <windows.h>
// <shellapi.h> needs <windows.h> before it.
#include <shellapi.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "cli/complaint.h"
#include "cli/system.h"

namespace octavo::cli {
namespace {

HANDLE handle_of(std::FILE* stream) { return reinterpret_cast<HANDLE>(_get_osfhandle(_fileno(stream))); }

}  // namespace

bool is_terminal(std::FILE* stream) {
  DWORD mode = 0;
  return GetConsoleMode(handle_of(stream), &mode) != 0;
}

std::size_t terminal_width() {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  const bool is_known = GetConsoleScreenBufferInfo(handle_of(stderr), &info) != 0;
  return is_known && info.dwSize.X > 0 ? static_cast<std::size_t>(info.dwSize.X) : 80;
}

void prepare_standard_streams() {
  for (std::FILE* const stream : {stdin, stdout, stderr}) _setmode(_fileno(stream), _O_BINARY);
  SetConsoleOutputCP(CP_UTF8);
  DWORD mode = 0;  // the line of progress is erased by a code of terminals
  const HANDLE errors = handle_of(stderr);
  if (GetConsoleMode(errors, &mode) != 0) SetConsoleMode(errors, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

std::vector<std::string> arguments(int, char**) {
  int count = 0;
  const std::unique_ptr<LPWSTR, HLOCAL (*)(HLOCAL)> words(CommandLineToArgvW(GetCommandLineW(), &count), LocalFree);
  std::vector<std::string> all;
  for (int i = 1; i < count; ++i) all.push_back(std::filesystem::path(words.get()[i]).string());
  return all;
}

bool has_reader_ended() { return false; }

void end_by_closed_pipe() { std::_Exit(exit_failed); }

}  // namespace octavo::cli
