// Measures retrieval by VLAD. The images are photographs and changed views of them. Each image is a query; the
// others are ranked by the product of their VLADs with that of the query. The views of the same photograph are right.
// Prints for each vocabulary the mean average precision, how often the first of the ranking is right, and the ranges of
// the similarities.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <exception>

#include "io/features/vocabulary_file.h"
#include "octavo/extractor.h"
#include "octavo/retrieval.h"
#include "octavo/sift_options.h"
#include "views.h"

namespace {

using octavo::Image;
using octavo::bench::ViewChange;

struct View {
  std::size_t photograph = 0;
  std::string change;
  std::vector<std::uint8_t> descriptors;
};

std::vector<View> images_of(const std::vector<std::string>& photographs, int side, const octavo::SiftOptions& sift) {
  octavo::Extractor extractor(sift);
  std::vector<View> images;
  const auto add = [&](const std::string& change, const Image& image) {
    images.push_back(
        {images.empty() ? 0 : images.back().photograph, change, extractor.extract(image.view()).descriptors});
  };
  for (std::size_t i = 0; i < photographs.size(); ++i) {
    const Image photograph = octavo::bench::read_photograph(photographs[i], side);
    add("none", photograph);
    images.back().photograph = i;
    for (const ViewChange& change : octavo::bench::report_changes()) {
      add(fmt::format("{} {}", change.name, change.strength), octavo::bench::view_of(photograph.view(), change));
    }
  }
  return images;
}

struct Quality {
  double mean_average_precision = 0;
  double first_right = 0;   // share of the queries
  double least_same = 1;    // similarity of a view to the unchanged photograph
  double most_other = -1;   // similarity of two images of different photographs
  double milliseconds = 0;  // of a VLAD
};

Quality measure(const std::vector<View>& images, octavo::Vocabulary vocabulary) {
  octavo::VladEncoder encoder(std::move(vocabulary));
  std::vector<std::vector<std::int16_t>> vlads;
  const auto start = std::chrono::steady_clock::now();
  for (const View& one : images) vlads.push_back(encoder.encode(one.descriptors));
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;

  Quality quality{.milliseconds = time.count() / static_cast<double>(images.size())};
  for (std::size_t q = 0; q < images.size(); ++q) {
    std::vector<std::pair<std::int64_t, std::size_t>> ranking;
    for (std::size_t i = 0; i < images.size(); ++i) {
      if (i != q) ranking.emplace_back(-octavo::vlad_product(vlads[q], vlads[i]), i);
    }
    std::ranges::sort(ranking);
    double precisions = 0;
    int right = 0;
    for (std::size_t rank = 0; rank < ranking.size(); ++rank) {
      const View& found = images[ranking[rank].second];
      const double similarity = octavo::vlad_similarity(vlads[q], vlads[ranking[rank].second]);
      if (found.photograph != images[q].photograph) {
        quality.most_other = std::max(quality.most_other, similarity);
        continue;
      }
      if (images[q].change == "none") quality.least_same = std::min(quality.least_same, similarity);
      if (rank == 0) quality.first_right += 1;
      ++right;
      precisions += static_cast<double>(right) / static_cast<double>(rank + 1);
    }
    if (right > 0) quality.mean_average_precision += precisions / right;
  }
  quality.mean_average_precision /= static_cast<double>(images.size());
  quality.first_right /= static_cast<double>(images.size());
  return quality;
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("Measures how well VLADs find the views of a photograph.");
  std::vector<std::string> photographs, vocabularies;
  octavo::SiftOptions sift{.max_features = 1000, .grid = 4};
  int side = 640;
  app.add_option("PHOTOGRAPH", photographs)->required();
  app.add_option("--vocabulary", vocabularies, "a vocabulary's file; may be repeated")->required();
  app.add_option("--side", side, "the longer side of the photographs [pixel]")->capture_default_str();
  app.add_option("--max-features", sift.max_features, "the most features of an image")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  const std::vector<View> images = images_of(photographs, side, sift);
  fmt::print("{} images of {} photographs\n", images.size(), photographs.size());
  fmt::print("words   bytes   mAP    first right   least same   most other   ms a VLAD\n");
  for (const std::string& file : vocabularies) {
    const octavo::Vocabulary vocabulary = octavo::read_vocabulary(file);
    const Quality quality = measure(images, vocabulary);
    fmt::print("{:5} {:7} {:7.4f} {:11.4f} {:12.3f} {:12.3f} {:11.2f}\n", vocabulary.size(),
               vocabulary.size() * octavo::descriptor_length * sizeof(std::int16_t), quality.mean_average_precision,
               quality.first_right, quality.least_same, quality.most_other, quality.milliseconds);
  }
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_find_views: {}\n", error.what());
  return 1;
}
