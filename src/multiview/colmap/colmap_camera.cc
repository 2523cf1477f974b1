// COLMAP's camera models (src/colmap/sensor/models.h of COLMAP): what their parameters are, and where they start.

#include <algorithm>
#include <array>

#include "octavo/multiview/colmap_job.h"

namespace octavo {
namespace {

struct ModelFacts {
  std::size_t focal_lengths, parameters;
};

constexpr std::array<ModelFacts, 11> models{
    {{1, 3}, {2, 4}, {1, 4}, {1, 5}, {2, 8}, {2, 8}, {2, 12}, {2, 5}, {1, 4}, {1, 5}, {2, 12}}};

const ModelFacts& facts_of(ColmapModel model) { return models[static_cast<std::size_t>(model)]; }

}  // namespace

std::size_t parameter_count(ColmapModel model) { return facts_of(model).parameters; }

ColmapCamera initial_camera(ColmapModel model, ImageSize size, std::optional<double> focal_length) {
  const ModelFacts& facts = facts_of(model);
  std::vector<double> params(facts.focal_lengths, focal_length.value_or(1.2 * std::max(size.width, size.height)));
  params.push_back(size.width / 2.0);
  params.push_back(size.height / 2.0);
  params.resize(facts.parameters);
  // A field of view of 0 has no derivative.
  if (model == ColmapModel::fov) params.back() = 1e-2;
  return {model, size, std::move(params), focal_length.has_value()};
}

}  // namespace octavo
