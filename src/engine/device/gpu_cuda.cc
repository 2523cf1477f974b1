// GPUs with the CUDA driver API. All objects on a device share its state, so they may be destroyed in any order. The
// device's primary context is current only during a call, so any thread may call, and the contexts of the caller stay
// unchanged.

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "engine/device/api_cuda.h"
#include "engine/device/current_context_cuda.h"
#include "engine/device/gpu.h"
#include "engine/device/recording_lock.h"
#include "octavo/error.h"

namespace octavo {

namespace {

#if defined(OCTAVO_HAS_CUDA_KERNELS)
constexpr bool has_kernels = true;
#else
constexpr bool has_kernels = false;
#endif

void check(const CudaApi& api, CudaResult result, const std::string& subject) {
  if (result == cuda_success) return;
  const ErrorCode code = result == cuda_out_of_memory ? ErrorCode::out_of_memory : ErrorCode::device_unavailable;
  throw Error(code, subject + ": " + api.describe(result));
}

// Starts the driver and returns its number of GPUs.
int start(const CudaApi& api) {
  check(api, api.Init(0), "cuInit");
  int count = 0;
  check(api, api.DeviceGetCount(&count), "cuDeviceGetCount");
  return count;
}

GpuFacts read_facts(const CudaApi& api, int index) {
  GpuFacts facts;
  facts.driver = "cuda";
  facts.name = "cuda:" + std::to_string(index);
  const auto must = [&](CudaResult result) { check(api, result, facts.name); };
  CudaDevice device = 0;
  std::array<char, 256> product{};
  int version = 0, major = 0, minor = 0;
  must(api.DeviceGet(&device, index));
  must(api.DeviceGetName(product.data(), static_cast<int>(product.size()), device));
  must(api.DriverGetVersion(&version));
  must(api.DeviceGetAttribute(&major, cuda_capability_major, device));
  must(api.DeviceGetAttribute(&minor, cuda_capability_minor, device));
  must(api.DeviceGetAttribute(&facts.compute_units, cuda_multiprocessor_count, device));
  must(api.DeviceTotalMem(&facts.memory_bytes, device));
  facts.largest_buffer = facts.memory_bytes;
  const std::string capability = std::to_string(major) + "." + std::to_string(minor);
  facts.description = std::string(product.data()) + ", compute capability " + capability + ", driver of CUDA " +
                      std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  facts.conformant = major > 7 || (major == 7 && minor >= 5);
  if (!facts.conformant) facts.shortcoming = "its compute capability is " + capability + ", kernels need 7.5";
  return facts;
}

// A device in use: its context, its modules, and the count of its memory.
class State {
  const std::shared_ptr<const CudaApi> api_owner_;  // before all members that use it

 public:
  State(std::shared_ptr<const CudaApi> driver, int index, GpuFacts found, std::size_t memory_limit, ProgressSink sink)
      : api_owner_(std::move(driver)),
        api(*api_owner_),
        facts(std::move(found)),
        limit(memory_limit),
        progress(std::move(sink)) {
    must(api.DeviceGet(&device, index));
    must(api.DevicePrimaryCtxRetain(&context, device));
  }
  ~State() {
    if (api.CtxPushCurrent(context) == cuda_success) {
      for (const auto& [name, module] : modules_) api.ModuleUnload(module);
      CudaContext popped = nullptr;
      api.CtxPopCurrent(&popped);
    }
    api.DevicePrimaryCtxRelease(device);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void must(CudaResult result) const { check(api, result, facts.name); }

  CudaModule module(const KernelModule& source) {
    if (source.fatbin == nullptr) {
      throw Error(ErrorCode::device_unavailable, std::string("this build has no CUDA kernels for ") + source.name);
    }
    const std::lock_guard lock(modules_mutex_);
    const auto known = modules_.find(source.name);
    if (known != modules_.end()) return known->second;
    // The driver compiles kernels for a GPU that is younger than the build.
    report(progress, std::string("loading kernels of ") + source.name);
    std::array<char, 4096> log{};
    std::array<int, 2> options{cuda_jit_error_log_buffer, cuda_jit_error_log_bytes};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver takes numbers in pointers
    std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
    CudaModule loaded = nullptr;
    const CudaResult result = api.ModuleLoadDataEx(&loaded, source.fatbin, static_cast<unsigned>(options.size()),
                                                   options.data(), values.data());
    if (result != cuda_success) {
      const std::string words = log[0] != '\0' ? ": " + std::string(log.data()) : "";
      throw Error(ErrorCode::device_unavailable,
                  facts.name + " cannot load the kernels of " + source.name + ": " + api.describe(result) + words);
    }
    modules_.emplace(source.name, loaded);
    return loaded;
  }

  CudaAddress allocate(std::size_t bytes) {
    const std::size_t taken = taken_by(bytes);
    std::size_t in_use = in_use_.load();
    do {
      if (limit != 0 && taken > limit - in_use) throw no_room(bytes, limit - in_use);
    } while (!in_use_.compare_exchange_weak(in_use, in_use + taken));
    CudaAddress address = 0;
    const CudaResult result = api.MemAlloc(&address, taken);
    if (result == cuda_success) return address;
    in_use_ -= taken;
    if (result != cuda_out_of_memory) must(result);
    std::size_t free = 0, total = 0;
    must(api.MemGetInfo(&free, &total));
    throw no_room(bytes, free);
  }
  [[nodiscard]] std::size_t in_use() const { return in_use_; }
  [[nodiscard]] std::size_t free_bytes() const {
    std::size_t free = 0, total = 0;
    must(api.MemGetInfo(&free, &total));
    return limit == 0 ? free : std::min(free, limit - in_use_);
  }
  void release(CudaAddress address, std::size_t bytes) {
    api.MemFree(address);
    in_use_ -= taken_by(bytes);
  }

  const CudaApi& api;
  const GpuFacts facts;
  const std::size_t limit;
  const ProgressSink progress;
  CudaDevice device = 0;
  CudaContext context = nullptr;

 private:
  // The driver refuses to allocate zero bytes.
  static std::size_t taken_by(std::size_t bytes) { return std::max<std::size_t>(bytes, 1); }

  [[nodiscard]] Error no_room(std::size_t bytes, std::size_t free) const {
    return {ErrorCode::out_of_memory, facts.name + " has no room for a buffer of " + std::to_string(bytes) +
                                          " bytes: " + std::to_string(free) + " bytes are free"};
  }

  std::atomic<std::size_t> in_use_ = 0;
  std::mutex modules_mutex_;
  std::map<std::string, CudaModule> modules_;
};

using Shared = std::shared_ptr<State>;

struct Current : CurrentContext {
  explicit Current(const State& state) : CurrentContext(state.api, state.context) {}
};

CudaAddress address_of(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

class Buffer final : public GpuBuffer {
 public:
  Buffer(Shared state, std::size_t bytes) : state_(std::move(state)), bytes_(bytes) {
    const Current current(*state_);
    address_ = state_->allocate(bytes);
  }
  ~Buffer() override {
    const Current current(*state_);
    state_->release(address_, bytes_);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  [[nodiscard]] std::size_t bytes() const override { return bytes_; }
  [[nodiscard]] const CudaAddress& address() const { return address_; }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's addresses are numbers
  [[nodiscard]] const void* pointer() const override { return reinterpret_cast<const void*>(address_); }
  void wait_for_readers() const override {
    const std::lock_guard alone(recording_lock());
    const Current current(*state_);
    state_->must(state_->api.CtxSynchronize());
  }

 private:
  Shared state_;
  std::size_t bytes_;
  CudaAddress address_ = 0;
};

class Pinned final : public GpuPinned {
 public:
  Pinned(Shared state, std::size_t bytes) : state_(std::move(state)), bytes_(bytes) {
    const Current current(*state_);
    const CudaResult result = state_->api.MemHostAlloc(&memory_, std::max<std::size_t>(bytes, 1), 0);
    if (result == cuda_out_of_memory) {
      throw Error(ErrorCode::out_of_memory, "the host has no room for " + std::to_string(bytes) +
                                                " bytes of pinned memory for " + state_->facts.name);
    }
    state_->must(result);
  }
  ~Pinned() override {
    const Current current(*state_);
    state_->api.MemFreeHost(memory_);
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

  [[nodiscard]] std::byte* data() override { return static_cast<std::byte*>(memory_); }
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }

 private:
  Shared state_;
  std::size_t bytes_;
  void* memory_ = nullptr;
};

class Kernel final : public GpuKernel {
 public:
  Kernel(Shared state, const KernelModule& module, const char* name) : GpuKernel(name), state_(std::move(state)) {
    const Current current(*state_);
    const CudaResult result = state_->api.ModuleGetFunction(&function_, state_->module(module), name);
    check(state_->api, result, state_->facts.name + " has no kernel " + name + " of " + module.name);
    int virtual_architecture = 0;
    state_->must(state_->api.FuncGetAttribute(&virtual_architecture, cuda_function_virtual_architecture, function_));
    waits_ = virtual_architecture >= 90;
  }

  [[nodiscard]] double occupancy(unsigned threads_of_group) const override {
    const Current current(*state_);
    int groups = 0, most = 0;
    state_->must(state_->api.OccupancyMaxActiveBlocksPerMultiprocessor(&groups, function_,
                                                                       static_cast<int>(threads_of_group), 0));
    state_->must(state_->api.DeviceGetAttribute(&most, cuda_threads_of_multiprocessor, state_->device));
    return static_cast<double>(groups) * threads_of_group / most;
  }

  [[nodiscard]] CudaFunction function() const { return function_; }
  /// True if await_previous_kernel() compiles to an instruction. Before compute capability 9.0 it does nothing.
  [[nodiscard]] bool waits() const { return waits_; }

 private:
  Shared state_;
  CudaFunction function_ = nullptr;
  bool waits_ = false;
};

class Event final : public GpuEvent {
 public:
  Event(Shared state, CudaStream stream) : state_(std::move(state)) {
    const Current current(*state_);
    state_->must(state_->api.EventCreate(&event_, 0));
    const CudaResult result = state_->api.EventRecord(event_, stream);
    if (result != cuda_success) state_->api.EventDestroy(event_);
    state_->must(result);
  }
  ~Event() override {
    const Current current(*state_);
    state_->api.EventDestroy(event_);
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void wait() override {
    const Current current(*state_);
    state_->must(state_->api.EventSynchronize(event_));
  }
  [[nodiscard]] double milliseconds_since(const GpuEvent& earlier) const override {
    const Current current(*state_);
    float milliseconds = 0;
    state_->must(state_->api.EventElapsedTime(&milliseconds, static_cast<const Event&>(earlier).event_, event_));
    return milliseconds;
  }
  [[nodiscard]] CudaEvent event() const { return event_; }

 private:
  Shared state_;
  CudaEvent event_ = nullptr;
};

class Recording final : public GpuRecording {
 public:
  Recording(Shared state, CudaGraph graph) : state_(std::move(state)) {
    const Current current(*state_);
    state_->must(state_->api.GraphInstantiateWithFlags(&exec_, graph, 0));
  }
  ~Recording() override {
    const Current current(*state_);
    state_->api.GraphExecDestroy(exec_);
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  [[nodiscard]] CudaGraphExec exec() const { return exec_; }

 private:
  Shared state_;
  CudaGraphExec exec_ = nullptr;
};

class Queue final : public GpuQueue {
 public:
  // Branches have a lower priority than the queue they branch from, because that queue's result is awaited.
  enum class Priority { main, branch };
  explicit Queue(Shared state, Priority priority = Priority::main) : state_(std::move(state)), api_(state_->api) {
    const Current current(*state_);
    int least = 0, greatest = 0;
    state_->must(api_.CtxGetStreamPriorityRange(&least, &greatest));
    state_->must(api_.StreamCreateWithPriority(&stream_, cuda_stream_non_blocking,
                                               priority == Priority::main ? greatest : least));
  }
  ~Queue() override {
    const Current current(*state_);
    if (recording_) api_.GraphDestroy(stop_recording().second);
    api_.StreamSynchronize(stream_);
    api_.StreamDestroy(stream_);
  }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  void upload(GpuBuffer& to, std::size_t offset, const void* host, std::size_t bytes) override {
    if (bytes == 0) return;
    const Current current(*state_);
    state_->must(api_.MemcpyHtoDAsync(address(to) + offset, host, bytes, stream_));
  }
  void download(void* host, const GpuBuffer& from, std::size_t offset, std::size_t bytes) override {
    if (bytes == 0) return;
    const Current current(*state_);
    state_->must(api_.MemcpyDtoHAsync(host, address(from) + offset, bytes, stream_));
  }
  void copy(GpuBuffer& to, std::size_t to_offset, const GpuBuffer& from, std::size_t from_offset,
            std::size_t bytes) override {
    if (bytes == 0) return;
    const Current current(*state_);
    state_->must(api_.MemcpyDtoDAsync(address(to) + to_offset, address(from) + from_offset, bytes, stream_));
  }
  void copy_foreign(GpuBuffer& to, const GpuForeignRows& rows) override {
    const Current current(*state_);
    auto* const theirs = static_cast<CudaStream>(rows.stream);
    wait_for(*moment_of_foreign(theirs));
    CudaCopy2D copy{};
    copy.from_kind = copy.to_kind = cuda_memory_of_device;
    copy.from_device = address_of(rows.data);
    copy.from_pitch = rows.stride;
    copy.to_device = address(to);
    copy.to_pitch = copy.row_bytes = rows.row_bytes;
    copy.rows = rows.rows;
    state_->must(api_.Memcpy2DAsync(&copy, stream_));
    state_->must(api_.StreamWaitEvent(theirs, Event(state_, stream_).event(), 0));
  }
  void clear(GpuBuffer& buffer, std::size_t offset, std::size_t bytes) override {
    if (bytes == 0) return;
    const Current current(*state_);
    state_->must(api_.MemsetD32Async(address(buffer) + offset, 0, bytes / 4, stream_));
  }

  // The mode is relaxed, since this thread may free buffers during a recording: when an error unwinds an unfinished
  // recording, the stricter modes refuse to free them.
  void begin_recording() override {
    const Current current(*state_);
    std::shared_lock lock(recording_lock());
    state_->must(api_.StreamBeginCapture(stream_, cuda_capture_mode_relaxed));
    recording_ = std::move(lock);
  }
  std::unique_ptr<GpuRecording> end_recording() override {
    const Current current(*state_);
    const auto [result, captured] = stop_recording();
    state_->must(result);
    const std::unique_ptr<CudaGraphOpaque, CudaResult (*)(CudaGraph)> graph(captured, api_.GraphDestroy);
    return std::make_unique<Recording>(state_, captured);
  }
  void replay(const GpuRecording& recording) override {
    const Current current(*state_);
    state_->must(api_.GraphLaunch(static_cast<const Recording&>(recording).exec(), stream_));
  }

  std::unique_ptr<GpuEvent> event() override { return std::make_unique<Event>(state_, stream_); }
  void wait_for(const GpuEvent& event) override {
    const Current current(*state_);
    state_->must(api_.StreamWaitEvent(stream_, static_cast<const Event&>(event).event(), 0));
  }
  GpuQueue& fork(std::size_t branch) override {
    while (branches_.size() <= branch) branches_.push_back({std::make_unique<Queue>(state_, Priority::branch), false});
    branches_[branch].queue->wait_for(*event());
    branches_[branch].forked = true;
    return *branches_[branch].queue;
  }
  void join(std::size_t branch) override {
    if (branch >= branches_.size() || !branches_[branch].forked) return;
    wait_for(*branches_[branch].queue->event());
    branches_[branch].forked = false;
  }

  void wait() override {
    const Current current(*state_);
    for (Branch& branch : branches_) {  // an error may occur between the fork and the join
      if (std::exchange(branch.forked, false)) branch.queue->wait();
    }
    state_->must(api_.StreamSynchronize(stream_));
  }

 protected:
  void launch_list(const GpuKernel& kernel, const GpuGrid& grid, const GpuArgument* arguments,
                   std::size_t count) override {
    std::vector<void*> pointers(count);
    std::transform(arguments, arguments + count, pointers.begin(), [](const GpuArgument& argument) {
      return const_cast<void*>(argument.buffer != nullptr ? &address(*argument.buffer) : argument.value);
    });
    const Current current(*state_);
    const auto& of = static_cast<const Kernel&>(kernel);
    CudaLaunchAttribute early{cuda_launch_early, 0, {1}};
    const CudaLaunch launch{{grid.groups[0], grid.groups[1], grid.groups[2]},
                            {grid.threads[0], grid.threads[1], grid.threads[2]},
                            0,
                            stream_,
                            &early,
                            grid.early && of.waits() ? 1u : 0u};
    state_->must(api_.LaunchKernelEx(&launch, of.function(), pointers.data(), nullptr));
  }

 private:
  struct Branch {
    std::unique_ptr<Queue> queue;
    bool forked;  // and not yet joined
  };

  // An event after the work that a foreign stream has so far.
  std::unique_ptr<Event> moment_of_foreign(CudaStream stream) {
    try {
      return std::make_unique<Event>(state_, stream);
    } catch (const Error& error) {
      throw Error(ErrorCode::invalid_argument, std::string("a stream cannot be waited for: ") + error.what());
    }
  }

  static const CudaAddress& address(const GpuBuffer& buffer) { return static_cast<const Buffer&>(buffer).address(); }

  std::pair<CudaResult, CudaGraph> stop_recording() {
    for (Branch& branch : branches_) branch.forked = false;
    CudaGraph graph = nullptr;
    const CudaResult result = api_.StreamEndCapture(stream_, &graph);
    if (recording_) recording_.unlock();  // else nothing was begun, which the driver has reported
    return {result, graph};
  }

  Shared state_;
  const CudaApi& api_;
  CudaStream stream_ = nullptr;
  std::shared_lock<std::shared_mutex> recording_;  // held while this queue records
  std::vector<Branch> branches_;
};

class CudaGpu final : public Gpu {
 public:
  explicit CudaGpu(Shared state) : state_(std::move(state)) {}

  [[nodiscard]] const GpuFacts& facts() const override { return state_->facts; }
  std::unique_ptr<GpuBuffer> allocate(std::size_t bytes) override { return std::make_unique<Buffer>(state_, bytes); }
  std::unique_ptr<GpuPinned> allocate_pinned(std::size_t bytes) override {
    return std::make_unique<Pinned>(state_, bytes);
  }
  std::unique_ptr<GpuKernel> kernel(const KernelModule& module, const char* name) override {
    return std::make_unique<Kernel>(state_, module, name);
  }
  std::unique_ptr<GpuQueue> queue() override { return std::make_unique<Queue>(state_); }
  [[nodiscard]] std::size_t taken_bytes() const override { return state_->in_use(); }
  [[nodiscard]] std::size_t free_bytes() const override {
    const Current current(*state_);
    return state_->free_bytes();
  }
  [[nodiscard]] bool recognises(const void* address) const override {
    const Current current(*state_);
    unsigned kind = 0;
    int device = -1;
    return ask(kind, cuda_pointer_memory_kind, address) && kind == cuda_memory_of_device &&
           ask(device, cuda_pointer_device, address) && device == state_->device;
  }
  [[nodiscard]] bool reads_directly(const void* host, std::size_t bytes) const override {
    const Current current(*state_);
    const auto is_pinned = [&](const std::byte* at) {
      unsigned kind = 0;
      return ask(kind, cuda_pointer_memory_kind, at) && kind == cuda_memory_of_host;
    };
    const auto* first = static_cast<const std::byte*>(host);
    return bytes > 0 && is_pinned(first) && is_pinned(first + bytes - 1);
  }
  // All objects that are opened on a device share its primary context.
  [[nodiscard]] bool shares_memory_with(const Gpu& other) const override {
    const auto* cuda = dynamic_cast<const CudaGpu*>(&other);
    return cuda != nullptr && cuda->state_->context == state_->context;
  }

 private:
  // For an address that CUDA does not know, this call, with its plural name, returns an answer and not an error.
  template <class Value>
  bool ask(Value& value, int attribute, const void* address) const {
    void* values[] = {&value};
    return state_->api.PointerGetAttributes(1, &attribute, values, address_of(address)) == cuda_success;
  }

  Shared state_;
};

}  // namespace

GpuDriver find_cuda_gpus() {
  if (!has_kernels) return {{}, "this build has no CUDA kernels (nvcc was not found)"};
  GpuDriver found;
  try {
    const auto api = std::make_shared<const CudaApi>();
    const int count = start(*api);
    for (int i = 0; i < count; ++i) {
      const GpuFacts facts = read_facts(*api, i);
      found.gpus.push_back({facts, [api, i, facts](std::size_t memory_limit, const ProgressSink& progress) {
                              return std::make_shared<CudaGpu>(
                                  std::make_shared<State>(api, i, facts, memory_limit, progress));
                            }});
    }
    if (count == 0) found.missing = "the driver finds no GPU";
  } catch (const Error& error) {
    return {{}, error.what()};
  }
  return found;
}

}  // namespace octavo
