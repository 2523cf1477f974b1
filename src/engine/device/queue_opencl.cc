#include "engine/device/queue_opencl.h"

#include <algorithm>

#include "octavo/error.h"

namespace octavo {
namespace {

// The queue is in order, and its events have times.
OpenClHandle<cl_command_queue> create_queue(const OpenClApi& api, cl_context context, cl_device_id device) {
  cl_int status = CL_SUCCESS;
  OpenClHandle<cl_command_queue> queue(api.clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status),
                                       api.clReleaseCommandQueue);
  check_opencl(status, "clCreateCommandQueue");
  return queue;
}

class OpenClEvent : public GpuEvent {
 public:
  OpenClEvent(std::shared_ptr<OpenClContext> context, cl_event event)
      : context_(std::move(context)), event_(event, context_->api->clReleaseEvent) {}

  void wait() override {
    cl_event event = event_.get();
    const cl_int status = context_->api->clWaitForEvents(1, &event);
    if (status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) return check_opencl(status, "clWaitForEvents");
    cl_int error = status;  // the event has the more exact status
    context_->api->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof error, &error, nullptr);
    check_opencl(error < 0 ? error : status, "the work before an event");
  }

  [[nodiscard]] double milliseconds_since(const GpuEvent& earlier) const override {
    return static_cast<double>(static_cast<cl_long>(end() - dynamic_cast<const OpenClEvent&>(earlier).end())) * 1e-6;
  }

  [[nodiscard]] cl_event get() const { return event_.get(); }

 private:
  [[nodiscard]] cl_ulong end() const {  // [ns]
    cl_ulong time = 0;
    check_opencl(
        context_->api->clGetEventProfilingInfo(event_.get(), CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr),
        "clGetEventProfilingInfo");
    return time;
  }

  std::shared_ptr<OpenClContext> context_;
  OpenClHandle<cl_event> event_;
};

struct Command {
  std::function<cl_int(cl_command_queue)> enqueue;
  const char* call;  // name of the call, for messages
};

struct OpenClRecording : GpuRecording {
  std::vector<Command> commands;
};

class OpenClQueue : public GpuQueue {
 public:
  explicit OpenClQueue(std::shared_ptr<OpenClContext> context)
      : context_(std::move(context)),
        api_(*context_->api),
        queue_(create_queue(api_, context_->context.get(), context_->device.device)) {}

  ~OpenClQueue() override { api_.clFinish(queue_.get()); }

  void upload(GpuBuffer& to, std::size_t offset, const void* host, std::size_t bytes) override {
    if (bytes == 0) return;
    submit("clEnqueueWriteBuffer", [&api = api_, memory = memory_of(to), offset, host, bytes](cl_command_queue queue) {
      return api.clEnqueueWriteBuffer(queue, memory, CL_FALSE, offset, bytes, host, 0, nullptr, nullptr);
    });
  }

  void download(void* host, const GpuBuffer& from, std::size_t offset, std::size_t bytes) override {
    if (bytes == 0) return;
    submit("clEnqueueReadBuffer", [&api = api_, memory = memory_of(from), offset, host, bytes](cl_command_queue queue) {
      return api.clEnqueueReadBuffer(queue, memory, CL_FALSE, offset, bytes, host, 0, nullptr, nullptr);
    });
  }

  void copy(GpuBuffer& to, std::size_t to_offset, const GpuBuffer& from, std::size_t from_offset,
            std::size_t bytes) override {
    if (bytes == 0) return;
    submit("clEnqueueCopyBuffer", [&api = api_, target = memory_of(to), source = memory_of(from), to_offset,
                                   from_offset, bytes](cl_command_queue queue) {
      return api.clEnqueueCopyBuffer(queue, source, target, from_offset, to_offset, bytes, 0, nullptr, nullptr);
    });
  }

  void copy_foreign(GpuBuffer&, const GpuForeignRows&) override {
    throw Error(ErrorCode::invalid_argument,
                context_->device.facts.name + " cannot read memory that another program allocated");
  }

  void clear(GpuBuffer& buffer, std::size_t offset, std::size_t bytes) override {
    if (bytes == 0) return;
    submit("clEnqueueFillBuffer", [&api = api_, memory = memory_of(buffer), offset, bytes](cl_command_queue queue) {
      const cl_uint zero = 0;
      return api.clEnqueueFillBuffer(queue, memory, &zero, sizeof zero, offset, bytes, 0, nullptr, nullptr);
    });
  }

  void begin_recording() override { recording_ = std::make_unique<OpenClRecording>(); }

  std::unique_ptr<GpuRecording> end_recording() override { return std::move(recording_); }

  void replay(const GpuRecording& recording) override {
    for (const Command& c : dynamic_cast<const OpenClRecording&>(recording).commands) run(c.call, c.enqueue);
    flush();
  }

  std::unique_ptr<GpuEvent> event() override {
    cl_event event = nullptr;
    check_opencl_enqueue(api_.clEnqueueMarkerWithWaitList(queue_.get(), 0, nullptr, &event),
                         "clEnqueueMarkerWithWaitList");
    auto made = std::make_unique<OpenClEvent>(context_, event);
    // Another queue may wait for this work, and would wait for ever if it were not submitted.
    flush();
    return made;
  }

  void wait_for(const GpuEvent& event) override {
    cl_event other = dynamic_cast<const OpenClEvent&>(event).get();
    check_opencl_enqueue(api_.clEnqueueBarrierWithWaitList(queue_.get(), 1, &other, nullptr),
                         "clEnqueueBarrierWithWaitList");
  }

  // Recordings are lists of commands without branches, which run one after the other.
  GpuQueue& fork(std::size_t) override { return *this; }
  void join(std::size_t) override {}

  void wait() override { check_opencl(api_.clFinish(queue_.get()), "clFinish"); }

 protected:
  void launch_list(const GpuKernel& kernel, const GpuGrid& grid, const GpuArgument* arguments,
                   std::size_t count) override {
    const auto& given = dynamic_cast<const OpenClKernel&>(kernel);
    if (!recording_) {
      given.set(arguments, count);
      return run("clEnqueueNDRangeKernel", [&](cl_command_queue queue) { return given.enqueue(queue, grid); });
    }
    const std::shared_ptr<OpenClKernel> own = given.clone();  // it keeps its arguments for every replay
    own->set(arguments, count);
    submit("clEnqueueNDRangeKernel", [own, grid](cl_command_queue queue) { return own->enqueue(queue, grid); });
  }

 private:
  static cl_mem memory_of(const GpuBuffer& buffer) { return dynamic_cast<const OpenClBuffer&>(buffer).memory(); }

  template <class Enqueue>
  void run(const char* call, const Enqueue& enqueue) {
    check_opencl_enqueue(enqueue(queue_.get()), call);
  }

  // Records the command, or runs it and asks the driver to start it now.
  template <class Enqueue>
  void submit(const char* call, Enqueue enqueue) {
    if (recording_) {
      recording_->commands.push_back({std::move(enqueue), call});
    } else {
      run(call, enqueue);
      flush();
    }
  }

  void flush() { check_opencl(api_.clFlush(queue_.get()), "clFlush"); }

  std::shared_ptr<OpenClContext> context_;
  const OpenClApi& api_;
  OpenClHandle<cl_command_queue> queue_;
  std::unique_ptr<OpenClRecording> recording_;  // while recording
};

OpenClHandle<cl_context> create_context(const OpenClApi& api, const OpenClDevice& device) {
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                              reinterpret_cast<cl_context_properties>(device.platform), 0};
  cl_int status = CL_SUCCESS;
  OpenClHandle<cl_context> context(api.clCreateContext(properties, 1, &device.device, nullptr, nullptr, &status),
                                   api.clReleaseContext);
  check_opencl(status, "clCreateContext");
  return context;
}

OpenClHandle<cl_kernel> create_kernel(const OpenClContext& context, cl_program program, const std::string& name) {
  cl_int status = CL_SUCCESS;
  OpenClHandle<cl_kernel> kernel(context.api->clCreateKernel(program, name.c_str(), &status),
                                 context.api->clReleaseKernel);
  if (status != CL_SUCCESS) {
    throw Error(ErrorCode::device_unavailable, "the kernel \"" + name + "\" cannot be had from " +
                                                   context.device.facts.name + ": " + opencl_error_name(status));
  }
  return kernel;
}

}  // namespace

OpenClContext::OpenClContext(std::shared_ptr<const OpenClApi> loader, const OpenClDevice& opened,
                             std::size_t memory_limit)
    : api(std::move(loader)),
      device(opened),
      capacity(memory_limit == 0 ? opened.facts.memory_bytes : std::min(memory_limit, opened.facts.memory_bytes)),
      context(create_context(*api, opened)),
      own_queue(create_queue(*api, context.get(), opened.device)) {}

OpenClKernel::OpenClKernel(std::shared_ptr<OpenClContext> context, OpenClProgram program, std::string name)
    : GpuKernel(std::move(name)),
      context_(std::move(context)),
      program_(std::move(program)),
      kernel_(create_kernel(*context_, program_->get(), this->name())) {}

std::shared_ptr<OpenClKernel> OpenClKernel::clone() const {
  return std::make_shared<OpenClKernel>(context_, program_, name());
}

void OpenClKernel::set(const GpuArgument* arguments, std::size_t count) const {
  for (std::size_t i = 0; i < count; ++i) {
    const GpuArgument& a = arguments[i];
    cl_mem memory = nullptr;
    if (a.buffer != nullptr) memory = dynamic_cast<const OpenClBuffer&>(*a.buffer).memory();
    const cl_int status = context_->api->clSetKernelArg(kernel_.get(), static_cast<cl_uint>(i),
                                                        a.buffer != nullptr ? sizeof(cl_mem) : a.bytes,
                                                        a.buffer != nullptr ? &memory : a.value);
    if (status != CL_SUCCESS) {
      throw Error(ErrorCode::device_unavailable, "argument " + std::to_string(i) + " of the kernel \"" + name() +
                                                     "\" was refused: " + opencl_error_name(status));
    }
  }
}

cl_int OpenClKernel::enqueue(cl_command_queue queue, const GpuGrid& grid) const {
  std::size_t global[3];
  std::size_t local[3];
  for (int axis = 0; axis < 3; ++axis) {
    local[axis] = grid.threads[axis];
    global[axis] = local[axis] * grid.groups[axis];
  }
  return context_->api->clEnqueueNDRangeKernel(queue, kernel_.get(), 3, nullptr, global, local, 0, nullptr, nullptr);
}

std::unique_ptr<GpuQueue> make_opencl_queue(std::shared_ptr<OpenClContext> context) {
  return std::make_unique<OpenClQueue>(std::move(context));
}

}  // namespace octavo
