// The CUDA twin of sift_kernels.cl.h: beside everything from there, a kernel that makes the whole pyramid and its extrema
// in one launch. Groups take tiles in the order of pyramid_tasks.h, as they come free; a tile waits for the rows it
// reads. Whoever has taken a tile is running, so the first tile that is not done never waits, and all get done however
// many groups there are.

#include "sift/sift_kernels.cl.h"
// After the words.
#include "scale_space/pixel_maths.h"
#include "scale_space/blur_tile.cl.h"
#include "sift/pyramid_task.h"

namespace {

// What another group counted, and with it all that it wrote before.
__device__ __forceinline__ word acquire(const word* at) {
  word value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
  return value;
}

__device__ __forceinline__ void await(const PyramidTask& task, const word* done) {
  const integer counter = task.first_awaited + thread_x;
  if (counter <= task.last_awaited) {
    while (acquire(done + counter) < (word)task.awaited) __nanosleep(20);
  }
  __syncthreads();
}

template <integer radius, bool doubled = false>
__device__ __forceinline__ void blur(const Blur& b, const FewTaps& taps, const PyramidTask& task, real* sums) {
  blur_along_columns(b, taps, radius, doubled, task.tile_x, task.tile_y, sums);
  __syncthreads();
  blur_along_rows(b, taps, radius, task.tile_x, task.tile_y, sums);
}

__device__ __forceinline__ Blur blur_of(const PyramidTask& task, const OctaveLayout* layout, const SiftOfKernel& sift,
                                        real* pyramid, const real* source, integer source_stride) {
  const OctaveLayout& o = layout[task.octave];
  Blur b;
  b.width = o.width;
  b.height = o.height;
  b.stride = o.stride;
  b.out = pyramid + o.first + task.level * o.level_floats;
  b.in = task.level == 0 ? source : b.out - o.level_floats;
  b.in_stride = task.level == 0 ? source_stride : o.stride;
  const bool halves = task.level == 3 && task.octave + 1 < sift.octaves;
  b.halved = halves ? pyramid + layout[task.octave + 1].first : nullptr;
  b.half_stride = halves ? layout[task.octave + 1].stride : 0;
  return b;
}

}  // namespace

// For S = 3 and the radii of the default σ. groups: any number. The tallies, all 0 at first, hold at sift.tasks_at the
// number of tasks taken, and then the counters.
extern "C" __global__ void __launch_bounds__(256, 4)
    pyramid_and_extrema(const real* source, integer source_stride, real* pyramid, const OctaveLayout* layout,
                        const SiftOfKernel sift, const ExtremumLimits limits, const PyramidTaps taps,
                        const octet* mask, word* tallies, Oriented* found, const PyramidTask* tasks,
                        integer task_count) {
  // Sums of a blur; or extrema that wait.
  __shared__ real4 shared[blur_rows * blur_pitch / 4];
  __shared__ integer next[1];
  __shared__ word count[1];
  real* sums = (real*)shared;
  word* waiting = (word*)shared;
  word* taken = tallies + sift.tasks_at;
  word* done = taken + 1;
  if (thread_x == 0) next[0] = (integer)atomicAdd(taken, 1);
  __syncthreads();
  integer number = next[0];
  while (number < task_count) {
    integer upcoming = 0;
    if (thread_x == 0) {
      upcoming = (integer)atomicAdd(taken, 1);  // it is there when the task is done
      count[0] = 0;
    }
    const PyramidTask task = tasks[number];
    await(task, done);
    const Blur b = blur_of(task, layout, sift, pyramid, source, source_stride);
    switch (task.level) {
      case 0:
        if (sift.first_octave < 0) {
          blur<5, true>(b, taps.level[0], task, sums);
        } else {
          blur<7>(b, taps.level[0], task, sums);
        }
        break;
      case 1: blur<5>(b, taps.level[1], task, sums); break;
      case 2: blur<7>(b, taps.level[2], task, sums); break;
      case 3: blur<8>(b, taps.level[3], task, sums); break;
      case 4: blur<10>(b, taps.level[4], task, sums); break;
      case 5: blur<13>(b, taps.level[5], task, sums); break;
      default: {
        const ExtremaTile tile{task.octave, task.tile_x * tile_columns, task.tile_y * tile_rows};
        gather_peaks(tile, pyramid, layout, limits, count, waiting);
        __syncthreads();
        keep_peaks(tile, pyramid, layout, sift, limits, mask, tallies, found, (integer)count[0], waiting);
      }
    }
    __syncthreads();
    if (thread_x == 0) {
      next[0] = upcoming;
      if (task.counter >= 0) {
        __threadfence();
        atomicAdd(done + task.counter, 1);
      }
    }
    __syncthreads();
    number = next[0];
  }
}
