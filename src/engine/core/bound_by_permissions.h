#pragma once

// Tests of files that may not be read or written. Root may do both whatever their permissions say, by two capabilities
// (man 7 capabilities), which a test gives up for a while. Other users have none to give up.

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace octavo {

/// While it lives, permissions bind the thread that made it.
class BoundByPermissions {
 public:
  BoundByPermissions() {
    call(SYS_capget, before_);
    Sets without = before_;
    without[0].effective &= ~(bit(CAP_DAC_OVERRIDE) | bit(CAP_DAC_READ_SEARCH));
    call(SYS_capset, without);
  }
  ~BoundByPermissions() { syscall(SYS_capset, &header_, before_.data()); }
  BoundByPermissions(const BoundByPermissions&) = delete;
  BoundByPermissions& operator=(const BoundByPermissions&) = delete;

 private:
  using Sets = std::array<__user_cap_data_struct, 2>;

  static std::uint32_t bit(int capability) { return std::uint32_t{1} << capability; }
  void call(long number, Sets& sets) {
    if (syscall(number, &header_, sets.data()) != 0) throw std::system_error(errno, std::generic_category());
  }

  __user_cap_header_struct header_{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  Sets before_{};
};

}  // namespace octavo
