#include "engine/device/driver_survey.h"

#include <chrono>
#include <cstring>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "engine/device/cache_entry.h"
#include "engine/device/compiler_probe.h"
#include "engine/device/shared_library.h"
#include "engine/process/forked_work.h"
#include "octavo/error.h"

namespace octavo {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr bool may_fork = false;  // ThreadSanitizer ends a child that starts threads
#else
constexpr bool may_fork = true;
#endif

// The child is a copy of this process, so numbers are sent as they lie in memory.
template <class Stream, class Facts>
requires std::is_same_v<std::remove_const_t<Facts>, GpuFacts>
void exchange(Stream& stream, Facts& gpu) {
  stream(gpu.name);
  stream(gpu.driver);
  stream(gpu.description);
  stream(gpu.conformant);
  stream(gpu.shortcoming);
  stream(gpu.usable);
  stream(gpu.compiler);
  stream(gpu.is_cpu);
  stream(gpu.compute_units);
  stream(gpu.memory_bytes);
  stream(gpu.largest_buffer);
}

class Writer {
 public:
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void operator()(const Number& number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof number); }
  void operator()(const std::string& text) {
    (*this)(text.size());
    bytes += text;
  }
  std::string bytes;
};

// Reads what a Writer of this program wrote, whole.
class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void operator()(Number& number) {
    std::memcpy(&number, bytes_.data() + at_, sizeof number);
    at_ += sizeof number;
  }
  void operator()(std::string& text) {
    std::size_t length = 0;
    (*this)(length);
    text = bytes_.substr(at_, length);
    at_ += length;
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

std::string bytes_of(const DriverSurvey& survey) {
  Writer write;
  write(survey.missing);
  write(survey.gpus.size());
  for (const GpuFacts& gpu : survey.gpus) exchange(write, gpu);
  return std::move(write.bytes);
}

DriverSurvey survey_in(const std::string& bytes) {
  DriverSurvey survey;
  Reader read(bytes);
  read(survey.missing);
  std::size_t count = 0;
  read(count);
  survey.gpus.resize(count);
  for (GpuFacts& gpu : survey.gpus) exchange(read, gpu);
  return survey;
}

std::vector<GpuFacts> facts_of(const GpuDriver& driver) {
  std::vector<GpuFacts> facts;
  for (const FoundGpu& gpu : driver.gpus) facts.push_back(gpu.facts);
  return facts;
}

// True if this process, or the program that it belongs to, has begun to use a GPU.
bool drives_a_gpu() {
  if (is_loaded(opencl_library())) return true;
  if (!is_loaded(cuda_library())) return false;
  // The driver refuses to count before it is started.
  int count = 0;
  const SharedLibrary cuda(cuda_library());
  return cuda.function<int(int*)>("cuDeviceGetCount")(&count) == 0 && count > 0;
}

// Why a child gave no bytes; empty if it did. The caller of the library may have taken the status of a child that
// crashed.
std::string problem_of_answer(const ChildAnswer& answer) {
  return answer.problem.empty() && answer.bytes.empty() ? "no answer" : answer.problem;
}

bool can_fork() { return may_fork && processes_fork() && !drives_a_gpu(); }

// The entry of a compiler that passed the probe. It repeats the key, so that no other entry is taken for it.
std::string key_of_probe(const GpuFacts& gpu) {
  return "a passed probe" + std::string(1, '\0') + device_kernels().text + '\0' + gpu.compiler;
}

bool is_to_be_probed(const GpuFacts& gpu) {
  if (gpu.compiler.empty()) return false;
  const std::string key = key_of_probe(gpu);
  return CacheEntry("opencl", key).read() != key;
}

ProbeFinding probe(const GpuDriver& driver, std::size_t i) try {
  if (i >= driver.gpus.size()) return {"its driver does not find it again", false};
  return probe_compiler(*driver.gpus[i].open(0, {}));
} catch (const Error& error) {
  return {std::string("its compiler cannot be probed: ") + error.what(), false};
}

ProbeFinding failed_probe(const std::string& problem) {
  return {"the probe of its compiler failed: " + problem, false};
}

template <class Stream, class Finding>
requires std::is_same_v<std::remove_const_t<Finding>, ProbeFinding>
void exchange(Stream& stream, Finding& found) {
  stream(found.fault);
  stream(found.usable);
}

// Of a process without a driver.
ProbeFinding probe_in_child(GpuDriver (*find)(), std::size_t i, std::chrono::milliseconds limit) {
  const auto work = [find, i] {
    Writer write;
    const ProbeFinding found = probe(find(), i);
    exchange(write, found);
    return std::move(write.bytes);
  };
  const ChildAnswer answer = answer_of_child(work, limit);
  const std::string problem = problem_of_answer(answer);
  ProbeFinding found = failed_probe(problem);
  Reader read(answer.bytes);
  if (problem.empty()) exchange(read, found);
  return found;
}

// The findings about several GPUs, one child after the other. `gpus` are the bytes of their numbers.
std::string findings_in_children(GpuDriver (*find)(), const std::string& gpus, std::chrono::milliseconds limit) {
  Writer write;
  Reader read(gpus);
  for (std::size_t done = 0; done < gpus.size(); done += sizeof(std::size_t)) {
    std::size_t i = 0;
    read(i);
    const ProbeFinding found = probe_in_child(find, i, limit);
    exchange(write, found);
  }
  return std::move(write.bytes);
}

// Completes the facts of a GPU by what its probe found.
void apply(const ProbeFinding& found, GpuFacts& gpu) {
  if (found.fault.empty()) {
    const std::string key = key_of_probe(gpu);
    return CacheEntry("opencl", key).write(key);
  }
  gpu.usable = found.usable;
  gpu.conformant = false;
  gpu.shortcoming = found.fault;
}

}  // namespace

DriverSurvey survey(GpuDriver (*find)(), const MayBeUsed& may_be_used, std::chrono::milliseconds limit) try {
  if (!can_fork()) {
    GpuDriver found = find_probed(find, may_be_used, limit);
    return {facts_of(found), std::move(found.missing)};
  }
  const auto search = [find] {
    GpuDriver found = find();
    return bytes_of({facts_of(found), std::move(found.missing)});
  };
  const ChildAnswer answer = answer_of_child(search, limit);
  const std::string problem = problem_of_answer(answer);
  if (!problem.empty()) return {{}, "the search for its devices failed: " + problem};
  DriverSurvey found = survey_in(answer.bytes);
  for (std::size_t i = 0; i < found.gpus.size(); ++i) {
    GpuFacts& gpu = found.gpus[i];
    if (may_be_used(gpu) && is_to_be_probed(gpu)) apply(probe_in_child(find, i, limit), gpu);
  }
  return found;
} catch (const std::exception& error) {
  return {{}, error.what()};
}

GpuDriver find_probed(GpuDriver (*find)(), const MayBeUsed& may_be_used, std::chrono::milliseconds limit) {
  std::optional<WaitingChild> prober;  // forked before the driver is opened, for probes that are seldom needed
  if (can_fork()) prober.emplace([&](const std::string& gpus) { return findings_in_children(find, gpus, limit); });
  GpuDriver driver = find();
  const std::vector<GpuFacts> facts = facts_of(driver);
  std::vector<std::size_t> unknown;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (may_be_used(facts[i]) && is_to_be_probed(facts[i])) unknown.push_back(i);
  }
  if (unknown.empty()) return driver;
  if (!prober || !prober->is_there()) {
    for (const std::size_t i : unknown) apply(probe(driver, i), driver.gpus[i].facts);
    return driver;
  }
  Writer gpus;
  for (const std::size_t i : unknown) gpus(i);
  // Each probe keeps its own limit, if the child still lives.
  const ChildAnswer answer =
      prober->ask(gpus.bytes, (limit + std::chrono::seconds(1)) * static_cast<int>(unknown.size()));
  const std::string problem = problem_of_answer(answer);
  Reader read(answer.bytes);
  for (const std::size_t i : unknown) {
    ProbeFinding found = failed_probe(problem);
    if (problem.empty()) exchange(read, found);
    apply(found, driver.gpus[i].facts);
  }
  return driver;
}

}  // namespace octavo
