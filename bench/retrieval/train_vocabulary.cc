// Trains a vocabulary (octavo/retrieval.h) or a model of codes (octavo/retrieval.h) with the RootSIFT descriptors
// of photographs and of changed views of them, and writes its file. The origin in the file names the photographs, the
// views and the options.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>

#include "io/features/vocabulary_file.h"
#include "io/files/output_file.h"
#include "octavo/extractor.h"
#include "octavo/retrieval.h"
#include "octavo/sift_options.h"
#include "views.h"

namespace {

using octavo::Image;
using octavo::bench::ViewChange;

std::string label_of(const std::filesystem::path& file) {
  // The wallpapers of a theme are all called by their size.
  const bool is_size = file.parent_path().filename() == "images";
  return is_size ? file.parent_path().parent_path().parent_path().filename().string() : file.filename().string();
}

std::string changes_text() {
  std::vector<std::string> texts;
  for (const ViewChange& one : octavo::bench::training_changes())
    texts.push_back(fmt::format("{} {}", one.name, one.strength));
  return fmt::format("{}", fmt::join(texts, ", "));
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("Trains a vocabulary or a model of codes with photographs and changed views of them.");
  std::vector<std::string> photographs;
  std::string output, source;
  octavo::VocabularyOptions options;
  octavo::SiftOptions sift{.max_features = 1000, .grid = 4};
  int side = 640;
  app.add_option("PHOTOGRAPH", photographs)->required();
  app.add_option("-o,--output", output, "the vocabulary's file")->required();
  app.add_option("--source", source, "where the photographs come from, for the origin in the file");
  app.add_option("--words", options.words, "the number of words")->capture_default_str();
  app.add_option("--seed", options.seed, "chooses the first words")->capture_default_str();
  app.add_option("--side", side, "the longer side of the photographs [pixel]")->capture_default_str();
  app.add_option("--max-features", sift.max_features, "the most features of a view")->capture_default_str();
  bool codes = false;
  app.add_flag("--codes", codes, "train a model of codes; --words and --seed have no effect");
  CLI11_PARSE(app, argc, argv);

  const auto start = std::chrono::steady_clock::now();
  octavo::Extractor extractor(sift);
  std::vector<std::uint8_t> descriptors;
  std::vector<std::string> labels;
  const auto add = [&](const Image& image) {
    const octavo::Features features = extractor.extract(image.view());
    descriptors.insert(descriptors.end(), features.descriptors.begin(), features.descriptors.end());
  };
  for (const std::string& file : photographs) {
    const Image photograph = octavo::bench::read_photograph(file, side);
    add(photograph);
    for (const ViewChange& change : octavo::bench::training_changes()) {
      add(octavo::bench::view_of(photograph.view(), change));
    }
    labels.push_back(label_of(file));
  }
  const std::size_t count = descriptors.size() / octavo::descriptor_length;
  fmt::print("{} descriptors of {} photographs in {:.1f} s\n", count, photographs.size(), seconds_since(start));

  const std::string origin = fmt::format(
      "{} RootSIFT descriptors of {} photographs{}{}, {} pixels on the longer side, and of these views of each: {}; "
      "the "
      "{} best features of a view on a grid of {}; k-means of {}. Photographs: {}",
      count, photographs.size(), source.empty() ? "" : " of ", source, side, changes_text(), sift.max_features,
      sift.grid, codes ? "256 centres of halves" : fmt::format("{} words, seed {}", options.words, options.seed),
      fmt::join(labels, ", "));
  const auto training_start = std::chrono::steady_clock::now();
  if (codes) {
    octavo::write_file(output,
                       octavo::encode_code_model(octavo::train_code_model(descriptors, options.max_rounds, origin)));
    fmt::print("trained in {:.1f} s\n", seconds_since(training_start));
    return 0;
  }
  const octavo::VocabularyTraining training = octavo::train_vocabulary(descriptors, options, {}, origin);
  fmt::print("{} words after {} rounds ({}) in {:.1f} s; mean squared distance {:.1f}; {} to {} descriptors a word\n",
             training.vocabulary.size(), training.rounds, training.has_settled ? "settled" : "stopped",
             seconds_since(training_start), static_cast<double>(training.distance2) / static_cast<double>(count),
             std::ranges::min(training.counts), std::ranges::max(training.counts));
  octavo::write_vocabulary(output, training.vocabulary);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_train_vocabulary: {}\n", error.what());
  return 1;
}
