#include "engine/retrieval/descriptor_count.h"

#include <string>

#include "octavo/error.h"
#include "octavo/retrieval.h"

namespace octavo {

std::size_t descriptor_count(std::span<const std::uint8_t> descriptors) {
  if (descriptors.size() % descriptor_length != 0) {
    throw Error(ErrorCode::invalid_argument,
                "the descriptors have " + std::to_string(descriptors.size()) + " bytes, which is no multiple of 128");
  }
  return descriptors.size() / descriptor_length;
}

void require_word_count(std::size_t count) {
  if (count == 0 || count > CodeModel::centre_count) {
    throw Error(ErrorCode::invalid_argument,
                std::to_string(count) + " words are asked for, but the number must be from 1 to 256");
  }
}

}  // namespace octavo
