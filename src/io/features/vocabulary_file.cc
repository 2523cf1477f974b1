// Files of vocabularies. src/engine/retrieval/vocabulary.cc defines their bytes.

#include "io/features/vocabulary_file.h"

#include "io/files/output_file.h"
#include "io/files/read_bytes.h"

namespace octavo {

Vocabulary read_vocabulary(const std::filesystem::path& file) {
  return decode_vocabulary(io::read_bytes(file), file.string());
}

void write_vocabulary(const std::filesystem::path& file, const Vocabulary& vocabulary) {
  write_file(file, encode_vocabulary(vocabulary));
}

}  // namespace octavo
