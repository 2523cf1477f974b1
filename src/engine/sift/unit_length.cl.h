// The part of a kernel that makes `total_sum` the factor by which 128 values get unit length (bytes_maths.h). It is
// included inside the loop of the kernel, since barriers must be in the kernel itself.

make_partial_sum(values, sums);
local_barrier();
if (local_id_x < 32) {
  const float sum = tree_sum(sums);
  if (local_id_x == 0) total_sum[0] = sift_factor(sum);
}
local_barrier();
