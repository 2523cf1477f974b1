#include "engine/process/forked_work.h"

namespace octavo {

bool processes_fork() { return false; }

struct WaitingChild::Child {};

WaitingChild::WaitingChild(const std::function<std::string(const std::string&)>&)
    : problem_("Windows has no child process that is a copy of this one") {}

WaitingChild::~WaitingChild() = default;

bool WaitingChild::is_there() const { return child_ != nullptr; }

ChildAnswer WaitingChild::ask(const std::string&, std::chrono::milliseconds) { return {{}, problem_, false}; }

}  // namespace octavo
