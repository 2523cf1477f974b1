// The primitives of GPU kernels: the operations of Octavo's arithmetic (scalar_primitives.h), and one name each for
// what CUDA C++ and OpenCL C spell differently. The one place where a kernel's language shows. Each operation of the
// arithmetic is correctly rounded: nvcc gets --fmad=false, OpenCL may not contract.
//
// Kernels use the types float, int, uint, ushort, uchar, int64_t, bool and float4, and OpenCL's terms:
//   KERNEL WORK_GROUP_SIZE(n)        a kernel whose work-groups have n threads, work-items of OpenCL, along x
//   KERNEL LAUNCH_BOUNDS(n, groups)  the same; a multiprocessor shall have registers for so many groups
//   GLOBAL                           a pointer to global memory
//   LOCAL                            an array in the local memory of a work-group (CUDA: shared memory)
//   LOCAL_PTR                        a pointer to local memory
//   local_id_x                       the thread's number in its group
//   group_id_x, _y, _z               the group's place in the grid of num_groups_x, num_groups_y… groups
//   group_row                        the group's row in GpuGrid::of_rows (gpu_grid.h); a few may lie beyond the last
//   num_group_rows                   the number of these rows, with those beyond the last
//   local_barrier()                  all threads of a group wait for each other and see each other's local memory
//   atomic_add_global(at, x)         returns what was there before; likewise …or, …max, and …_local
//   load4_…, store4_…                four floats at an address that is a multiple of 16
//   await_previous_kernel()          see below

#if defined(__OPENCL_VERSION__)

#pragma OPENCL FP_CONTRACT OFF

#define OCTAVO_INLINE static inline
#define OCTAVO_CONSTANT __constant
#define OCTAVO_UNROLL  // PoCL needs minutes for a loop with barriers
#define KERNEL __kernel
#define WORK_GROUP_SIZE(n) __attribute__((reqd_work_group_size(n, 1, 1)))
#define LAUNCH_BOUNDS(n, groups) WORK_GROUP_SIZE(n)  // how many groups a multiprocessor should have room for
#define GLOBAL __global
#define LOCAL __local
#define LOCAL_PTR __local

typedef long int64_t;

#define local_id_x ((int)get_local_id(0))
#define group_id_x ((int)get_group_id(0))
#define group_id_y ((int)get_group_id(1))
#define group_id_z ((int)get_group_id(2))
#define num_groups_x ((int)get_num_groups(0))
#define num_groups_y ((int)get_num_groups(1))
#define num_groups_z ((int)get_num_groups(2))

#define await_previous_kernel()
#define local_barrier() barrier(CLK_LOCAL_MEM_FENCE)  // no function: PoCL wants to see barriers in the kernel
OCTAVO_INLINE const GLOBAL float* computed_once(const GLOBAL float* at) { return at; }
OCTAVO_INLINE int float_bits_to_int(float x) { return as_int(x); }
OCTAVO_INLINE float to_float(int x) { return convert_float_rte(x); }
OCTAVO_INLINE int round_any_to_int(float x) { return convert_int_rte(x); }
OCTAVO_INLINE float int64_to_float(int64_t x) { return convert_float_rte(x); }
OCTAVO_INLINE float exp2_int(int n) { return as_float((n + 127) << 23); }
OCTAVO_INLINE float quotient_of_sizes(float a, float b) { return a / b; }
OCTAVO_INLINE float root_of_square(float x) { return sqrt(x); }
OCTAVO_INLINE float uint_bits_to_float(uint x) { return as_float(x); }
OCTAVO_INLINE uint count_of_bits(uint x) { return popcount(x); }
OCTAVO_INLINE uint lowest_bit(uint x) { return 31 - clz(x & (0 - x)); }
OCTAVO_INLINE uint atomic_add_global(volatile GLOBAL uint* at, uint x) { return atomic_add(at, x); }
OCTAVO_INLINE uint atomic_or_global(volatile GLOBAL uint* at, uint x) { return atomic_or(at, x); }
OCTAVO_INLINE uint atomic_max_global(volatile GLOBAL uint* at, uint x) { return atomic_max(at, x); }
OCTAVO_INLINE uint atomic_add_local(volatile LOCAL_PTR uint* at, uint x) { return atomic_add(at, x); }
OCTAVO_INLINE float4 make_float4(float x, float y, float z, float w) { return (float4)(x, y, z, w); }
OCTAVO_INLINE float4 load4_local(const LOCAL_PTR float* at) { return *(const LOCAL_PTR float4*)at; }
OCTAVO_INLINE float4 load4_global(const GLOBAL float* at) { return *(const GLOBAL float4*)at; }
OCTAVO_INLINE void store4_global(GLOBAL float* at, float4 x) { *(GLOBAL float4*)at = x; }
OCTAVO_INLINE void store8_global(GLOBAL float* at, int stride, bool here, bool there, float4 low, float4 high) {
  if (!here) return;
  store4_global(at, low);
  store4_global(at + 4, high);
}

#else

#include <cstdint>

#define OCTAVO_INLINE static __device__ __forceinline__
#define OCTAVO_CONSTANT static constexpr
#define OCTAVO_UNROLL _Pragma("unroll")
#define KERNEL extern "C" __global__
#define WORK_GROUP_SIZE(n) __launch_bounds__(n)
// The threads that a multiprocessor has room for. ptxas warns of bounds that ask for more, and does not follow them.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
#define MULTIPROCESSOR_THREADS 1024
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200)
#define MULTIPROCESSOR_THREADS 1536
#else
#define MULTIPROCESSOR_THREADS 2048
#endif
#define LAUNCH_BOUNDS(n, groups) __launch_bounds__(n, (n) * (groups) <= MULTIPROCESSOR_THREADS ? (groups) : 0)
#define GLOBAL
#define LOCAL __shared__
#define LOCAL_PTR

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;

#define local_id_x ((int)threadIdx.x)
#define group_id_x ((int)blockIdx.x)
#define group_id_y ((int)blockIdx.y)
#define group_id_z ((int)blockIdx.z)
#define num_groups_x ((int)gridDim.x)
#define num_groups_y ((int)gridDim.y)
#define num_groups_z ((int)gridDim.z)

// The first statement of every kernel: lets the launch after this one in, if that is `early` (gpu.h), and, if this one
// is, waits until the launch before is done. No pointer may promise __restrict__: what it points to is not constant
// until then.
OCTAVO_INLINE void await_previous_kernel() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
OCTAVO_INLINE void local_barrier() { __syncthreads(); }
// An address that stays in registers: the compiler would make it up again, of its parts, wherever it is used.
OCTAVO_INLINE const float* computed_once(const float* at) {
  asm("" : "+l"(at));
  __builtin_assume(__isGlobal(at));
  return at;
}
OCTAVO_INLINE int float_bits_to_int(float x) { return __float_as_int(x); }
OCTAVO_INLINE float to_float(int x) { return __int2float_rn(x); }
OCTAVO_INLINE int round_any_to_int(float x) { return __float2int_rn(x); }
OCTAVO_INLINE float int64_to_float(int64_t x) { return __ll2float_rn(x); }
OCTAVO_INLINE float exp2_int(int n) { return __int_as_float((n + 127) << 23); }
// a/b for 0 ≤ a ≤ b: rounded as the division is if 2^−60 ≤ b ≤ 2^60 and a ≥ b·2^−40, otherwise only about as large. The
// compiler's division takes the same steps, but also a branch for all other numbers, behind which nothing can overlap.
OCTAVO_INLINE float quotient_of_sizes(float a, float b) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
  r = fmaf(r, fmaf(-b, r, 1.0f), r);
  float q = a * r;
  q = fmaf(r, fmaf(-b, q, a), q);
  return fmaf(r, fmaf(-b, q, a), q);
}
// √x for 2^−100 ≤ x ≤ 2^100, as the root is rounded, without its branch. Below: about that of 2^−100.
OCTAVO_INLINE float root_of_square(float x) {
  const float bounded = x < 7.8886e-31f ? 7.8886e-31f : x;
  float r;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(bounded));
  const float y = bounded * r;
  return fmaf(fmaf(-y, y, bounded), r * 0.5f, y);
}
OCTAVO_INLINE float uint_bits_to_float(uint x) { return __uint_as_float(x); }
OCTAVO_INLINE uint count_of_bits(uint x) { return (uint)__popc(x); }
OCTAVO_INLINE uint lowest_bit(uint x) { return (uint)(31 - __clz((int)(x & (0 - x)))); }  // x is not 0
OCTAVO_INLINE uint atomic_add_global(uint* at, uint x) { return atomicAdd(at, x); }
OCTAVO_INLINE uint atomic_or_global(uint* at, uint x) { return atomicOr(at, x); }
OCTAVO_INLINE uint atomic_max_global(uint* at, uint x) { return atomicMax(at, x); }
OCTAVO_INLINE uint atomic_add_local(uint* at, uint x) { return atomicAdd(at, x); }
OCTAVO_INLINE float4 load4_local(const float* at) { return *(const float4*)at; }
OCTAVO_INLINE float4 load4_global(const float* at) { return *(const float4*)at; }
OCTAVO_INLINE void store4_global(float* at, float4 x) { *(float4*)at = x; }
OCTAVO_INLINE float4 swapped_with_neighbour(float4 x) {
  return make_float4(__shfl_xor_sync(~0u, x.x, 1), __shfl_xor_sync(~0u, x.y, 1), __shfl_xor_sync(~0u, x.z, 1),
                     __shfl_xor_sync(~0u, x.w, 1));
}
// Two neighbours write 32 bytes of one row, then of the other: the cache takes whole sectors.
OCTAVO_INLINE void store8_global(float* at, int stride, bool here, bool there, float4 low, float4 high) {
  const bool odd = (threadIdx.x & 1) != 0;
  const float4 other = swapped_with_neighbour(odd ? low : high);
  float* even_row = odd ? at - stride + 4 : at;
  float* odd_row = odd ? at + 4 : at + stride;
  if (odd ? there : here) store4_global(even_row, odd ? other : low);
  if (odd ? here : there) store4_global(odd_row, odd ? high : other);
}

#endif

// The value types of the arithmetic that hosts and kernels share. fma, sqrt, fabs and floor are built in.
typedef float float_v;
typedef int int_v;
typedef bool mask_v;

#define group_row (group_id_z * num_groups_y + group_id_y)
#define num_group_rows (num_groups_z * num_groups_y)

// store8_global writes eight floats in a row. All threads of a group call it; an even thread and the next write to the
// same place of two rows, `stride` floats apart; what a thread has to write counts if `here`, its neighbour's if
// `there`.

OCTAVO_INLINE float splat(float x) { return x; }
OCTAVO_INLINE int splat_int(int x) { return x; }
OCTAVO_INLINE float minimum(float a, float b) { return a < b ? a : b; }
OCTAVO_INLINE float maximum(float a, float b) { return a < b ? b : a; }
OCTAVO_INLINE float fma_of_whole(float a, float b, float c) { return fma(a, b, c); }
OCTAVO_INLINE float negate(float x) { return -x; }
OCTAVO_INLINE bool less_than(float a, float b) { return a < b; }
OCTAVO_INLINE bool equal(int a, int b) { return a == b; }
OCTAVO_INLINE bool logical_and(bool a, bool b) { return a && b; }
OCTAVO_INLINE float if_then_else(bool t, float yes, float no) { return t ? yes : no; }
// Ties to even; |x| ≤ 2^22. An addition that leaves no bits behind the point: conversions are slow on GPUs.
OCTAVO_INLINE int round_to_int(float x) { return float_bits_to_int(x + 12582912.0f) - 0x4b400000; }
OCTAVO_INLINE float round_to_float(float x) { return x + 12582912.0f - 12582912.0f; }  // the same as a float
// A byte; exact, and no conversion either.
OCTAVO_INLINE float uchar_to_float(uchar x) { return uint_bits_to_float(0x4b000000 | (uint)x) - 8388608.0f; }
OCTAVO_INLINE int add(int a, int b) { return a + b; }
OCTAVO_INLINE int subtract(int a, int b) { return a - b; }
OCTAVO_INLINE int bit_and(int a, int b) { return a & b; }
OCTAVO_INLINE int shift_left(int a, int bits) { return (int)((uint)a << bits); }
OCTAVO_INLINE int shift_right(int a, int bits) { return a >> bits; }
OCTAVO_INLINE int max_int(int a, int b) { return a < b ? b : a; }
OCTAVO_INLINE int if_then_else_int(bool t, int yes, int no) { return t ? yes : no; }
OCTAVO_INLINE float int_bits_to_float(int x) { return uint_bits_to_float((uint)x); }

#include "engine/maths/polynomials.h"
