#include "engine/device/recording_lock.h"

namespace octavo {

std::shared_mutex& recording_lock() {
  static std::shared_mutex lock;
  return lock;
}

}  // namespace octavo
