// Writes the features of many images to NumPy archives. Usage: batch FOLDER IMAGE...

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "octavo/batch.h"
#include "octavo/extractor.h"
#include "octavo/io/collection.h"
#include "octavo/io/feature_files.h"

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::vector<std::string> places(argv + 2, argv + argc);  // images, folders of them, patterns
  const octavo::ImageFiles found = octavo::find_images(places);
  std::filesystem::create_directories(argv[1]);

  octavo::Extractor extractor;
  octavo::Batch batch(extractor, octavo::batch_of(found.images));
  int failures = 0;
  while (const std::optional<octavo::BatchResult> result = batch.next()) {
    if (result->failure) {
      std::fprintf(stderr, "%s\n", result->problem.c_str());
      ++failures;
      continue;
    }
    const std::string name = found.images[result->index].name.filename().string();
    octavo::write_npz_features(std::string(argv[1]) + "/" + name + ".npz", result->features);
    std::printf("%s: %zu features, %.1f ms\n", name.c_str(), result->features.size(), result->extract_milliseconds);
  }
  return failures == 0 && !found.images.empty() ? 0 : 1;
}
