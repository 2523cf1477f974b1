// The sizes that the kernels of video and their host code share. Plain C, as both languages need.

#pragma once

enum {
  scale_threads = 128  // of a work-group, along a row of the image
};
