// The vocabulary that Octavo brings: the file general.vocabulary, which bench/retrieval/train_vocabulary.cc wrote.
// docs/retrieval.md has the command.

#include <span>

#include "octavo/retrieval.h"

namespace octavo {

extern const std::span<const unsigned char> general_vocabulary_bytes;  // EmbedBytes.cmake defines it

const Vocabulary& general_vocabulary() {
  static const Vocabulary vocabulary =
      decode_vocabulary(std::as_bytes(general_vocabulary_bytes), "the general vocabulary");
  return vocabulary;
}

}  // namespace octavo
