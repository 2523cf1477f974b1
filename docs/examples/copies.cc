// What two videos share: each segment with its times in both. Usage: copies CLIP OTHER

#include <cstdio>

#include "octavo/error.h"
#include "octavo/video/copy_segment.h"

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  const octavo::ClipComparison comparison = octavo::compare_clips(argv[1], argv[2]);
  for (const octavo::CopySegment& segment : comparison.segments) {
    std::printf("%.2f to %.2f s is %.2f to %.2f s of the other clip, score %.0f\n", segment.query_in, segment.query_out,
                segment.other_in, segment.other_out, segment.score);
  }
  return comparison.segments.empty() ? 1 : 0;
} catch (const octavo::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
