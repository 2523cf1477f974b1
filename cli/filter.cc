// octavo filter: filters images. `octavo filter trilateral` smooths along gradients and keeps edges.

#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/estimate.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/standard_streams.h"
#include "cli/wrong_call.h"
#include "engine/core/stopwatch.h"
#include "io/files/output_file.h"
#include "octavo/io/image_files.h"
#include "octavo/trilateral.h"

namespace octavo::cli {
namespace {

constexpr auto filter_description = R"(filter an image

Smooths an image. Each filter has its own manual.)";

constexpr auto filter_footer = R"(Examples:
  octavo filter trilateral photo.jpg -o smooth.png

Exit codes:
  0  done
  1  the image cannot be read or written
  2  the call was wrong)";

constexpr auto description = R"(smooth an image and keep its edges

The trilateral filter of Choudhury and Tumblin (2003): each pixel becomes a
weighted mean of its window. The window is tilted along the gradient and reaches
as far as the gradients around the pixel are alike. The filter works on the luma
of a colour image, and red, green and blue follow it. The result has the
channels and the depth of the input, as far as the output's format can hold
them.

The image is read from the standard input if it is "-". "-o -" writes the
result as PNG to the standard output, and nothing else.)";

constexpr auto footer = R"(Examples:
  octavo filter trilateral photo.jpg -o smooth.png
  octavo filter trilateral scan.tif -o smooth.tif --sigma 6 --trilateral-window certified
  cat photo.jpg | octavo filter trilateral - -o - > smooth.png

Exit codes:
  0  done
  1  the image cannot be read or written; with --estimate: there is not enough
     memory
  2  the call was wrong)";

// What the command line asks for.
struct Call {
  std::string image, output;
  ReadOptions read;
  bool estimate = false, json = false;
  TrilateralOptions options;
  DeviceOptions device;
};

int print_estimate(const Call& call) {
  const Trilateral trilateral(call.options, call.device);
  const auto estimate = [&](const ImageView& shape) { return std::vector{trilateral.estimate(shape)}; };
  // The image, a copy of the result in the encoder's order of channels, and the file.
  constexpr std::size_t images = 3;
  return print_estimates(std::array{call.image},
                         {.read = call.read, .json = call.json, .images_at_a_time = images, .estimate = estimate});
}

void run(const Call& call) {
  const std::array<std::filesystem::path, 1> written{call.output};
  if (!is_standard_stream(call.output)) require_not_read(written, std::array<std::filesystem::path, 1>{call.image});
  require_writable_image(call.output, false);
  Progress progress;
  DeviceOptions device = call.device;
  device.progress = progress.sink();
  progress.show(call.image);
  Trilateral trilateral(call.options, device);
  const Photograph image = read_photograph(call.image, call.read);
  require_writable_image(call.output, image.image.channels() > 2);
  const Stopwatch stopwatch;
  Image filtered = trilateral.filter(image.image.view());
  const double milliseconds = stopwatch.milliseconds();
  restore_values(filtered, image.scale, image_name(call.output));
  progress.show(call.output);
  write_output_image(call.output, filtered.view());
  progress.clear();
  if (is_standard_stream(call.output)) return;
  fmt::print("{}: {}x{}, {:.1f} ms\n", call.output, filtered.width(), filtered.height(), milliseconds);
}

void add_trilateral(Command& filter, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(filter, "trilateral", description, footer);
  command
      .add_option("IMAGE", call->image,
                  "The image, in any format that `octavo extract` reads; - is the standard input.")
      .required()
      .type_name("FILE");
  CommandOption& output =
      command
          .add_option("-o,--output", call->output,
                      "Write the result to this file. Its ending chooses the format (.png, ...); - is PNG on the "
                      "standard output.")
          .required()
          .type_name("FILE");
  CommandOption& only_estimate = add_estimate(command, "filter", output, call->estimate);
  command.add_flag("--json", call->json, "Print the estimate as JSON, as `octavo extract --help` shows it.")
      .needs(only_estimate);
  add_read_options(command, call->read);
  add_trilateral_options(command, call->options);
  add_device_options(command, call->device);
  command.callback([call, &exit_code] {
    if (call->estimate) {
      exit_code = print_estimate(*call);
    } else {
      run(*call);
    }
  });
}

}  // namespace

void add_filter(Command& program, int& exit_code) {
  Command& filter = add_command(program, "filter", filter_description, filter_footer);
  filter.callback([&filter] {
    if (filter.chosen() == nullptr) throw WrongCall("no filter given (see octavo filter --help)");
  });
  add_trilateral(filter, exit_code);
}

}  // namespace octavo::cli
