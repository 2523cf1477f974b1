// A model in the forms of other programs. What is wrong with a form is told before the first file is written. The files
// that a call makes are listed in export.json before they are made, so that a later call knows its own from those of
// others.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "io/files/inside_name.h"
#include "io/files/output_file.h"
#include "io/files/whole_folder.h"
#include "io/json/json.h"
#include "io/results/json_file.h"
#include "multiview/exports/bundler.h"
#include "multiview/exports/find_model.h"
#include "multiview/exports/ply.h"
#include "multiview/exports/transforms.h"
#include "multiview/exports/undistort.h"
#include "multiview/sfm/mapper.h"
#include "octavo/error.h"
#include "octavo/jobs/collection_jobs.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> form_words{"ply", "transforms", "bundler", "undistorted"};
constexpr auto list_name = "export.json", log_name = "export.log";
constexpr auto points_name = "points.ply", cameras_name = "cameras.ply", transforms_name = "transforms.json";

// The files and folders of a form.
std::vector<std::string> names_of(ModelForm form) {
  switch (form) {
    case ModelForm::ply:
      return {points_name, cameras_name};
    case ModelForm::transforms:
      return {transforms_name};
    case ModelForm::bundler:
    case ModelForm::undistorted:
      return {std::string(word_of(form))};
  }
  return {};
}

// What a call does, once it is checked.
struct ExportPlan {
  fs::path folder;  // of the model
  SfmModel model;
  std::set<ModelForm> forms;
  fs::path photos;
  bool is_bundler_undistorted = false;
  std::optional<SfmMapper> tool;

  [[nodiscard]] bool has(ModelForm form) const { return forms.contains(form); }
};

void require_inside(const SfmModel& model) {
  for (const auto& [id, image] : model.images) {
    if (io::is_inside(image.name)) continue;
    throw Error(ErrorCode::file_error,
                fmt::format("the image '{}' of the model is outside of any folder of images", image.name));
  }
}

// Leaves out images that are not among the photographs.
void require_photos(ExportPlan& plan, const JobContext& context) {
  if (plan.photos.empty()) {
    throw Error(ErrorCode::invalid_option, "`photos` is missing: the folder of the model's photographs");
  }
  if (!fs::is_directory(plan.photos)) {
    throw Error(ErrorCode::file_error, fmt::format("there is no folder '{}'", plan.photos.string()));
  }
  require_inside(plan.model);
  std::erase_if(plan.model.images, [&](const auto& entry) {
    if (fs::exists(plan.photos / entry.second.name)) return false;
    report_failure(context,
                   fmt::format("the image '{}' of the model is not in '{}'", entry.second.name, plan.photos.string()));
    return true;
  });
  if (!plan.model.images.empty()) return;
  throw Error(ErrorCode::file_error, fmt::format("none of the model's images is in '{}'", plan.photos.string()));
}

void plan_bundler(ExportPlan& plan, const JobContext& context) {
  exports::require_bundler_names(plan.model);
  const std::string foreign = exports::foreign_to_bundler(plan.model);
  if (foreign.empty()) return;
  report_warning(
      context,
      fmt::format("Bundler has nothing like the camera model {}: its files are of the undistorted images", foreign));
  plan.is_bundler_undistorted = true;
  plan.forms.insert(ModelForm::undistorted);
}

// A model without points says nothing of its cameras.
void require_whole(const ExportPlan& plan) {
  if (plan.model.images.empty()) {
    throw Error(ErrorCode::file_error, fmt::format("the model '{}' has no images", plan.folder.string()));
  }
  if (plan.model.points.size() >= least_points) return;
  throw Error(ErrorCode::file_error, fmt::format("the model '{}' has {} points, and without {} it tells nothing of its "
                                                 "cameras",
                                                 plan.folder.string(), plan.model.points.size(), least_points));
}

ExportPlan plan_of(const ExportJob& job, const JobContext& context) {
  if (job.to.empty()) throw Error(ErrorCode::invalid_option, "`to` names no form");
  ExportPlan plan{.folder = exports::find_model(job.model),
                  .model = {},
                  .forms = {job.to.begin(), job.to.end()},
                  .photos = job.photos,
                  .tool = {}};
  plan.model = read_sfm_model(plan.folder);
  require_whole(plan);
  if (plan.photos.empty() && fs::is_directory(job.model / "images")) plan.photos = job.model / "images";
  if (plan.has(ModelForm::transforms)) exports::require_transforms(plan.model);
  if (plan.has(ModelForm::bundler)) plan_bundler(plan, context);
  if (plan.has(ModelForm::bundler) || plan.has(ModelForm::undistorted)) {
    plan.tool = sfm::beside_glomap(find_mapper({.mapper = job.mapper}));
  }
  if (plan.has(ModelForm::bundler)) exports::require_bundler_tool(*plan.tool);
  if (plan.has(ModelForm::transforms) || plan.has(ModelForm::undistorted)) require_photos(plan, context);
  return plan;
}

// Refuses files of others, and lists those that this call makes beside those of earlier ones.
void claim_files(const fs::path& output, const std::set<ModelForm>& forms) {
  require_writable_folder(output);
  const fs::path list = output / list_name;
  std::set<std::string> own;
  if (fs::exists(list)) {
    own = read_json_file(list, [](const Json& json) {
      const auto files = json.at("files").get<std::vector<std::string>>();
      return std::set(files.begin(), files.end());
    });
  }
  for (const ModelForm form : forms) {
    for (const std::string& name : names_of(form)) {
      if (own.insert(name).second && fs::exists(output / name)) {
        throw Error(ErrorCode::file_error,
                    fmt::format("'{}' is there, and octavo export did not make it: give another folder",
                                (output / name).string()));
      }
    }
  }
  make_folder(output);
  write_file(list, json_text({{"files", own}}) + '\n');
}

void write_transforms(const ExportPlan& plan, const fs::path& output, const JobContext& context) {
  SfmModel model = plan.model;
  std::erase_if(model.images, [&](const auto& entry) {
    const std::string& name = entry.second.name;
    if (parse_json(json_text(name)).string() == name) return false;
    report_failure(context, fmt::format("the name of the image '{}' is not UTF-8, which JSON needs", name));
    return true;
  });
  const fs::path photos = fs::relative(plan.photos, output);
  const auto path_of = [&](const SfmImage& image) { return (photos / image.name).generic_string(); };
  write_file(output / transforms_name,
             exports::transforms_of(model, path_of, plan.has(ModelForm::ply) ? points_name : ""));
}

void write_undistorted(const ExportPlan& plan, const exports::ToolJob& tool, const fs::path& output,
                       const JobContext& context) {
  const WholeFolder folder(output / word_of(ModelForm::undistorted));
  exports::undistort(tool, plan.photos, folder.partial(), context);
  for (const auto& [id, image] : plan.model.images) {
    if (fs::exists(folder.partial() / "images" / image.name)) continue;
    report_failure(context,
                   fmt::format("the image '{}' was not undistorted: '{}' tells why", image.name, tool.log.string()));
  }
  folder.finish();
}

void write_bundler(const ExportPlan& plan, exports::ToolJob tool, const fs::path& output, const JobContext& context) {
  if (plan.is_bundler_undistorted) tool.model = output / word_of(ModelForm::undistorted) / "sparse";
  const double error = exports::bundler_error(read_sfm_model(tool.model));
  if (error > 0.5) {
    report_warning(context,
                   fmt::format("Bundler has one focal length, and its principal point is the middle of the image: "
                               "pixels of the images may be {:.1f} off those of bundle.out",
                               error));
  }
  const WholeFolder folder(output / word_of(ModelForm::bundler));
  exports::convert_to_bundler(tool, folder.partial(), context);
  folder.finish();
}

void write_form(ModelForm form, const ExportPlan& plan, const fs::path& output, const JobContext& context) {
  const exports::ToolJob tool{
      .tool = plan.tool.value_or(SfmMapper()), .model = plan.folder, .log = fs::absolute(output) / log_name};
  switch (form) {
    case ModelForm::ply:
      write_file(output / points_name, exports::ply_of_points(plan.model));
      write_file(output / cameras_name, exports::ply_of_cameras(plan.model));
      return;
    case ModelForm::transforms:
      return write_transforms(plan, output, context);
    case ModelForm::bundler:
      return write_bundler(plan, tool, output, context);
    case ModelForm::undistorted:
      return write_undistorted(plan, tool, output, context);
  }
}

}  // namespace

ModelForm model_form_of(std::string_view word) {
  const auto* const found = std::ranges::find(form_words, word);
  if (found == form_words.end()) {
    throw Error(ErrorCode::invalid_option,
                InvalidOption{"to", fmt::format("\"{}\"", word), "must be ply, transforms, bundler or undistorted"});
  }
  return static_cast<ModelForm>(found - form_words.begin());
}

std::string_view word_of(ModelForm form) { return form_words.at(static_cast<std::size_t>(form)); }

ExportSummary export_model(const ExportJob& job, const JobContext& context) {
  const ExportPlan plan = plan_of(job, context);
  claim_files(job.output, plan.forms);
  ExportSummary summary{
      .model = fs::absolute(plan.folder), .images = plan.model.images.size(), .points = plan.model.points.size()};
  if (plan.tool) write_file(job.output / log_name, std::string_view());
  // Bundler's files may be of the undistorted images.
  for (const ModelForm form : {ModelForm::ply, ModelForm::transforms, ModelForm::undistorted, ModelForm::bundler}) {
    if (!plan.has(form)) continue;
    if (context.stop.stop_requested()) return summary;
    report_item(context.progress, std::string(word_of(form)));
    try {
      write_form(form, plan, job.output, context);
    } catch (const Error&) {
      if (context.stop.stop_requested()) return summary;
      throw;
    }
    ModelFiles& made = summary.made.emplace_back(ModelFiles{.form = form});
    for (const std::string& name : names_of(form)) made.files.push_back(fs::absolute(job.output / name));
  }
  summary.is_finished = true;
  return summary;
}

std::string json_of(const ExportSummary& summary, const std::vector<std::string>& problems,
                    const std::vector<std::string>& warnings) {
  Json made = Json::array();
  for (const ModelFiles& one : summary.made) {
    Json files = Json::array();
    for (const fs::path& file : one.files) files.push_back(file.string());
    made.push_back({{"form", word_of(one.form)}, {"files", files}});
  }
  return json_text({{"model", summary.model.string()},
                    {"image_count", summary.images},
                    {"point_count", summary.points},
                    {"made", made},
                    {"problems", problems},
                    {"warnings", warnings}});
}

}  // namespace octavo
