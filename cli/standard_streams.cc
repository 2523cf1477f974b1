// The standard streams as files. Only the program knows "-": a file of that name is a file for the library.

#include "cli/standard_streams.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <new>
#include <system_error>

#include "cli/complaint.h"
#include "cli/system.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "octavo/jobs/image_jobs.h"
#include "octavo/video/video.h"

namespace octavo::cli {
namespace {

// Returns 0, or the error of the system.
int print(std::span<const std::byte> bytes) {
  const bool done = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && std::fflush(stdout) == 0;
  return done ? 0 : errno;
}

// Warns of names in JSON that are not whole. Returns whether there are some.
bool warn_of_replaced_bytes(std::string_view json) {
  constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD
  if (json.find(replacement) == std::string_view::npos) return false;
  complain("in the JSON U+FFFD stands for bytes that are not UTF-8, so that two names may look the same");
  return true;
}

[[noreturn]] void refuse_to_read(const std::string& why) {
  throw Error(ErrorCode::file_error, "cannot read the standard input: " + why);
}

void require_no_terminal_as_input() {
  if (is_terminal(stdin)) refuse_to_read("it is a terminal, give it a file with '<' or a pipe");
}

Video open_standard_input(const VideoOptions& options) {
  require_no_terminal_as_input();
  return Video(STDIN_FILENO, "standard input", options);
}

}  // namespace

std::string complaint_of_output(int error) {
  if (error == EPIPE) end_by_closed_pipe();
  return "cannot write to the standard output: " + std::generic_category().message(error);
}

std::vector<std::byte> read_standard_input() {
  require_no_terminal_as_input();
  std::vector<std::byte> bytes;
  std::array<std::byte, 1 << 16> part;
  try {
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), stdin)) {
      bytes.insert(bytes.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(count));
    }
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory,
                "cannot read the standard input: not enough memory after " + std::to_string(bytes.size()) + " bytes");
  }
  if (std::ferror(stdin) != 0) refuse_to_read(std::generic_category().message(errno));
  return bytes;
}

StandardInput standard_input() { return {.image = read_standard_input, .video = open_standard_input}; }

void end_if_reader_has_ended() {
  if (has_reader_ended()) complaint_of_output(EPIPE);
}

void require_one_standard_input(std::span<const std::string> names) {
  const auto is_input = [](const std::string& name) { return is_standard_stream(name); };
  if (std::count_if(names.begin(), names.end(), is_input) < 2) return;
  throw WrongCall("-: the standard input holds one file, but it is named more than once");
}

void refuse_standard_output(const std::string& reason) {
  throw WrongCall("--output -", "this writes one file to the standard output, so " + reason);
}

void require_no_terminal_for_bytes() {
  if (!is_terminal(stdout)) return;
  throw Error(ErrorCode::file_error,
              "cannot write to the standard output: it is a terminal, send it to a file with '>' or to a pipe");
}

void write_standard_output(std::span<const std::byte> bytes) {
  if (const int error = print(bytes)) throw Error(ErrorCode::file_error, complaint_of_output(error));
}

void ListOutput::print(std::string_view text) {
  if (is_json_ && warn_of_replaced_bytes(text)) is_json_ = false;
  if (!is_broken()) error_ = cli::print(std::as_bytes(std::span(text)));
}

void ListOutput::require_whole() const {
  if (is_broken()) throw Error(ErrorCode::file_error, complaint_of_output(error_));
}

void print_whole(std::string_view text, bool is_json) {
  write_standard_output(std::as_bytes(std::span(text)));
  if (is_json) warn_of_replaced_bytes(text);
}

void require_writable_image(const std::string& name, bool in_colour) {
  if (is_standard_stream(name)) return require_no_terminal_for_bytes();
  require_writable_images(std::array<std::filesystem::path, 1>{name}, in_colour);
}

void write_output_image(const std::string& name, const ImageView& image) {
  if (!is_standard_stream(name)) return write_image(name, image);
  write_standard_output(encode_image("standard output.png", image));
}

}  // namespace octavo::cli
