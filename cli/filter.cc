// octavo filter: filters images. `octavo filter trilateral` smooths along gradients and keeps edges.

#include "cli/command.h"
#include "cli/estimate.h"
#include "io/files/one_line.h"
#include "octavo/image_view.h"
#include "octavo/jobs/image_jobs.h"
#include "octavo/trilateral.h"

namespace octavo::cli {
namespace {

struct Call {
  std::string image, output;
  bool estimate = false, json = false;
  FilterJob job;
};

int print_estimate(const Call& call) {
  const Trilateral trilateral(call.job.options, call.job.device);
  const auto estimate = [&](const ImageView& shape) { return std::vector{trilateral.estimate(shape)}; };
  // The image, a copy of the result in the encoder's order of channels, and the file.
  constexpr std::size_t images = 3;
  return print_estimates(
      {.images = {{call.image, {}}}, .read = call.job.read, .images_at_a_time = images, .estimate = estimate},
      call.json);
}

int run(Call& call) {
  const bool is_streamed = is_standard_stream(call.output);
  if (is_streamed) require_no_terminal_for_bytes();
  FilterJob& job = call.job;
  job.items = {{call.image, is_streamed ? "" : call.output}};
  job.standard_input = read_standard_input;
  Work work(Work::Signal::ends_program);
  job.take = [&](const FilteredImage& done) {
    work.progress().clear();
    if (is_streamed) {
      write_output_image(call.output, done.image);
    } else {
      fmt::print("{}: {}x{}, {:.1f} ms\n", io::on_one_line(call.output), done.image.width, done.image.height,
                 1000 * done.seconds);
    }
    return true;
  };
  filter_images(job, work.context());
  return work.exit_code();
}

}  // namespace

void define_filter_trilateral(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("IMAGE", call->image).required();
  CommandOption& output = command.add_option("-o,--output", call->output).required();
  CommandOption& only_estimate = add_estimate(command, "filter", output, call->estimate);
  command.add_flag("--json", call->json).needs(only_estimate);
  add_read_options(command, call->job.read);
  add_options(command, call->job.options);
  add_device_options(command, call->job.device);
  command.action = [call] { return call->estimate ? print_estimate(*call) : run(*call); };
}

void define_filter(Command& command) { command.add_commands("filter", {filter_trilateral_command}); }

}  // namespace octavo::cli
