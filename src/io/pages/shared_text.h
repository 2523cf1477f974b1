#pragma once

// Pages are given to others. What they name is told by its path below a folder, and not by the folders above that,
// which say where and for whom it lies.

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"

namespace OCTAVO_INTERNAL_API octavo {

/// How a text writes a path: in HTML and JSON some characters have another form.
using Escape = std::function<std::string(const std::string& path)>;

/// The text with shorter paths. A path that begins with one of the `places` loses the folders above that place. With
/// the place "/home/me/a", "/home/me/a/b.jpg" becomes "a/b.jpg", and "/home/me/a" becomes "a". The places are paths as
/// the user gives them. A relative place has no effect.
std::string without_folders(std::string text, std::span<const std::string> places,
                            const Escape& escape = std::identity());

/// The same of a text of JSON.
std::string json_without_folders(std::string json, std::span<const std::string> places);

/// Whether a folder that is not the root holds all of these files. Relative paths do not count.
bool lie_in_a_folder(std::vector<std::filesystem::path> files);

/// The places with which paths of these files begin below the deepest folder that holds all of them. Where no folder
/// but the root does, names of files stand for their paths. Relative paths stay as they are.
std::vector<std::string> places_below_all(std::vector<std::filesystem::path> files);

}  // namespace octavo
