// What became of photographs that were localised.

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "io/json/json.h"
#include "multiview/sfm/result_json.h"
#include "octavo/jobs/collection_jobs.h"

namespace octavo {
namespace {

Json pose_json(const SfmModel& model, const SfmImage& image) {
  return {{"centre", camera_centre(image)},
          {"rotation", image.camera_from_world},
          {"camera", sfm::camera_json(image.camera, model.cameras.at(image.camera))}};
}

}  // namespace

std::size_t LocalisedImages::registered() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(images, [&](std::size_t i) { return result.images[i].model.has_value(); }));
}

const SfmImage* LocalisedImages::pose_of(std::size_t image) const {
  const SfmImageResult& wanted = result.images[image];
  if (!wanted.model) return nullptr;
  const auto& poses = result.models[*wanted.model].model.images;
  const auto found = std::ranges::find_if(poses, [&](const auto& entry) { return entry.second.name == wanted.name; });
  return found == poses.end() ? nullptr : &found->second;
}

std::string json_of(const LocalisedImages& localised) {
  const SfmResult& result = localised.result;
  Json images = Json::array();
  for (const std::size_t i : localised.images) {
    Json image = sfm::image_json(result.images[i]);
    const SfmImage* const pose = localised.pose_of(i);
    image.update(pose == nullptr ? Json{{"centre", nullptr}, {"rotation", nullptr}, {"camera", nullptr}}
                                 : pose_json(result.models[*result.images[i].model].model, *pose));
    images.push_back(std::move(image));
  }
  return json_text(Json{{"model", result.photographs.string()},
                        {"folder", result.folder.string()},
                        {"database", result.database.string()},
                        {"mapper", name_of(result.mapper.kind)},
                        {"mapper_program", result.mapper.program},
                        {"registered_image_count", localised.registered()},
                        {"database_seconds", result.database_seconds},
                        {"verify_seconds", result.verify_seconds},
                        {"map_seconds", result.map_seconds},
                        {"images", images},
                        {"mapper_failure", text_or_null(result.failure)},
                        {"problems", result.problems},
                        {"warnings", result.warnings}});
}

}  // namespace octavo
