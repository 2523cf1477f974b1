#include "inspection_folder/presenter.h"

#include <variant>

#include "inspection_folder/foagdd_presenter.h"
#include "inspection_folder/sift_presenter.h"

namespace octavo::inspection {
namespace {

std::unique_ptr<Presenter> made_of(const SiftOptions&, std::unique_ptr<Inspector> inspector) {
  return std::make_unique<SiftPresenter>(std::move(inspector));
}

std::unique_ptr<Presenter> made_of(const FoagddOptions&, std::unique_ptr<Inspector> inspector) {
  return std::make_unique<FoagddPresenter>(std::move(inspector));
}

}  // namespace

std::unique_ptr<Presenter> presenter_of(const DetectorOptions& options) {
  auto inspector = inspector_of(options);
  return std::visit([&](const auto& values) { return made_of(values, std::move(inspector)); }, options);
}

}  // namespace octavo::inspection
