// What the kernel and its host agree on. Included inside a namespace by both.

#pragma once

/// Threads of a work-group; each looks at one pixel of a row.
enum { peaks_threads = 256 };

/// A peak on a GPU's list. The list begins with the number of peaks, in the place of one.
typedef struct Peak {
  int row, column;
  float strength;
  int unused;  ///< 16 bytes: an even number of floats
} Peak;
