#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>

#include "engine/core/internal_api.h"

// What tells contents apart: in archives, in manifests of results, in notes of shards and databases.

namespace OCTAVO_INTERNAL_API octavo {

/// The digest of a file's bytes, all of them: XXH3 of 128 bits in 32 hexadecimal digits. Files that differ anywhere
/// thus have different digests, and reading a file once takes little beside decoding it. Once a stop is
/// requested the result is empty. Throws Error(file_error), which names the file.
std::string content_digest(const std::filesystem::path& file, const std::stop_token& stop = {});

/// The digest of bytes, of the same kind.
std::string content_digest(std::span<const std::byte> bytes);

}  // namespace octavo
