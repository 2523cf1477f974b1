// The end of a kernel of descriptors: a thread's byte, `byte`, is stored, or RootSIFT of it if that is the kind. It is
// included inside the loop of the kernel, since barriers must be in the kernel itself.

atomic_add_local(byte_sum, (uint)byte);
local_barrier();
descriptors[(int64_t)n * 128 + local_id_x] = (uchar)(sift.rootsift != 0 ? root_of_byte(byte, (int)byte_sum[0]) : byte);
local_barrier();
