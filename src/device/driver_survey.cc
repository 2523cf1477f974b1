#include "device/driver_survey.h"

#include <chrono>
#include <cstring>
#include <exception>
#include <type_traits>
#include <utility>

#include "device/child_process.h"
#include "device/shared_library.h"

namespace octavo {
namespace {

// A driver answers within a second, on a busy machine within some.
constexpr std::chrono::seconds longest_search{20};

#if defined(__SANITIZE_THREAD__)
constexpr bool may_fork = false;  // ThreadSanitizer ends a child that starts threads
#else
constexpr bool may_fork = true;
#endif

// The child is a copy of this process, so numbers are sent as they lie in memory.
template <class Stream, class Facts>
void exchange(Stream& stream, Facts& gpu) {
  stream(gpu.name);
  stream(gpu.driver);
  stream(gpu.description);
  stream(gpu.conformant);
  stream(gpu.shortcoming);
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

DriverSurvey survey_here(GpuDriver (*find)()) {
  GpuDriver found = find();
  DriverSurvey survey{{}, std::move(found.missing)};
  for (FoundGpu& gpu : found.gpus) survey.gpus.push_back(std::move(gpu.facts));
  return survey;
}

// True if this process, or the program that it belongs to, has begun to use a GPU.
bool drives_a_gpu() {
  if (is_loaded({"libOpenCL.so.1", "libOpenCL.so"})) return true;
  if (!is_loaded({"libcuda.so.1"})) return false;
  // The driver refuses to count before it is started.
  int count = 0;
  const SharedLibrary cuda({"libcuda.so.1"});
  return cuda.function<int(int*)>("cuDeviceGetCount")(&count) == 0 && count > 0;
}

}  // namespace

DriverSurvey survey(GpuDriver (*find)()) try {
  if (!may_fork || drives_a_gpu()) return survey_here(find);
  const ChildAnswer answer = answer_of_child([find] { return bytes_of(survey_here(find)); }, longest_search);
  if (answer.problem.empty() && !answer.bytes.empty()) return survey_in(answer.bytes);
  return {{}, "the search for its devices failed: " + (answer.problem.empty() ? "no answer" : answer.problem)};
} catch (const std::exception& error) {
  return {{}, error.what()};
}

}  // namespace octavo
