#include "jobs/work.h"

#include <nanobind/stl/string.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>

#include "gil.h"
#include "octavo/error.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

// Leaves the work that the job's own thread does now. It is no std::exception, so jobs do not take it for the failure
// of an item.
struct GivenUp {};

struct Step {
  std::string stage;
  std::size_t done = 0, total = 0;
};

}  // namespace

// What the job's threads tell and the caller's thread takes.
class Work::Listener {
 public:
  explicit Listener(Work& work) : work_(work) {}

  JobContext context() {
    JobContext context{.progress = [this](const ProgressStep& step) { take(step); }, .stop = stop_.get_token()};
    context.fail = [this](const std::string& sentence) { note(work_.problems_, sentence); };
    context.warn = [this](const std::string& sentence) { note(work_.warnings_, sentence); };
    return context;
  }

  // On the job's thread.
  void work(const std::function<void(const JobContext&)>& job) {
    {
      const std::lock_guard lock(mutex_);
      worker_ = std::this_thread::get_id();
    }
    std::exception_ptr thrown;
    try {
      job(context());
    } catch (const GivenUp&) {  // the exception that stopped it is raised
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    thrown_ = thrown;
    is_done_ = true;
    news_.notify_one();
  }

  // On the caller's thread, which has the GIL.
  void wait() {
    while (!wait_a_while()) listen();
    listen();
  }

  // Raises or throws what ended the work. What was told before may be the reason, and has no other place then.
  void finish() {
    if (raised_) throw std::move(*raised_);
    if (!thrown_) return;
    try {
      std::rethrow_exception(thrown_);
    } catch (const Error& error) {
      if (work_.problems_.empty() || !error.option().empty()) throw;
      throw Error(error.code(), error.what() + (": " + work_.problems_.front()));
    }
  }

 private:
  void take(const ProgressStep& step) {
    if (step.item.empty() && step.stage.empty()) return;
    std::unique_lock lock(mutex_);
    const bool is_item = !step.item.empty();
    if (is_item || !has_items_) {
      step_ = Step{std::string(is_item ? step.item : step.stage), step.done, step.total};
      has_items_ = has_items_ || (is_item && step.total > 0);
    }
    const bool gives_up =
        work_.stop_ == Work::Stop::at_once && stop_.stop_requested() && std::this_thread::get_id() == worker_;
    lock.unlock();
    if (gives_up) throw GivenUp{};
  }

  void note(std::vector<std::string>& sentences, const std::string& sentence) {
    const std::lock_guard lock(mutex_);
    sentences.push_back(sentence);
  }

  bool wait_a_while() {
    constexpr std::chrono::milliseconds between_looks{50};
    const WithoutGil release;
    std::unique_lock lock(mutex_);
    return news_.wait_for(lock, between_looks, [this] { return is_done_; });
  }

  void listen() {
    std::optional<Step> step;
    {
      const std::lock_guard lock(mutex_);
      step.swap(step_);
    }
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (step && !raised_ && !work_.progress_.is_none())
        work_.progress_(text_of(step->stage), step->done, step->total);
      if (!raised_ && !work_.until_.is_none() && nb::cast<bool>(nb::bool_(work_.until_()))) stop_.request_stop();
    } catch (nb::python_error& error) {
      raised_.emplace(std::move(error));
      stop_.request_stop();
    }
  }

  Work& work_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable news_;
  std::thread::id worker_;
  std::optional<Step> step_;  // the last that was told
  bool has_items_ = false, is_done_ = false;
  std::exception_ptr thrown_;
  std::optional<nb::python_error> raised_;
};

void Work::run_on_thread(const std::function<void(const JobContext&)>& job) {
  Listener listener(*this);
  std::thread thread([&] { listener.work(job); });
  listener.wait();
  thread.join();
  listener.finish();
}

}  // namespace octavo::python
