// octavo filter: filters pictures. `octavo filter trilateral` smooths along gradients and keeps edges.

#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "octavo/imageio.h"
#include "octavo/output_file.h"
#include "octavo/stopwatch.h"
#include "octavo/trilateral.h"

namespace octavo::cli {
namespace {

constexpr auto filter_description = R"(filter an image

Smooths a picture. Each filter has its own manual.)";

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
of a colour picture, and red, green and blue follow it. The result has the
channels and the depth of the input, as far as the output's format can hold
them.)";

constexpr auto footer = R"(Examples:
  octavo filter trilateral photo.jpg -o smooth.png
  octavo filter trilateral scan.tif -o smooth.tif --sigma 6 --window certified

Exit codes:
  0  done
  1  the image cannot be read or written
  2  the call was wrong)";

// What the command line asks for.
struct Call {
  std::string image, output;
  ReadOptions read;
  TrilateralOptions options;
  DeviceOptions device;
};

void run(const Call& call) {
  const std::array<std::filesystem::path, 1> written{call.output};
  require_not_read(written, std::array<std::filesystem::path, 1>{call.image});
  require_writable_pictures(written, false);
  Progress progress;
  DeviceOptions device = call.device;
  device.progress = progress.sink();
  progress.show(call.image);
  Trilateral trilateral(call.options, device);
  const Image image = read_image(call.image, call.read);
  require_writable_pictures(written, image.channels() > 2);
  const Stopwatch stopwatch;
  const Image filtered = trilateral.filter(image.view());
  const double milliseconds = stopwatch.milliseconds();
  progress.show(call.output);
  write_image(call.output, filtered.view());
  progress.clear();
  fmt::print("{}: {}x{}, {:.1f} ms\n", call.output, filtered.width(), filtered.height(), milliseconds);
}

void add_trilateral(CLI::App& filter) {
  const auto call = std::make_shared<Call>();
  CLI::App& command = add_command(filter, "trilateral", description, footer);
  command.add_option("IMAGE", call->image, "The picture, in any format that `octavo extract` reads.")
      ->required()
      ->type_name("FILE");
  command
      .add_option("-o,--output", call->output,
                  "Write the result to this file. Its ending chooses the format (.png, ...).")
      ->required()
      ->type_name("FILE");
  add_read_options(command, call->read);
  add_trilateral_options(command, call->options);
  add_device_options(command, call->device);
  command.callback([call] { run(*call); });
}

}  // namespace

void add_filter(CLI::App& program) {
  CLI::App& filter = add_command(program, "filter", filter_description, filter_footer);
  filter.require_subcommand(0, 1);
  filter.callback([&filter] {
    if (filter.get_subcommands().empty()) throw CLI::ValidationError("no filter given (see octavo filter --help)");
  });
  add_trilateral(filter);
}

}  // namespace octavo::cli
