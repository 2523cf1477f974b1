// The job that brings clips into an archive. Threads take files from a queue. A file is looked up by its path, size and
// time, then by the digest of its content; only if both are unknown it is decoded. For that a thread claims the
// content, since another thread or process may be at it. A file whose content is claimed waits at the end of the queue:
// it will most likely be known then.

#include "octavo/video/video_archive.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <stop_token>
#include <thread>
#include <utility>

#include "engine/core/stopwatch.h"
#include "io/files/content_digest.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

constexpr auto between_claims = std::chrono::milliseconds(20);

// A file on its way.
struct Task {
  fs::path file;
  std::optional<FileStamp> stamp{};
  std::optional<IndexedClip> known{};  // what has become of it, if no work is needed
  std::string content{};               // known once the file waits
};

// A failure as the archive keeps it: the sentence of an error without the name of the file.
std::string reason_of(const std::exception& error, const fs::path& file) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return "there is not enough memory";
  const std::string sentence = error.what(), prefix = fmt::format("cannot read '{}': ", file.string());
  return sentence.starts_with(prefix) ? sentence.substr(prefix.size()) : sentence;
}

// Whether an error would meet every file.
bool is_of_the_job(const std::exception& error) {
  const auto* const known = dynamic_cast<const Error*>(&error);
  return known != nullptr &&
         (known->code() == ErrorCode::device_unavailable || known->code() == ErrorCode::invalid_option);
}

// What a call gives, or why it fails.
template <class Call>
auto attempt(const fs::path& file, std::string& failure, const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::exception& error) {
    if (is_of_the_job(error)) throw;
    failure = reason_of(error, file);
    return {};
  }
}

class Indexing {
 public:
  Indexing(VideoArchive& archive, const IndexJob& job) : archive_(archive), job_(job) {}

  void run(std::span<const fs::path> files) {
    archive_.remove_leftovers();
    for (const fs::path& file : files) {
      if (is_stopping()) return;
      Task task = plan(file);
      if (!task.known) bytes_ += task.stamp->size;
      queue_.push_back(std::move(task));
    }
    progress_.files = queue_.size();
    std::vector<std::thread> threads;
    const auto end_threads = [&] {
      for (std::thread& thread : threads) thread.join();
    };
    try {
      const std::size_t count = std::min(std::max<std::size_t>(job_.jobs, 1), queue_.size());
      while (threads.size() < count) threads.emplace_back([this] { work(); });
    } catch (...) {  // no more threads
      fail_job(std::current_exception());
    }
    end_threads();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  // What the archive and the file system know of a file, without reading it.
  Task plan(const fs::path& file) {
    Task task{.file = file};
    std::string failure;
    task.stamp = attempt(file, failure, [&] { return stamp_of(file); });
    if (!task.stamp && failure.empty()) failure = "no such file";
    const std::optional<ArchivedFile> known = archive_.file(file);
    const bool is_same = known && known->stamp == task.stamp;
    if (!task.stamp) {
      // A file that is in the archive stays there: its disk may be absent.
      const bool is_news = !known || !known->failure.empty();
      const bool is_told = known && known->failure == failure && !known->stamp;
      if (is_news && !is_told) archive_.add_failure(file, {}, failure);
      task.known = {.file = file,
                    .outcome = is_told ? ClipOutcome::failed_before : ClipOutcome::failed,
                    .clip = {},
                    .failure = failure};
    } else if (is_same && known->clip) {
      task.known = {
          .file = file, .outcome = ClipOutcome::unchanged, .clip = archive_.clip_of_file(file), .failure = {}};
    } else if (is_same && !job_.retry) {
      task.known = {.file = file, .outcome = ClipOutcome::failed_before, .clip = {}, .failure = known->failure};
    }
    return task;
  }

  void work() {
    try {
      while (std::optional<Task> task = next_task()) do_task(std::move(*task));
    } catch (...) {
      fail_job(std::current_exception());
    }
  }

  std::optional<Task> next_task() {
    bool has_waited = false;
    {
      const std::lock_guard lock(mutex_);
      if (queue_.empty() && waiting_.empty()) return std::nullopt;
      has_waited = queue_.empty();
    }
    if (has_waited) std::this_thread::sleep_for(between_claims);
    const std::lock_guard lock(mutex_);
    std::deque<Task>& from = queue_.empty() ? waiting_ : queue_;
    if (from.empty() || is_stopping()) return std::nullopt;
    Task task = std::move(from.front());
    from.pop_front();
    return task;
  }

  void do_task(Task task) {
    if (task.known) return finish(*task.known, 0, 0);
    if (task.content.empty() && !read_content(task)) return;
    if (recognise(task)) return;
    const std::optional<VideoArchive::Claim> claim = archive_.claim(task.content);
    if (!claim) {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(task));
      return;
    }
    if (!recognise(task)) decode(task);  // it may have been finished just before
  }

  // Returns false if the file is finished, or the job is to stop.
  bool read_content(Task& task) {
    std::string failure;
    const std::optional<FileStamp> now = attempt(task.file, failure, [&] { return stamp_of(task.file); });
    if (now) {
      const std::lock_guard lock(mutex_);
      bytes_ += now->size - task.stamp->size;
      task.stamp = now;
    } else if (failure.empty()) {
      failure = "it vanished";
    }
    if (failure.empty() && now->size == 0) failure = "it is empty";
    if (failure.empty()) {
      task.content = attempt(task.file, failure, [&] { return content_digest(task.file, stop_.get_token()); });
    }
    if (!failure.empty()) fail(task, failure);
    return !task.content.empty();
  }

  bool recognise(const Task& task) {
    if (!archive_.add_file(task.content, task.file, *task.stamp)) return false;
    finish({.file = task.file,
            .outcome = ClipOutcome::recognised,
            .clip = archive_.clip_of_content(task.content),
            .failure = {}},
           task.stamp->size, 0);
    return true;
  }

  void decode(const Task& task) {
    const Stopwatch since;
    std::string failure;
    const auto progress = [&](const ClipStep& step) { tell_step(task, step); };
    VideoArchive::NewSignature signature = archive_.new_signature(task.content);
    std::exception_ptr archive_failure;
    const auto write = [&](std::span<const std::byte> bytes) {
      try {
        signature.write(bytes);
      } catch (...) {
        archive_failure = std::current_exception();
        throw;
      }
    };
    const std::optional<ClipFacts> facts = attempt(task.file, failure, [&] {
      return job_.read(task.file, {.stop = stop_.get_token(), .progress = progress, .signature = write});
    });
    if (archive_failure) std::rethrow_exception(archive_failure);
    if (!facts && failure.empty()) return;  // stopped
    std::string other_failure;
    const std::optional<FileStamp> now = attempt(task.file, other_failure, [&] { return stamp_of(task.file); });
    if (now != task.stamp) failure = now ? "it changed while it was read" : "it vanished while it was read";
    if (!failure.empty()) return fail(task, failure);
    ArchivedClip clip;
    clip.content = task.content;
    clip.size = task.stamp->size;
    clip.facts = *facts;
    clip.work_seconds = since.milliseconds() / 1000;
    archive_.add(clip, std::move(signature), task.file, *task.stamp);
    finish({.file = task.file,
            .outcome = ClipOutcome::indexed,
            .clip = archive_.clip_of_content(task.content),
            .failure = {}},
           task.stamp->size, facts->seconds);
  }

  void fail(const Task& task, const std::string& failure) {
    archive_.add_failure(task.file, task.stamp, failure);
    finish({.file = task.file, .outcome = ClipOutcome::failed, .clip = {}, .failure = failure}, task.stamp->size, 0);
  }

  // `bytes` are those of the plan, `seconds` those of the clip that were decoded.
  void finish(const IndexedClip& result, std::uint64_t bytes, double seconds) {
    const std::lock_guard lock(mutex_);
    steps_.erase(std::this_thread::get_id());
    ++progress_.done;
    if (result.outcome == ClipOutcome::recognised) {
      bytes_ -= bytes;  // it took no time
    } else {
      bytes_done_ += bytes;
    }
    seconds_done_ += seconds;
    if (job_.take) job_.take(result);
    tell_progress(result.file);
  }

  // The part of a clip in work that is done.
  struct Step {
    double seconds = 0;
    double bytes = 0;
  };

  void tell_step(const Task& task, const ClipStep& step) {
    const std::lock_guard lock(mutex_);
    const double share = step.total > 0 ? std::clamp(step.done / step.total, 0.0, 1.0) : 0;
    steps_[std::this_thread::get_id()] = {step.done, share * static_cast<double>(task.stamp->size)};
    tell_progress(task.file);
  }

  void tell_progress(const fs::path& file) {
    if (!job_.progress) return;
    progress_.file = file;
    progress_.elapsed = since_.milliseconds() / 1000;
    progress_.clip_seconds = seconds_done_;
    double bytes_done = static_cast<double>(bytes_done_);
    for (const auto& [thread, step] : steps_) {
      progress_.clip_seconds += step.seconds;
      bytes_done += step.bytes;
    }
    progress_.share = bytes_ > 0 ? std::min(bytes_done / static_cast<double>(bytes_), 1.0) : 1;
    job_.progress(progress_);
  }

  [[nodiscard]] bool is_stopping() const { return stop_.stop_requested(); }

  void fail_job(const std::exception_ptr& failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = failure;
    stop_.request_stop();
  }

  VideoArchive& archive_;
  const IndexJob& job_;
  Stopwatch since_;
  std::mutex mutex_;  // of all below, but the flag
  std::deque<Task> queue_, waiting_;
  std::map<std::thread::id, Step> steps_;
  std::uint64_t bytes_ = 0, bytes_done_ = 0;  // of files that are to be decoded
  double seconds_done_ = 0;
  IndexProgress progress_;
  std::exception_ptr failure_;
  std::stop_source stop_;  // of all threads: the job was stopped, or one of them has failed
  const std::stop_callback<std::function<void()>> passes_on_{job_.stop, [this] { stop_.request_stop(); }};
};

}  // namespace

std::string_view name_of(ClipOutcome outcome) {
  switch (outcome) {
    case ClipOutcome::indexed:
      return "indexed";
    case ClipOutcome::recognised:
      return "recognised";
    case ClipOutcome::unchanged:
      return "unchanged";
    case ClipOutcome::failed:
      return "failed";
    default:
      return "failed before";
  }
}

void index_clips(VideoArchive& archive, std::span<const fs::path> files, const IndexJob& job) {
  Indexing(archive, job).run(files);
}

}  // namespace octavo
