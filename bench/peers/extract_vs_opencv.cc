// Times SIFT keypoints and descriptors of a photograph by Octavo and cv::SIFT in turns, on the same grey pixels, with
// the same number of threads and the same number of keypoints. Octavo's contrast threshold is lowered until it finds at
// least as many keypoints as OpenCV with its defaults. Peak memory is that of a separate process that extracts once.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <opencv2/core.hpp>
#include <opencv2/features2d.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "octavo/extractor.h"
#include "octavo/sift_options.h"
#include "record.h"
#include "timing.h"

namespace {

using Json = nlohmann::ordered_json;
using octavo::bench::median;
using octavo::bench::milliseconds;

// The middle of the photograph in the wanted proportions, scaled to the wanted size.
cv::Mat photograph(const std::string& file, int width, int height) {
  const cv::Mat whole = cv::imread(file, cv::IMREAD_GRAYSCALE);
  if (whole.empty()) throw std::runtime_error(file + " cannot be read");
  const double scale = std::max(double(width) / whole.cols, double(height) / whole.rows);
  const cv::Size part(std::min(whole.cols, cvRound(width / scale)), std::min(whole.rows, cvRound(height / scale)));
  const cv::Rect middle((whole.cols - part.width) / 2, (whole.rows - part.height) / 2, part.width, part.height);
  cv::Mat scaled;
  cv::resize(whole(middle), scaled, cv::Size(width, height), 0, 0, scale < 1 ? cv::INTER_AREA : cv::INTER_CUBIC);
  return scaled;
}

octavo::ImageView view_of(const cv::Mat& image) {
  return {image.data, image.cols, image.rows, 1, octavo::PixelType::u8, static_cast<std::ptrdiff_t>(image.step[0])};
}

std::size_t opencv_once(const cv::Mat& image) {
  std::vector<cv::KeyPoint> keypoints;
  cv::Mat descriptors;
  cv::SIFT::create()->detectAndCompute(image, cv::noArray(), keypoints, descriptors);
  return keypoints.size();
}

octavo::SiftOptions options_of_opencv(double contrast_threshold) {
  octavo::SiftOptions options = octavo::preset("opencv");
  options.contrast_threshold = contrast_threshold;
  return options;
}

// The highest contrast threshold at which Octavo finds at least `wanted` keypoints.
double matching_contrast(const cv::Mat& image, std::size_t wanted) {
  double low = 0, high = 0.2;  // `low` gives enough keypoints, `high` too few
  for (int i = 0; i < 14; ++i) {
    const double middle = (low + high) / 2;
    (octavo::Extractor(options_of_opencv(middle)).extract(view_of(image)).size() >= wanted ? low : high) = middle;
  }
  return low;
}

double peak_mebibytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;
  }
  return 0;
}

struct Job {
  std::string file;
  int width, height, threads, rounds;
};

Json compare(const Job& job, const std::string& program) {
  const cv::Mat image = photograph(job.file, job.width, job.height);
  cv::setNumThreads(job.threads);
  const std::size_t wanted = opencv_once(image);
  const double contrast = matching_contrast(image, wanted);
  octavo::Extractor extractor(options_of_opencv(contrast), {.name = "cpu", .threads = job.threads});

  std::size_t found = 0;
  std::vector<double> our_times, their_times, ratios;
  for (int round = -1; round < job.rounds; ++round) {  // round -1 is a warm-up
    const double ours = milliseconds([&] { found = extractor.extract(view_of(image)).size(); });
    const double theirs = milliseconds([&] { opencv_once(image); });
    if (round < 0) continue;
    our_times.push_back(ours);
    their_times.push_back(theirs);
    ratios.push_back(theirs / ours);
  }
  const auto memory_of = [&](const char* who) {
    return std::stod(
        octavo::bench::first_line_of(fmt::format("'{}' --photographs '{}' --sizes {}x{} --threads {} --memory-of {} "
                                                 "--contrast {}",
                                                 program, job.file, job.width, job.height, job.threads, who, contrast)
                                         .c_str()));
  };
  return {{"photograph", job.file.substr(job.file.rfind('/') + 1)},
          {"width", job.width},
          {"height", job.height},
          {"threads", job.threads},
          {"isa", extractor.isa()},
          {"octavo_keypoints", found},
          {"opencv_keypoints", wanted},
          {"octavo_ms", median(our_times)},
          {"opencv_ms", median(their_times)},
          {"ratio", median(ratios)},
          {"smallest_ratio", std::ranges::min(ratios)},
          {"octavo_peak_mib", memory_of("octavo")},
          {"opencv_peak_mib", memory_of("opencv")}};
}

int run(int argc, char** argv) {
  std::vector<std::string> photographs{"/usr/share/backgrounds/aitzgorri_by_Aitzol_Berasategi.jpg",
                                       "/usr/share/backgrounds/Dragonfly_by_Bolly.jpg"};
  std::vector<std::string> sizes{"640x480", "1280x720", "1920x1080", "3840x2160"};
  std::vector<int> threads{1, 2};
  int rounds = 7;
  std::string json_file, memory_of;
  double contrast = 0.04;
  CLI::App app("Octavo's SIFT against cv::SIFT, in turns");
  app.add_option("--photographs", photographs, "files")->delimiter(',')->check(CLI::ExistingFile);
  app.add_option("--sizes", sizes, "WxH that each is cut and scaled to")->delimiter(',');
  app.add_option("--threads", threads, "of both")->delimiter(',')->check(CLI::Range(1, 1024));
  app.add_option("--rounds", rounds, "of which the median counts")->check(CLI::Range(1, 1000));
  app.add_option("--json", json_file, "also write the figures to this file");
  app.add_option("--memory-of", memory_of, "octavo or opencv: extract once, print the peak memory [MiB]");
  app.add_option("--contrast", contrast, "Octavo's threshold, with --memory-of");
  CLI11_PARSE(app, argc, argv);

  Json report = octavo::bench::record(argc, argv);
  report["peer"] = "cv::SIFT, OpenCV " CV_VERSION;
  report["rounds"] = rounds;
  if (memory_of.empty()) {
    fmt::print("{:32} {:>10} {:>7} {:>15} {:>11} {:>11} {:>6} {:>17}\n", "photograph", "size", "threads", "keypoints",
               "octavo [ms]", "opencv [ms]", "ratio", "peak memory [MiB]");
  }
  for (const std::string& file : photographs) {
    for (const std::string& size : sizes) {
      for (const int t : threads) {
        const Job job{file, std::stoi(size), std::stoi(size.substr(size.find('x') + 1)), t, rounds};
        if (!memory_of.empty()) {
          const cv::Mat image = photograph(job.file, job.width, job.height);
          cv::setNumThreads(t);
          if (memory_of == "opencv") {
            opencv_once(image);
          } else {
            octavo::Extractor(options_of_opencv(contrast), {.name = "cpu", .threads = t}).extract(view_of(image));
          }
          fmt::print("{:.1f}\n", peak_mebibytes());
          return 0;
        }
        const Json row = compare(job, argv[0]);
        fmt::print("{:32.32} {:>10} {:7} {:7} {:7} {:11.1f} {:11.1f} {:6.2f} {:8.0f} {:8.0f}\n",
                   row["photograph"].get<std::string>(), size, t, row["octavo_keypoints"].get<int>(),
                   row["opencv_keypoints"].get<int>(), row["octavo_ms"].get<double>(), row["opencv_ms"].get<double>(),
                   row["ratio"].get<double>(), row["octavo_peak_mib"].get<double>(),
                   row["opencv_peak_mib"].get<double>());
        report["results"].push_back(row);
      }
    }
  }
  if (!json_file.empty()) std::ofstream(json_file) << report.dump(2) << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
}
