#include "video/review/review_tasks.h"

#include <exception>
#include <utility>

namespace octavo::review {
namespace {

struct Stopped {};

}  // namespace

void ReviewTasks::start(const std::string& name, Work work) {
  const std::lock_guard lock(mutex_);
  const auto known = states_.find(name);
  if (known != states_.end() && known->second.state != "failed") return;
  states_[name] = {};
  tasks_.push_back({name, std::move(work)});
  news_.notify_one();
}

Json ReviewTasks::state(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = states_.find(name);
  if (found == states_.end()) return {};
  return {{"state", found->second.state}, {"text", found->second.text}, {"share", found->second.share}};
}

void ReviewTasks::run(const std::stop_token& stop) {
  for (;;) {
    Task task;
    {
      std::unique_lock lock(mutex_);
      if (!news_.wait(lock, stop, [this] { return !tasks_.empty(); })) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    work(task, stop);
  }
}

void ReviewTasks::work(const Task& task, const std::stop_token& stop) {
  const std::thread::id own = std::this_thread::get_id();
  const auto sink = [&](const ProgressStep& step) {
    if (stop.stop_requested() && std::this_thread::get_id() == own) throw Stopped();
    const Json share = step.total > 0 ? Json(static_cast<double>(step.done) / static_cast<double>(step.total)) : Json();
    note(task.name, {"working", std::string(step.item.empty() ? step.stage : step.item), share});
  };
  try {
    note(task.name, {"working"});
    task.work(sink, stop);
    note(task.name, {"done"});
  } catch (const Stopped&) {
    note(task.name, {"failed", "the server ends"});
  } catch (const std::exception& error) {
    note(task.name, {"failed", error.what()});
  }
}

void ReviewTasks::note(const std::string& name, State state) {
  const std::lock_guard lock(mutex_);
  states_[name] = std::move(state);
}

}  // namespace octavo::review
