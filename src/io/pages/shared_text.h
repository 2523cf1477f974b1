#pragma once

// Pages are given to others. What they name is told by its path below a folder, and not by the folders above that,
// which say where and for whom it lies.

#include <functional>
#include <span>
#include <string>

#include "engine/core/internal_api.h"

namespace OCTAVO_INTERNAL_API octavo {

/// How a text writes a path: in HTML and JSON some characters have another form.
using Escape = std::function<std::string(const std::string& path)>;

/// The text in which paths begin with the last part of a place that is in them: of "/home/me/a" and "/home/me/a/b.jpg"
/// remain "a" and "a/b.jpg". `places` are those that somebody gave; relative ones change nothing.
std::string without_folders(std::string text, std::span<const std::string> places,
                            const Escape& escape = std::identity());

/// The same of a text of JSON.
std::string json_without_folders(std::string json, std::span<const std::string> places);

}  // namespace octavo
