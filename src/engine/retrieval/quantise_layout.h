// The sizes that the kernels of words, codes and VLADs and their host code share. Plain C, as both languages need.

#pragma once

enum {
  descriptor_numbers = 128,
  code_words32 = 4,  // 32-bit words of a code

  half_numbers = 64,   // of a half of a descriptor
  half_centres = 256,  // centres of halves
  half_words32 = 16,   // 32-bit words of a half of a descriptor

  // The pairs of an upper and a lower centre among which the nearest words are: (a + 1)·(b + 1) ≤ 256.
  most_word_pairs = 1466
};
