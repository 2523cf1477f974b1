#pragma once

#include "engine/device/api_cuda.h"

namespace octavo {

/// Makes a context of CUDA the calling thread's current one during its life. If that fails, the next call to the driver
/// fails and reports it. `api` must outlive it.
class CurrentContext {
 public:
  CurrentContext(const CudaApi& api, CudaContext context)
      : api_(api), pushed_(api.CtxPushCurrent(context) == cuda_success) {}
  ~CurrentContext() {
    CudaContext popped = nullptr;
    if (pushed_) api_.CtxPopCurrent(&popped);
  }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

 private:
  const CudaApi& api_;
  const bool pushed_;
};

}  // namespace octavo
