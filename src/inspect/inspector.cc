#include "inspect/inspector.h"

#include <variant>

#include "inspect/foagdd_inspector.h"
#include "inspect/sift_inspector.h"

namespace octavo {
namespace inspection {
namespace {

std::unique_ptr<Inspector> made_of(const SiftOptions& options) { return std::make_unique<SiftInspector>(options); }
std::unique_ptr<Inspector> made_of(const FoagddOptions& options) { return std::make_unique<FoagddInspector>(options); }

}  // namespace

std::unique_ptr<Inspector> inspector_of(const DetectorOptions& options) {
  validate(options);
  return std::visit([](const auto& values) { return made_of(values); }, options);
}

}  // namespace inspection

std::vector<Verdict> verdicts_of(const DetectorOptions& options) {
  return inspection::inspector_of(options)->verdicts();
}

bool has_differences(const DetectorOptions& options) {
  return inspection::inspector_of(options)->scale_space() != nullptr;
}

void check_inspection(const DetectorOptions& options, const DeviceOptions& device) {
  inspection::inspector_of(options)->check(device);
}

}  // namespace octavo
