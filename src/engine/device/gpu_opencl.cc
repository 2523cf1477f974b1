// GPUs with OpenCL: they are found and opened here, and get memory, kernels and queues.

#include <algorithm>
#include <map>

#include "engine/device/gpu.h"
#include "engine/device/program_cache_opencl.h"
#include "engine/device/queue_opencl.h"
#include "octavo/error.h"

namespace octavo {
namespace {

class OpenClPinned : public GpuPinned {
 public:
  OpenClPinned(std::shared_ptr<OpenClContext> context, std::size_t bytes)
      : context_(std::move(context)), bytes_(bytes), memory_(nullptr, context_->api->clReleaseMemObject) {
    const std::size_t given = std::max<std::size_t>(bytes, 4);
    cl_int status = CL_SUCCESS;
    memory_.reset(context_->api->clCreateBuffer(context_->context.get(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                                given, nullptr, &status));
    if (status == CL_SUCCESS) {
      const std::lock_guard lock(context_->own_queue_mutex);
      data_ = context_->api->clEnqueueMapBuffer(context_->own_queue.get(), memory_.get(), CL_TRUE,
                                                CL_MAP_READ | CL_MAP_WRITE, 0, given, 0, nullptr, nullptr, &status);
    }
    if (status != CL_SUCCESS) {
      throw Error(ErrorCode::out_of_memory, context_->device.facts.name + " cannot pin " + std::to_string(bytes) +
                                                " bytes of the host's memory: " + opencl_error_name(status));
    }
  }

  ~OpenClPinned() override {
    const std::lock_guard lock(context_->own_queue_mutex);
    cl_command_queue queue = context_->own_queue.get();
    context_->api->clEnqueueUnmapMemObject(queue, memory_.get(), data_, 0, nullptr, nullptr);
    context_->api->clFinish(queue);
  }

  [[nodiscard]] std::byte* data() override { return static_cast<std::byte*>(data_); }
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }

 private:
  std::shared_ptr<OpenClContext> context_;
  std::size_t bytes_;
  OpenClHandle<cl_mem> memory_;
  void* data_ = nullptr;
};

class OpenClGpu : public Gpu {
 public:
  OpenClGpu(std::shared_ptr<const OpenClApi> api, const OpenClDevice& device, std::size_t memory_limit,
            ProgressSink progress)
      : context_(std::make_shared<OpenClContext>(std::move(api), device, memory_limit)),
        progress_(std::move(progress)) {}

  [[nodiscard]] const GpuFacts& facts() const override { return context_->device.facts; }

  std::unique_ptr<GpuBuffer> allocate(std::size_t bytes) override {
    return std::make_unique<OpenClBuffer>(context_, bytes);
  }

  std::unique_ptr<GpuPinned> allocate_pinned(std::size_t bytes) override {
    return std::make_unique<OpenClPinned>(context_, bytes);
  }

  std::unique_ptr<GpuKernel> kernel(const KernelModule& module, const char* name) override {
    const std::lock_guard lock(programs_mutex_);
    OpenClProgram& program = programs_[module.name];
    if (!program) {
      program = std::make_shared<OpenClHandle<cl_program>>(
          build_opencl_program(*context_->api, context_->context.get(), context_->device, module, progress_));
    }
    return std::make_unique<OpenClKernel>(context_, program, name);
  }

  std::unique_ptr<GpuQueue> queue() override { return make_opencl_queue(context_); }

  [[nodiscard]] std::size_t taken_bytes() const override { return context_->taken; }
  [[nodiscard]] std::size_t free_bytes() const override { return context_->capacity - context_->taken; }

  [[nodiscard]] bool recognises(const void*) const override { return false; }
  // Only memory that was allocated here is known to be pinned.
  [[nodiscard]] bool reads_directly(const void*, std::size_t) const override { return false; }

  [[nodiscard]] bool shares_memory_with(const Gpu& other) const override {
    const auto* opencl = dynamic_cast<const OpenClGpu*>(&other);
    return opencl != nullptr && opencl->context_ == context_;
  }

 private:
  std::shared_ptr<OpenClContext> context_;
  ProgressSink progress_;
  std::mutex programs_mutex_;
  std::map<std::string, OpenClProgram> programs_;  // by module name
};

}  // namespace

GpuDriver find_opencl_gpus() {
  // PoCL initialises its devices when it is first asked for them, and has no lock there.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  GpuDriver driver;
  try {
    const auto api = std::make_shared<const OpenClApi>();
    for (const OpenClDevice& device : list_opencl_devices(*api)) {
      driver.gpus.push_back({device.facts, [api, device](std::size_t memory_limit, const ProgressSink& progress) {
                               return std::make_shared<OpenClGpu>(api, device, memory_limit, progress);
                             }});
    }
    if (driver.gpus.empty()) driver.missing = "the OpenCL loader finds no platform with a device";
  } catch (const Error& e) {
    driver.missing = e.what();
  }
  return driver;
}

}  // namespace octavo
