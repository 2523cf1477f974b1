#pragma once

// What tests of damaged files share: files are damaged in ways that often break decoders, the same in every run, and
// read. Each must be decoded or be an error that names it. The tests need no fuzzing engine: some thousand files are
// read in a release build, and with sanitizers as many as OCTAVO_FUZZ_SECONDS allows. A failure prints the seed of its
// file. OCTAVO_FUZZ_SEED=N begins with the file of that seed, OCTAVO_FUZZ_FILES=N reads N files: so other files are
// searched.

#include <gtest/gtest.h>

#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "octavo/error.h"

namespace octavo {

std::string text_of(const std::filesystem::path& file);

/// Whether `decode` succeeds on the file of this name; anything but success or an Error that names it fails the test.
template <typename Decode>
bool decodes(const std::string& name, const Decode& decode) {
  try {
    decode();
    return true;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << name << " threw something else than an octavo::Error: " << error.what();
  }
  return false;
}

/// A file as it was written, which the mutations begin with.
struct Original {
  std::string name, bytes;
};

/// How many damaged files were read and how many were errors.
struct Count {
  int whole = 0, errors = 0;
};

/// Fails the test unless some of the files were read and many were errors. How many files there are depends on the
/// time.
void expect_both(const Count& count);

/// Damages the originals in turn, and reads what that gives: `rounds` times each, or for OCTAVO_FUZZ_SECONDS.
/// `read` gets the bytes and their name, and returns whether they were decoded.
Count read_damaged(const std::vector<Original>& originals, std::size_t rounds,
                   const std::function<bool(const std::string& bytes, const std::string& name)>& read);

}  // namespace octavo
