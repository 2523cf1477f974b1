// Files of vocabularies. The errors for damaged ones are tested beside decode_vocabulary.

#include "io/features/vocabulary_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/core/test_folder.h"
#include "io/files/output_file.h"
#include "octavo/error.h"

namespace octavo {
namespace {

TEST(VocabularyFiles, AreReadAsTheyWereWritten) {
  const TestFolder folder;
  const std::filesystem::path file = folder / "nines.vocabulary";
  const Vocabulary vocabulary(std::vector<std::uint8_t>(2 * descriptor_length, 9), "nines");
  write_vocabulary(file, vocabulary);
  EXPECT_EQ(read_vocabulary(file), vocabulary);
}

TEST(VocabularyFiles, ErrorsNameTheFile) {
  const TestFolder folder;
  const std::filesystem::path file = folder / "none.vocabulary";
  const auto message = [&] {
    try {
      read_vocabulary(file);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::file_error);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(), "cannot read '" + file.string() + "': no such file");
  write_file(file, "words, words, words");
  EXPECT_EQ(message(), "cannot read '" + file.string() + "': it is not a vocabulary of Octavo");
}

}  // namespace
}  // namespace octavo
