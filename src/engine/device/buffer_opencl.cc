// Buffers of an OpenCL device, counted against the memory limit of the device.

#include <algorithm>

#include "engine/device/queue_opencl.h"
#include "octavo/error.h"

namespace octavo {

OpenClBuffer::OpenClBuffer(std::shared_ptr<OpenClContext> context, std::size_t bytes)
    : context_(std::move(context)), bytes_(bytes), taken_(std::max<std::size_t>(bytes, 4)) {
  std::atomic<std::size_t>& taken = context_->taken;
  const auto refuse = [&](std::size_t free, const std::string& why) {
    throw Error(ErrorCode::out_of_memory, "a buffer of " + std::to_string(bytes_) + " bytes was asked of " +
                                              context_->device.facts.name + ", where " + std::to_string(free) +
                                              " bytes are free" + why);
  };

  std::size_t before = taken.load();
  do {
    const std::size_t free = context_->capacity - before;
    if (taken_ > free) refuse(free, "");
    if (taken_ > context_->device.facts.largest_buffer) {
      refuse(free, ", in buffers of at most " + std::to_string(context_->device.facts.largest_buffer));
    }
  } while (!taken.compare_exchange_weak(before, before + taken_));

  try {
    create();
  } catch (const Error& e) {
    const std::size_t others = taken.fetch_sub(taken_) - taken_;
    if (e.code() != ErrorCode::out_of_memory) throw;
    refuse(context_->capacity - others, std::string(" by our count, but ") + e.what());
  } catch (...) {
    taken.fetch_sub(taken_);
    throw;
  }
}

OpenClBuffer::~OpenClBuffer() { context_->taken.fetch_sub(taken_); }

void OpenClBuffer::create() {
  const OpenClApi& api = *context_->api;
  cl_int status = CL_SUCCESS;
  memory_ = {api.clCreateBuffer(context_->context.get(), CL_MEM_READ_WRITE, taken_, nullptr, &status),
             api.clReleaseMemObject};
  check_opencl_enqueue(status, "clCreateBuffer");
  // Drivers delay allocation until the first use. The buffer is used here, so that an allocation fails here and not
  // later.
  const std::lock_guard lock(context_->own_queue_mutex);
  const cl_uint zero = 0;
  cl_command_queue queue = context_->own_queue.get();
  check_opencl_enqueue(
      api.clEnqueueFillBuffer(queue, memory_.get(), &zero, sizeof zero, 0, sizeof zero, 0, nullptr, nullptr),
      "clEnqueueFillBuffer");
  check_opencl_enqueue(api.clFinish(queue), "clFinish");
}

}  // namespace octavo
