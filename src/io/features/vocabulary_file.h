#pragma once

#include <filesystem>

#include "engine/core/internal_api.h"
#include "octavo/retrieval.h"

namespace OCTAVO_INTERNAL_API octavo {

/// Reads a vocabulary's file. Throws Error(file_error), which names the file and what is wrong with it (see
/// decode_vocabulary), and Error(out_of_memory).
Vocabulary read_vocabulary(const std::filesystem::path& file);

/// Writes a vocabulary's file, whole or not at all. Throws Error(file_error) as write_file does.
void write_vocabulary(const std::filesystem::path& file, const Vocabulary& vocabulary);

}  // namespace octavo
