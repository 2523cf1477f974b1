#include "multiview/exports/undistort.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "multiview/sfm/child_program.h"
#include "multiview/sfm/mapper.h"
#include "octavo/error.h"

namespace octavo {

extern const std::string_view pycolmap_undistort_py;

namespace exports {
namespace {

namespace fs = std::filesystem;

void run_tool(const ToolJob& job, const std::vector<std::string>& words, const sfm::LineSink& sink,
              const std::stop_token& stop) {
  const sfm::ProgramEnd end = sfm::run_program(words, job.log, sink, stop);
  if (end.stopped) throw Error(ErrorCode::file_error, "COLMAP was ended by a request");
  if (!end.is_success()) {
    throw Error(ErrorCode::file_error, sfm::failure_of_program(std::string(name_of(job.tool.kind)), end, job.log));
  }
}

// The 3 of "Undistorting image [3/10]"; 0 of another line.
std::size_t undistorted_by(std::string_view line) {
  constexpr std::string_view words = "Undistorting image [";
  const std::size_t at = line.find(words);
  std::size_t count = 0;
  if (at != std::string_view::npos) {
    std::from_chars(line.data() + at + words.size(), line.data() + line.size(), count);
  }
  return count;
}

}  // namespace

void undistort(const ToolJob& job, const fs::path& photos, const fs::path& output, const JobContext& context) {
  const std::string& program = job.tool.program;
  const std::string model = job.model.string(), from = photos.string(), to = output.string();
  const std::size_t total = read_sfm_model(job.model).images.size();
  report(context.progress, "images undistorted", 0, total);
  run_tool(
      job,
      job.tool.kind == SfmMapper::Kind::pycolmap
          ? std::vector{program, std::string("-u"), std::string("-c"), std::string(pycolmap_undistort_py), to, model,
                        from}
          : std::vector{program, std::string("image_undistorter"), std::string("--image_path"), from,
                        std::string("--input_path"), model, std::string("--output_path"), to},
      [&](std::string_view line) {
        if (const std::size_t done = undistorted_by(line); done > 0)
          report(context.progress, "images undistorted", std::min(done, total), total);
      },
      context.stop);
}

void require_bundler_tool(const SfmMapper& tool) {
  if (tool.kind != SfmMapper::Kind::pycolmap) return;
  sfm::refuse_mapper("bundler needs the program COLMAP, since pycolmap has no converter to it");
}

void convert_to_bundler(const ToolJob& job, const fs::path& output, const JobContext& context) {
  const fs::path begin = output / "model";
  run_tool(job,
           {job.tool.program, "model_converter", "--input_path", job.model.string(), "--output_path", begin.string(),
            "--output_type", "Bundler"},
           {}, context.stop);
  fs::rename(output / "model.bundle.out", output / "bundle.out");
  fs::rename(output / "model.list.txt", output / "list.txt");
}

}  // namespace exports
}  // namespace octavo
