// Times the search for the two nearest neighbours of N descriptors among N others by Octavo and cv::BFMatcher (float
// descriptors, NORM_L2, knn with k = 2) in turns, each on the same number of threads. Both must find the same
// distances.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <opencv2/core.hpp>
#include <opencv2/features2d.hpp>
#include <random>

#include "octavo/matcher.h"
#include "record.h"
#include "timing.h"

namespace {

using octavo::descriptor_length;
using octavo::NearestTwo;
using octavo::bench::median;
using octavo::bench::milliseconds;
using Json = nlohmann::ordered_json;

std::vector<std::uint8_t> random_descriptors(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> bytes(n * descriptor_length);
  for (std::uint8_t& x : bytes) x = static_cast<std::uint8_t>(random() % 128);
  return bytes;
}

cv::Mat as_floats(std::vector<std::uint8_t>& bytes) {
  const int rows = static_cast<int>(bytes.size() / descriptor_length);
  cv::Mat floats;
  cv::Mat(rows, static_cast<int>(descriptor_length), CV_8U, bytes.data()).convertTo(floats, CV_32F);
  return floats;
}

// The number of rows in which the distances differ. Indices may differ if two distances are equal.
int disagreements(const std::vector<NearestTwo>& ours, const std::vector<std::vector<cv::DMatch>>& theirs) {
  int count = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    for (std::size_t k = 0; k < 2; ++k) {
      const double distance = theirs[i][k].distance;
      if (std::llround(distance * distance) != ours[i].distance2[k]) {
        ++count;
        break;
      }
    }
  }
  return count;
}

Json compare(int n, int threads, int rounds) {
  std::vector<std::uint8_t> a = random_descriptors(n, 1), b = random_descriptors(n, 2);
  const cv::Mat a_floats = as_floats(a), b_floats = as_floats(b);
  octavo::Matcher matcher({}, {.name = "cpu", .threads = threads});
  const cv::BFMatcher bf(cv::NORM_L2);
  cv::setNumThreads(threads);

  std::vector<NearestTwo> ours;
  std::vector<std::vector<cv::DMatch>> theirs;
  std::vector<double> our_times, their_times, ratios;
  for (int round = -1; round < rounds; ++round) {  // round -1 is a warm-up
    const double our_time = milliseconds([&] { ours = matcher.nearest_two(a, b); });
    const double their_time = milliseconds([&] { bf.knnMatch(a_floats, b_floats, theirs, 2); });
    if (round < 0) continue;
    our_times.push_back(our_time);
    their_times.push_back(their_time);
    ratios.push_back(their_time / our_time);
  }
  return {{"size", n},
          {"threads", threads},
          {"isa", matcher.isa()},
          {"octavo_ms", median(our_times)},
          {"bfmatcher_ms", median(their_times)},
          {"ratio", median(ratios)},
          {"smallest_ratio", std::ranges::min(ratios)},
          {"disagreements", disagreements(ours, theirs)}};
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<int> sizes{2048, 4096, 8192}, threads{1, 2};
  int rounds = 5;
  std::string json_file;
  CLI::App app("Octavo's matching against cv::BFMatcher's, in turns");
  app.add_option("--sizes", sizes, "descriptors in each set")->delimiter(',')->check(CLI::Range(2, 1'000'000));
  app.add_option("--threads", threads, "of both")->delimiter(',')->check(CLI::Range(1, 1024));
  app.add_option("--rounds", rounds, "of which the median counts")->check(CLI::Range(1, 1000));
  app.add_option("--json", json_file, "also write the figures to this file");
  CLI11_PARSE(app, argc, argv);

  Json report = octavo::bench::record(argc, argv);
  report["peer"] = "cv::BFMatcher, OpenCV " CV_VERSION ", float, NORM_L2, knnMatch k = 2";
  report["rounds"] = rounds;
  fmt::print("{:>8} {:>8} {:>12} {:>14} {:>8}\n", "size", "threads", "octavo [ms]", "BFMatcher [ms]", "ratio");
  bool agreed = true;
  for (const int n : sizes) {
    for (const int t : threads) {
      const Json row = compare(n, t, rounds);
      fmt::print("{:8} {:8} {:12.2f} {:14.1f} {:8.1f}\n", n, t, row["octavo_ms"].get<double>(),
                 row["bfmatcher_ms"].get<double>(), row["ratio"].get<double>());
      agreed = agreed && row["disagreements"] == 0;
      report["results"].push_back(row);
    }
  }
  if (!json_file.empty()) std::ofstream(json_file) << report.dump(2) << '\n';
  if (!agreed) fmt::print(stderr, "the two do not find the same distances\n");
  return agreed ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
