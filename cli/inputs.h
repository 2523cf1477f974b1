#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace octavo::cli {

/// A picture that the command line names.
struct Input {
  std::filesystem::path file;
  /// What its results are called: the path below the folder that was named, otherwise the file name.
  std::filesystem::path name;
};

/// The pictures that the command line names, each once, and a sentence for every argument that names none.
struct Inputs {
  std::vector<Input> pictures;
  std::vector<std::string> problems;
};

/// Folders give the pictures in them, sorted by name (and those in folders below if `recursive`); patterns (*, ?, [])
/// that are not themselves a file give what they match, sorted; anything else is taken for the file it names.
Inputs find_inputs(std::span<const std::string> arguments, bool recursive);

/// Two inputs of the same name, whose results would overwrite each other; throws CLI::ValidationError naming both.
void require_distinct_names(std::span<const Input> pictures);

}  // namespace octavo::cli
