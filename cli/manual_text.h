#pragma once

// The manuals are texts: cli/manuals/NAME.txt, "video search" in video-search.txt. The first line is the summary, below
// it stands the description. Below a line [options] are the options that the command does not take from a table, as in
//
//   Output options:
//   -o,--output DIR
//       Write a file for each image to this folder.
//
// with the heading where it is another one than Options. What a manual does not say of an option, that of the command
// above it says, and at last octavo.txt. Below a line [footer] is what ends the manual. A section that several manuals
// have is a text of its own, and stands in them as a line with its name, such as [metrics].

#include <map>
#include <string>
#include <string_view>

namespace octavo::cli {

/// What a manual says of an option.
struct OptionText {
  std::string value;  ///< the name of the value, such as "DIR"; may be empty
  std::string group;  ///< the heading
  std::string sentence;
};

/// A manual in its parts.
struct ManualText {
  std::string description;
  std::map<std::string, OptionText, std::less<>> options;  ///< by names, such as "-o,--output" and "IMAGE"
  std::string footer;
};

ManualText parse_manual(std::string_view text);

}  // namespace octavo::cli
