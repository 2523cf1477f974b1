#include "video/frames/helper_process.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "octavo/error.h"

namespace octavo::video {
namespace {

namespace fs = std::filesystem;

// The folder of programs that belongs to the shared library with this code, wherever its prefix was moved: a Python
// package has no fixed place. Empty if the code is part of the program `self`.
fs::path programs_of_library(const fs::path& self) {
  static const char here = 0;
  Dl_info found{};
  if (dladdr(&here, &found) == 0 || found.dli_fname == nullptr) return {};
  const fs::path file(found.dli_fname);
  std::error_code ignored;
  if (!file.is_absolute() || fs::equivalent(file, self, ignored)) return {};
  return file.parent_path() / OCTAVO_PROGRAMS_FROM_LIBRARIES;
}

// Finds a helper by its name beside the program or the library, or in PATH, if the caller gave no path. Empty if there
// is none.
std::string usual_place(const char* program) {
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  for (const fs::path& folder : {self.parent_path(), programs_of_library(self), fs::path(OCTAVO_INSTALLED_PROGRAMS)}) {
    if (folder.empty()) continue;
    if (is_program(folder / program)) return folder / program;
  }
  return find_program(program);
}

}  // namespace

std::string find_helper(const Helper& helper, const std::string& asked_for) {
  const char* const from_environment = std::getenv(helper.variable);
  const std::string wanted = !asked_for.empty() ? asked_for : from_environment != nullptr ? from_environment : "";
  if (!wanted.empty()) {
    if (is_program(wanted)) return wanted;
    throw Error(ErrorCode::file_error,
                fmt::format("the {} '{}' is not a program that can be started", helper.role, wanted));
  }
  if (const std::string found = usual_place(helper.program); !found.empty()) return found;
  throw Error(
      ErrorCode::file_error,
      fmt::format(
          "{}, the {} of Octavo's videos, is missing: it is neither beside this program or Octavo's library, nor in "
          "{}, nor in a folder of PATH, and {} does not name it",
          helper.program, helper.role, OCTAVO_INSTALLED_PROGRAMS, helper.variable));
}

HelperProcess::HelperProcess(const Helper& helper, const std::string& program, std::span<const std::string> words,
                             int input, int output_file)
    : role_(helper.role), buffer_(std::size_t{1} << 20) {
  ProgramStart start{.words = {program}, .input = input, .file = output_file};
  start.words.insert(start.words.end(), words.begin(), words.end());
  try {
    DescriptorPair pipe = make_pipe();
#if defined(F_SETPIPE_SZ)
    fcntl(pipe.second.number(), F_SETPIPE_SZ, 1 << 20);  // fewer switches between the processes; a refusal does no harm
#endif
    start.output = pipe.second.number();
    process_ = start_program(start);
    output_ = std::move(pipe.first);
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::file_error,
                fmt::format("cannot start the {} '{}': {}", role_, program, error.code().message()));
  }
}

void HelperProcess::end() {
  busy_seconds_ = busy_seconds();
  process_.kill();
}

double HelperProcess::busy_seconds() const {
  clockid_t clock{};
  timespec time{};
  if (!process_.is_there() || clock_getcpuclockid(process_.number(), &clock) != 0 || clock_gettime(clock, &time) != 0) {
    return busy_seconds_;
  }
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void HelperProcess::explain_end() {
  // Its output is closed, and it may still run: then the kill ends it. What came first stays visible in the status.
  const std::optional<ChildEnd> ended = process_.wait(std::chrono::seconds(1));
  if (ended && ended->signal != 0) {
    throw HelperEnded(fmt::format("the {} crashed: {}", role_, strsignal(ended->signal)));
  }
  end();
  throw HelperEnded(fmt::format("the {} ended too early", role_));
}

// The time is counted in steps that this process waited itself. A program that is stopped (Ctrl-Z) and goes on later
// finds a clock that has gone far, and a decoder that had no time either.
std::size_t HelperProcess::read_some(std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds step(50);
  for (std::chrono::milliseconds waited(0); waited < patience; waited += step) {
    if (const std::optional<std::size_t> count = read_within(output_.number(), buffer_, step)) return *count;
  }
  end();
  throw HelperEnded(fmt::format("the {} made no progress for {} s and was ended", role_,
                                static_cast<double>(patience.count()) / 1000));
}

void HelperProcess::read(std::span<std::byte> bytes, std::chrono::milliseconds patience) {
  while (!bytes.empty()) {
    if (begin_ < end_) {
      const std::size_t count = std::min(bytes.size(), end_ - begin_);
      std::memcpy(bytes.data(), buffer_.data() + begin_, count);
      begin_ += count;
      bytes = bytes.subspan(count);
      continue;
    }
    begin_ = 0;
    end_ = read_some(patience);
    if (end_ == 0) explain_end();
  }
}

}  // namespace octavo::video
