// Two configurations under one budget, on an image and a part of it, whose true places are known. Usage: compare IMAGE

#include <cstdio>
#include <vector>

#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/foagdd.h"
#include "octavo/io/image_files.h"
#include "octavo/matcher.h"
#include "octavo/pair_scores.h"
#include "octavo/study/evaluation.h"

namespace {

// The image without its first rows and columns. Pixels stay where they are.
octavo::ImageView without(octavo::ImageView image, int rows, int columns) {
  const int pixel = image.channels * static_cast<int>(octavo::bytes_of(image.type));
  image.data = image.row(rows) + columns * pixel;
  image.height -= rows;
  image.width -= columns;
  return image;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  const octavo::Image image = octavo::read_image(argv[1]);
  const octavo::ImageView part = without(image.view(), 41, 53);
  const octavo::TrueHomography truth{.b_from_a = {1, 0, -53, 0, 1, -41, 0, 0, 1}};

  std::vector<octavo::Configuration> configurations{
      {.name = "sift"}, {.name = "foagdd", .detector = octavo::FoagddOptions{.describe = true}}};
  for (octavo::Configuration& one : configurations) octavo::set_budget(one, 500);
  octavo::validate(configurations);

  octavo::Matcher nearest({.ratio = 1, .mutual = true});
  for (const octavo::Configuration& one : configurations) {
    octavo::Extractor extractor = octavo::make_extractor(one.detector);
    octavo::Matcher matcher(one.match);
    const octavo::Features a = extractor.extract(image.view()), b = extractor.extract(part);
    const octavo::PairScores scores = octavo::count_pair(a, b, nearest.match(a, b), matcher.match(a, b), truth,
                                                         {image.width(), image.height()}, {part.width, part.height});
    std::printf("%s: repeatability %.2f, precision %.2f, each within 3 pixels\n", one.name.c_str(),
                octavo::repeatability(scores)[octavo::at_correct], octavo::precision(scores)[octavo::at_correct]);
  }
  return 0;
} catch (const octavo::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
