// octavo export: a model of cameras and points in the files of other programs.

#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/list.h"
#include "cli/work.h"
#include "octavo/jobs/collection_jobs.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(write a model of cameras and points for other programs

Writes a model of octavo sfm, or of COLMAP, GLOMAP or pycolmap, in the files of
other programs: as a point cloud, for radiance fields and splats, for Bundler's
followers, and without distortion for dense reconstruction.)";

constexpr auto footer = R"(MODEL is a folder of octavo sfm, of which the largest model is taken, one of its
models (MODEL/sparse/0), or any folder with a model of COLMAP (cameras, images
and points3D, .bin or .txt). Places stay those of the model: in metres east,
north and up after octavo sfm --gps.

The folder OUT gets, for the words of --to
  ply          points.ply: the points with their colours
               cameras.ply: a pyramid for each camera, as a mesh
  transforms   transforms.json of nerfstudio and instant-ngp, which names the
               photographs where they are. With ply it names points.ply too
  undistorted  undistorted/images without distortion, undistorted/sparse with
               their PINHOLE cameras; COLMAP and OpenMVS go on from there
  bundler      bundler/bundle.out and list.txt. Cameras that Bundler has nothing
               like are undistorted first; a warning says so
and export.json, the list of what was made, and export.log, what COLMAP printed.
A later call replaces what is on that list, and refuses to replace other files.

transforms and undistorted need the photographs: --photos, or a folder images in
MODEL. transforms.json cannot express the camera models FULL_OPENCV, FOV and
THIN_PRISM_FISHEYE; export undistorted then, and transforms of that folder.
undistorted needs COLMAP or pycolmap, bundler COLMAP.

JSON:
  {"model": "/home/me/model/sparse/0", "image_count": 11, "point_count": 2210,
   "made": [{"form": "ply", "files": ["/home/me/out/points.ply",
     "/home/me/out/cameras.ply"]}, ...],
   "problems": [], "warnings": []}

Examples:
  octavo export model -o out --to ply
  octavo export model -o out --photos photos/ --to ply,transforms
  octavo export model -o out --photos photos/ --to undistorted,bundler
  octavo export out/undistorted -o pinhole --to transforms

Exit codes:
  0  done
  1  no model, no COLMAP, or a form that cannot hold the model; or an image is
     missing, see the error stream: the files are made of the others
  2  the call was wrong
  130, 143  the run was interrupted (SIGINT, SIGTERM))";

struct Call {
  ExportJob job;
  bool json = false;
};

int run(const Call& call) {
  Work work;
  const ExportSummary summary = export_model(call.job, work.context());
  if (!summary.is_finished) work.end_if_interrupted();
  work.progress().clear();
  if (call.json) {
    fmt::print("{}\n", json_of(summary, work.failures(), work.warnings()));
    return work.exit_code();
  }
  fmt::print("model               {}: {} images, {} points\n", summary.model.string(), summary.images, summary.points);
  for (const ModelFiles& made : summary.made) {
    for (const auto& file : made.files) fmt::print("{:<20}{}\n", word_of(made.form), file.string());
  }
  return work.exit_code();
}

}  // namespace

void add_export(Command& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  ExportJob& job = call->job;
  Command& command = add_command(program, "export", description, footer);
  command.add_option("MODEL", job.model, "The folder of the model.").required().type_name("DIR");
  command.add_option("-o,--output", job.output, "The folder of the files, which is made.").required().type_name("OUT");
  const auto take_forms = [call](const std::vector<std::string>& words) {
    call->job.to.clear();
    for (const std::string& word : words) call->job.to.push_back(model_form_of(word));
  };
  add_list(command, "--to", take_forms, "What to write: ply, transforms, bundler, undistorted, or several of them.")
      .required()
      .type_name("FORM,...");
  command
      .add_option("--photos", job.photos,
                  "The folder of the photographs, as octavo sfm took it. By default the folder images in MODEL.")
      .type_name("DIR");
  command
      .add_option(
          "--mapper", job.mapper,
          "The COLMAP that undistorts and converts: colmap, pycolmap, the path of one of them, or auto: the first "
          "of these that is installed.")
      .type_name("NAME")
      .default_str("auto");
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");
  command.callback([call, &exit_code] { exit_code = run(*call); });
}

}  // namespace octavo::cli
