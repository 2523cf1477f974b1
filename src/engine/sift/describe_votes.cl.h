// The part of a kernel of descriptors after the votes are values: those that become bytes, and their factor. It is
// included inside the loop of the kernel, since barriers must be in the kernel itself.

make_partial_sum(values, sums);
local_barrier();
if (local_id_x < 32) {
  const float sum = tree_sum(sums);
  if (local_id_x == 0) total_sum[0] = longest_value(sum);
}
local_barrier();
values[local_id_x] = minimum(values[local_id_x], total_sum[0]);
local_barrier();
#include "engine/sift/unit_length.cl.h"
