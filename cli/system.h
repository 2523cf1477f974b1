#pragma once

// What differs between systems in how a program meets its caller: system_posix.cc and system_windows.cc.

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace octavo::cli {

bool is_terminal(std::FILE* stream);

/// [column] of the terminal of the error stream; 80 where it is unknown.
std::size_t terminal_width();

/// At the begin of the program. A stream that the caller has closed is opened: otherwise the next file would get its
/// number, and messages would be written into that file. Nothing can be read from it or written to it, which is an
/// error as it was before. A pipe that is closed and a limit of the size of files are errors of the write, which have a
/// message. Bytes stay as they are, and text is UTF-8.
void prepare_standard_streams();

/// The words behind the name of the program, in UTF-8.
std::vector<std::string> arguments(int argc, char** argv);

/// Whether the standard output is a pipe whose reader has ended.
bool has_reader_ended();

/// Ends the program as others end when the reader of their output has ended.
void end_by_closed_pipe();

}  // namespace octavo::cli
