#include "engine/device/host_memory.h"

#include "octavo/error.h"

namespace octavo {

void require_host_memory(std::uint64_t needed, std::uint64_t held, const std::string& subject) {
  if (needed < held || needed - held < least_checked_bytes) return;
  const AvailableMemory available = available_host_memory();
  if (needed - held > available.bytes) refuse_memory(needed, available.bytes + held, subject, available.limit);
}

void refuse_memory(std::uint64_t needed, std::uint64_t available, const std::string& subject,
                   const std::string& limit) {
  throw Error(ErrorCode::out_of_memory, subject + " takes at least " + std::to_string(needed) +
                                            " bytes of memory, but " + std::to_string(available) +
                                            " bytes are available (" + limit + ")");
}

}  // namespace octavo
