// The words of GPU kernels: Octavo's arithmetic (as scalar_words.h) and what CUDA C++ and OpenCL C spell differently.
// The one place where a kernel's language shows. Each word of arithmetic is one correctly rounded operation: nvcc is
// told --fmad=false, OpenCL that it may not contract. SHARED marks an array that a group shares, SHARED_POINTER a
// pointer into one.

#if defined(__OPENCL_VERSION__)

#pragma OPENCL FP_CONTRACT OFF

#define OCTAVO_INLINE static inline
#define OCTAVO_CONSTANT __constant
#define OCTAVO_UNROLL  // PoCL needs minutes for a loop with barriers
#define constant constant_real  // else a keyword, as __constant is
#define KERNEL __kernel
#define THREADS(n) __attribute__((reqd_work_group_size(n, 1, 1)))
#define THREADS_AND_GROUPS(n, groups) THREADS(n)  // how many groups a multiprocessor should have room for
#define GLOBAL __global
#define SHARED __local
#define SHARED_POINTER __local

typedef float real;
typedef int integer;
typedef bool truth;
typedef unsigned char octet;
typedef unsigned int word;
typedef long wide;
typedef float4 real4;

#define thread_x ((int)get_local_id(0))
#define group_x ((int)get_group_id(0))
#define group_y ((int)get_group_id(1))
#define groups_x ((int)get_num_groups(0))
#define groups_y ((int)get_num_groups(1))

#define await_previous_kernel()
#define barrier_of_group() barrier(CLK_LOCAL_MEM_FENCE)  // no function: PoCL wants to see barriers in the kernel
OCTAVO_INLINE real fused(real a, real b, real c) { return fma(a, b, c); }
OCTAVO_INLINE real square_root(real x) { return sqrt(x); }
OCTAVO_INLINE real absolute(real x) { return fabs(x); }
OCTAVO_INLINE const GLOBAL real* computed_once(const GLOBAL real* at) { return at; }
OCTAVO_INLINE real round_down(real x) { return floor(x); }
OCTAVO_INLINE integer bits_of_real(real x) { return as_int(x); }
OCTAVO_INLINE real to_real(integer x) { return convert_float_rte(x); }
OCTAVO_INLINE real wide_to_real(wide x) { return convert_float_rte(x); }
OCTAVO_INLINE real power_of_two(integer n) { return as_float((n + 127) << 23); }
OCTAVO_INLINE real bits_to_real(word x) { return as_float(x); }
OCTAVO_INLINE word add_global(volatile GLOBAL word* at, word x) { return atomic_add(at, x); }
OCTAVO_INLINE word or_global(volatile GLOBAL word* at, word x) { return atomic_or(at, x); }
OCTAVO_INLINE word raise_global(volatile GLOBAL word* at, word x) { return atomic_max(at, x); }
OCTAVO_INLINE word add_shared(volatile SHARED_POINTER word* at, word x) { return atomic_add(at, x); }
OCTAVO_INLINE real4 load4_shared(const SHARED_POINTER real* at) { return *(const SHARED_POINTER real4*)at; }
OCTAVO_INLINE real4 load4_global(const GLOBAL real* at) { return *(const GLOBAL real4*)at; }
OCTAVO_INLINE void store4_global(GLOBAL real* at, real4 x) { *(GLOBAL real4*)at = x; }
OCTAVO_INLINE void store8_global(GLOBAL real* at, integer stride, truth here, truth there, real4 low, real4 high) {
  if (!here) return;
  store4_global(at, low);
  store4_global(at + 4, high);
}

#else

#define OCTAVO_INLINE static __device__ __forceinline__
#define OCTAVO_CONSTANT static constexpr
#define OCTAVO_UNROLL _Pragma("unroll")
#define KERNEL extern "C" __global__
#define THREADS(n) __launch_bounds__(n)
#define THREADS_AND_GROUPS(n, groups) __launch_bounds__(n, groups)
#define GLOBAL
#define SHARED __shared__
#define SHARED_POINTER

typedef float real;
typedef int integer;
typedef bool truth;
typedef unsigned char octet;
typedef unsigned int word;
typedef long long wide;
typedef float4 real4;

#define thread_x ((int)threadIdx.x)
#define group_x ((int)blockIdx.x)
#define group_y ((int)blockIdx.y)
#define groups_x ((int)gridDim.x)
#define groups_y ((int)gridDim.y)

// The first statement of every kernel: lets the launch after this one in, if that is `early` (gpu.h), and, if this one
// is, waits until the launch before is done. No pointer may promise __restrict__: what it points to is not constant
// until then.
OCTAVO_INLINE void await_previous_kernel() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
OCTAVO_INLINE void barrier_of_group() { __syncthreads(); }
OCTAVO_INLINE real fused(real a, real b, real c) { return __fmaf_rn(a, b, c); }
OCTAVO_INLINE real square_root(real x) { return __fsqrt_rn(x); }
OCTAVO_INLINE real absolute(real x) { return fabsf(x); }
// An address that stays in registers: the compiler would make it up again, of its parts, wherever it is used.
OCTAVO_INLINE const real* computed_once(const real* at) {
  asm("" : "+l"(at));
  __builtin_assume(__isGlobal(at));
  return at;
}
OCTAVO_INLINE real round_down(real x) { return floorf(x); }
OCTAVO_INLINE integer bits_of_real(real x) { return __float_as_int(x); }
OCTAVO_INLINE real to_real(integer x) { return __int2float_rn(x); }
OCTAVO_INLINE real wide_to_real(wide x) { return __ll2float_rn(x); }
OCTAVO_INLINE real power_of_two(integer n) { return __int_as_float((n + 127) << 23); }
OCTAVO_INLINE real bits_to_real(word x) { return __uint_as_float(x); }
OCTAVO_INLINE word add_global(word* at, word x) { return atomicAdd(at, x); }
OCTAVO_INLINE word or_global(word* at, word x) { return atomicOr(at, x); }
OCTAVO_INLINE word raise_global(word* at, word x) { return atomicMax(at, x); }
OCTAVO_INLINE word add_shared(word* at, word x) { return atomicAdd(at, x); }
OCTAVO_INLINE real4 load4_shared(const real* at) { return *(const real4*)at; }
OCTAVO_INLINE real4 load4_global(const real* at) { return *(const real4*)at; }
OCTAVO_INLINE void store4_global(real* at, real4 x) { *(real4*)at = x; }
OCTAVO_INLINE real4 swapped_with_neighbour(real4 x) {
  return make_float4(__shfl_xor_sync(~0u, x.x, 1), __shfl_xor_sync(~0u, x.y, 1), __shfl_xor_sync(~0u, x.z, 1),
                     __shfl_xor_sync(~0u, x.w, 1));
}
// Two neighbours write 32 bytes of one row, then of the other: the cache takes whole sectors.
OCTAVO_INLINE void store8_global(real* at, integer stride, truth here, truth there, real4 low, real4 high) {
  const bool odd = (threadIdx.x & 1) != 0;
  const real4 other = swapped_with_neighbour(odd ? low : high);
  real* even_row = odd ? at - stride + 4 : at;
  real* odd_row = odd ? at + 4 : at + stride;
  if (odd ? there : here) store4_global(even_row, odd ? other : low);
  if (odd ? here : there) store4_global(odd_row, odd ? high : other);
}

#endif

// store8_global writes eight floats in a row. All threads of a group call it; an even thread and the next write to the
// same place of two rows, `stride` floats apart; what a thread has to write counts if `here`, its neighbour's if
// `there`.

OCTAVO_INLINE real constant(real x) { return x; }
OCTAVO_INLINE integer whole(integer x) { return x; }
OCTAVO_INLINE real minimum(real a, real b) { return a < b ? a : b; }
OCTAVO_INLINE real maximum(real a, real b) { return a < b ? b : a; }
OCTAVO_INLINE real negative(real x) { return -x; }
OCTAVO_INLINE truth less(real a, real b) { return a < b; }
OCTAVO_INLINE truth same(integer a, integer b) { return a == b; }
OCTAVO_INLINE truth both(truth a, truth b) { return a && b; }
OCTAVO_INLINE real choose(truth t, real yes, real no) { return t ? yes : no; }
// Ties to even; |x| ≤ 2^22. An addition that leaves no bits behind the point: conversions are slow on GPUs.
OCTAVO_INLINE integer nearest(real x) { return bits_of_real(x + 12582912.0f) - 0x4b400000; }
// A byte; exact, and no conversion either.
OCTAVO_INLINE real octet_to_real(octet x) { return bits_to_real(0x4b000000 | (word)x) - 8388608.0f; }
OCTAVO_INLINE integer plus(integer a, integer b) { return a + b; }
OCTAVO_INLINE integer minus(integer a, integer b) { return a - b; }
OCTAVO_INLINE integer bit_and(integer a, integer b) { return a & b; }
OCTAVO_INLINE integer shift_left(integer a, integer bits) { return (integer)((word)a << bits); }
OCTAVO_INLINE integer shift_right(integer a, integer bits) { return a >> bits; }
OCTAVO_INLINE integer larger(integer a, integer b) { return a < b ? b : a; }
OCTAVO_INLINE integer choose_whole(truth t, integer yes, integer no) { return t ? yes : no; }
OCTAVO_INLINE real real_of_bits(integer x) { return bits_to_real((word)x); }
OCTAVO_INLINE real4 four_of(real x, real y, real z, real w) {
  real4 four;
  four.x = x;
  four.y = y;
  four.z = z;
  four.w = w;
  return four;
}
