// The options that several commands share.

#include "cli/options.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace octavo::cli {
namespace {

void add_smoothing_options(CLI::App& command, SiftOptions& options, const std::string& group) {
  command
      .add_option_function<std::string>(
          "--smoothing",
          [&options](const std::string& name) {
            const Smoothing chosen = name == "trilateral" ? Smoothing::trilateral : Smoothing::gaussian;
            // Each with its own default for what comes after it; an edge threshold that is given comes later.
            if (chosen != options.smoothing) {
              options.edge_threshold = chosen == Smoothing::trilateral ? 0 : SiftOptions().edge_threshold;
            }
            options.smoothing = chosen;
          },
          "What smooths the images within an octave: Gaussian blurs, or the trilateral filter, which leaves edges "
          "steep, finds some times as many points and takes much longer. With it there is no edge test unless "
          "--edge-threshold is given.")
      ->check(CLI::IsMember({"gaussian", "trilateral"}))
      ->default_str("gaussian")
      ->group(group);
  add_choice<SmoothingSchedule>(
      command, "--trilateral-schedule", options.trilateral_schedule,
      {{"direct", SmoothingSchedule::direct}, {"incremental", SmoothingSchedule::incremental}},
      "What an image of trilateral smoothing is filtered from: the first of its octave, or the one before it.")
      ->group(group);
  add_choice<TrilateralRange>(
      command, "--trilateral-range", options.trilateral_range,
      {{"contrast", TrilateralRange::contrast}, {"gradients", TrilateralRange::gradients}},
      "What differences trilateral smoothing takes for small ones: by the contrast of the picture, which the contrast "
      "threshold follows too, or by the steepest of its edges, as in the sources.")
      ->group(group);
  add_choice<TrilateralWindow>(
      command, "--trilateral-window", options.trilateral_window,
      {{"power-of-two", TrilateralWindow::power_of_two}, {"certified", TrilateralWindow::certified}},
      "How large its windows are where gradients are alike up to F pixels away: 2^F / 2 pixels to each side, as in the "
      "sources, or F.")
      ->group(group);
}

}  // namespace

void add_sift_options(CLI::App& command, SiftOptions& options) {
  const std::string detection = "Detection options", selection = "Selection options",
                    description = "Description options";

  // CLI11 assigns options in the order of their definition: the preset first, then what overrides it.
  command
      .add_option_function<std::string>(
          "--preset", [&options](const std::string& name) { options = preset(name); },
          "Start from the options of a published system. Options given besides it override it.")
      ->check(CLI::IsMember(preset_names()))
      ->group(detection);
  add_number(command, "--first-octave", options.first_octave, "N",
             "First octave: -1 works on the image doubled and finds small points too, 0 on the image as it is and is "
             "about four times faster. Range: -1 to 0.")
      ->group(detection);
  add_number(command, "--max-octaves", options.max_octaves, "N",
             "Octaves at most; 0: until the short side is below 12 pixels. Range: 0 to 32.")
      ->group(detection);
  add_number(command, "--layers", options.layers, "N", "Scales per octave at which extrema are sought. Range: 1 to 8.")
      ->group(detection);
  add_number(command, "--sigma", options.sigma, "PX",
             "Blur of each octave's first image, in pixels of the octave. Range: 0.8 to 4.")
      ->group(detection);
  add_number(command, "--assumed-blur", options.assumed_blur, "PX",
             "Blur that the camera left in the image, in pixels. Range: 0 to 4.")
      ->group(detection);
  add_smoothing_options(command, options, detection);
  add_number(command, "--contrast-threshold", options.contrast_threshold, "T",
             "Drop a point if its contrast times the layers is below T, images being 0 to 1. Range: 0 to 1.")
      ->group(detection);
  add_number(command, "--edge-threshold", options.edge_threshold, "R",
             "Drop a point on an edge: the largest ratio of principal curvatures, or 0 for no edge test. Range: 1 to "
             "1000.")
      ->group(detection);
  add_choice<Luma>(command, "--luma", options.luma, {{"bt709", Luma::bt709}, {"bt601", Luma::bt601}},
                   "Weights that turn colour into grey; bt601 are OpenCV's.")
      ->group(detection);

  add_number(command, "--max-features", options.max_features, "N",
             "Keep the N best points; 0 keeps all. Range: 0 to 100000000.")
      ->group(selection);
  add_choice<Rank>(command, "--rank", options.rank, {{"response", Rank::response}, {"scale", Rank::scale}},
                   "Which points are best where --max-features is given: the strongest or the largest.")
      ->group(selection);
  add_number(command, "--grid", options.grid, "G",
             "Share --max-features among G by G cells of the image, so that points do not crowd. Range: 1 to 64.")
      ->group(selection);

  add_choice<DescriptorKind>(command, "--descriptor", options.descriptor,
                             {{"sift", DescriptorKind::sift}, {"rootsift", DescriptorKind::rootsift}},
                             "Descriptors after Lowe (2004), or RootSIFT after Arandjelovic and Zisserman (2012).")
      ->group(description);
  add_number(command, "--max-orientations", options.max_orientations, "N",
             "Keypoints at most that one point gives, one for each strong orientation. Range: 1 to 4.")
      ->group(description);
  command
      .add_flag("--upright", options.upright,
                "One keypoint per point, orientation 0: for pictures that are not rotated.")
      ->group(description);
}

void add_trilateral_options(CLI::App& command, TrilateralOptions& options) {
  using Window = TrilateralWindow;
  const std::string group = "Filter options";
  add_number(command, "--sigma", options.sigma, "PX",
             "How far pixels count: the deviation of the spatial weights. From 3 on the gradients are smoothed too. "
             "Range: 0.5 to 32.")
      ->group(group);
  add_choice<Window>(
      command, "--window", options.window, {{"power-of-two", Window::power_of_two}, {"certified", Window::certified}},
      "How large windows are where gradients are alike up to F pixels away: 2^F / 2 pixels to each side, "
      "as in the sources, or F.")
      ->group(group);
  add_choice<Luma>(command, "--luma", options.luma, {{"bt709", Luma::bt709}, {"bt601", Luma::bt601}},
                   "Weights that turn colour into luma; bt601 are OpenCV's.")
      ->group(group);
}

void add_device_options(CLI::App& command, DeviceOptions& options) {
  const std::string group = "Device options";
  command
      .add_option("--device", options.name,
                  "Where to compute: a name that `octavo devices` lists, such as cuda:0, opencl:0 or cpu; auto takes "
                  "the first conformant GPU, otherwise the CPU. Several GPUs share the images of an extraction: "
                  "cuda:0,cuda:1, or cuda:all. The result is the same on all.")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  command
      .add_option(
          "--isa", options.isa,
          "Instruction set of the cpu device; `octavo devices` lists those of this machine, auto takes the best.")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  add_number(command, "--threads", options.threads, "N", "CPU threads; 0 uses every core. Range: 0 to 1024.")
      ->group(group);
  constexpr std::size_t bytes_of_mib = std::size_t{1} << 20, most = std::numeric_limits<std::int32_t>::max();
  command
      .add_option_function<std::size_t>(
          "--gpu-memory", [&options](std::size_t mib) { options.gpu_memory = mib * bytes_of_mib; },
          "Memory of a GPU to use at most, in MiB; 0 uses what it has. Range: 0 to 2147483647.")
      ->type_name("MIB")
      ->check(CLI::Range(std::size_t{0}, most).description(""))
      ->default_str("0")
      ->group(group);
}

void add_match_options(CLI::App& command, MatchOptions& options) {
  const std::string group = "Matching options";
  add_number(command, "--ratio", options.ratio, "R",
             "Keep a match only if its distance is below R times that of the second nearest; 1 keeps all. "
             "Range: 0.0001 to 1.")
      ->group(group);
  command
      .add_flag_callback(
          "--no-mutual", [&options] { options.mutual = false; },
          "Keep a match even if its point of A is not the nearest of its point of B.")
      ->group(group);
  // The library compares squared distances, which are whole numbers; people think in distances.
  command
      .add_option_function<double>(
          "--max-distance",
          [&options](double distance) { options.max_distance2 = static_cast<std::uint32_t>(distance * distance); },
          "Drop matches whose descriptors are farther apart than D. Range: 0 to 2886. Default: no limit.")
      ->type_name("D")
      ->check(CLI::Range(0.0, 2886.0).description(""))
      ->group(group);
}

void add_robust_options(CLI::App& command, RobustOptions& options) {
  using Method = RobustOptions::Method;
  const std::string group = "Homography options";
  add_choice<Method>(command, "--method", options.method,
                     {{"magsac", Method::magsac}, {"ransac", Method::ransac}, {"prosac", Method::prosac}},
                     "Robust estimator: MAGSAC++ (2020), RANSAC or PROSAC.")
      ->group(group);
  add_number(command, "--threshold", options.threshold, "PX",
             "Largest error of an inlier, in pixels of B. Range: 0.001 to 1000.")
      ->group(group);
  add_number(command, "--confidence", options.confidence, "P",
             "Probability with which the best model is to be found. Range: 0.000001 to 0.999999.")
      ->group(group);
  add_number(command, "--max-iterations", options.max_iterations, "N", "Samples at most. Range: 1 to 10000000.")
      ->group(group);
  add_number(command, "--seed", options.seed, "N", "Seed of the sampling; the same seed gives the same model.")
      ->group(group);
}

void add_read_options(CLI::App& command, bool& apply_exif_rotation) {
  command.add_flag_callback(
      "--no-exif-rotation", [&apply_exif_rotation] { apply_exif_rotation = false; },
      "Take the pixels as they are stored, whatever rotation the camera noted.");
}

std::string as_option_error(const CLI::App& command, const std::string& sentence) {
  const std::size_t end = sentence.find(" is ");
  if (end == std::string::npos) return sentence;
  const std::size_t begin = sentence.rfind(' ', end - 1) + 1;
  std::string option = "--" + sentence.substr(begin, end - begin);
  std::replace(option.begin(), option.end(), '_', '-');
  if (command.get_option_no_throw(option) == nullptr) return sentence;
  return option + sentence.substr(end);
}

}  // namespace octavo::cli
