#pragma once

// "-" as the name of a file on the command line: the standard input where a file is read, the standard output where
// one is written. A file that is called "-" is named as "./-".

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/image_view.h"

namespace octavo {
struct StandardInput;  // octavo/jobs/image_jobs.h
}  // namespace octavo

namespace octavo::cli {

/// Whether a name stands for a standard stream.
inline bool is_standard_stream(const std::filesystem::path& name) { return name == "-"; }

/// All bytes of the standard input. Throws Error(file_error), which gives the reason: it is a terminal, or it cannot be
/// read. Throws Error(out_of_memory).
std::vector<std::byte> read_standard_input();

/// The standard input for jobs.
StandardInput standard_input();

/// Throws WrongCall if more than one of the names is "-": the standard input holds one file.
void require_one_standard_input(std::span<const std::string> names);
inline void require_one_standard_input(std::initializer_list<std::string> names) {
  require_one_standard_input(std::span(names.begin(), names.size()));
}

/// Throws the WrongCall of a call that cannot write its one file to the standard output; `reason` follows
/// "so": "it takes one image".
[[noreturn]] void refuse_standard_output(const std::string& reason);

/// Throws Error(file_error) if the standard output is a terminal, which bytes that are no text would disturb.
void require_no_terminal_for_bytes();

/// The sentence about an output that failed with this error of the system. Where its reader has ended, as in `| head`,
/// the program ends here, quietly and by SIGPIPE, as others do; by then what goes to files is written.
std::string complaint_of_output(int error);

/// Ends the program in the same way if the standard output is a pipe whose reader has ended.
void end_if_reader_has_ended();

/// Writes the bytes of a file to the standard output. Throws Error(file_error).
void write_standard_output(std::span<const std::byte> bytes);

/// The standard output for a list of results. Each text is printed whole, and at once. Where that fails nothing more is
/// printed.
class ListOutput {
 public:
  /// The texts are parts of JSON, or all of them are for people.
  explicit ListOutput(bool is_json = false) : is_json_(is_json) {}
  void print(std::string_view text);
  [[nodiscard]] bool is_broken() const { return error_ != 0; }
  /// Throws Error(file_error) if something could not be printed.
  void require_whole() const;

 private:
  bool is_json_;   ///< and not yet warned of
  int error_ = 0;  ///< of the system
};

/// Prints a whole result: JSON, or text for people. JSON cannot hold names that are not UTF-8, so that two may look the
/// same: a sentence on the error stream says so. Throws Error(file_error).
void print_whole(std::string_view text, bool is_json = false);

/// Throws, before the work, what write_output_image would throw for this name: for "-" if the standard output is a
/// terminal, otherwise as octavo::require_writable_images.
void require_writable_image(const std::string& name, bool in_colour);

/// Writes an image to the file of this name, as octavo::write_image does, or as PNG to the standard output for "-".
/// Throws Error(file_error).
void write_output_image(const std::string& name, const ImageView& image);

}  // namespace octavo::cli
