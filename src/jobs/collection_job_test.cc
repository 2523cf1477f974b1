// Collections: their images, the pairs of them as files, and the database.

#include "octavo/jobs/collection_jobs.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "jobs/made_images.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

class Collections : public testing::Test {
 protected:
  Collections() {
    for (const char* const name : {"a.png", "b.png", "c\nc.png"})
      write_image(folder / "photos" / name, made_image(7).view());
    places.images = {(folder / "photos").string(), (folder / "none.png").string()};
    context.fail = [this](const std::string& sentence) { failures.push_back(sentence); };
  }

  struct Photos : TestFolder {
    Photos() { fs::create_directory(path / "photos"); }
  } folder;
  CollectionPlaces places;
  JobContext context;
  std::vector<std::string> failures;
};

TEST_F(Collections, HaveTheImagesThatAreThereAndCanBeListed) {
  const ImageFiles all = find_collection(places);
  EXPECT_EQ(all.images.size(), 3u);
  EXPECT_EQ(all.problems.size(), 1u);
  places.are_listed = true;
  const ImageFiles listed = find_collection(places);
  EXPECT_EQ(listed.images.size(), 2u);
  EXPECT_EQ(listed.problems.size(), 2u);
  places.features = folder / "photos";
  EXPECT_THROW(find_collection(places), Error);
}

TEST_F(Collections, GetAListOfPairs) {
  PairsJob job{.images = find_collection(places).images, .options = {.by = PairsBy::exhaustive}};
  job.output = folder / "pairs.txt";
  const ChosenPairs chosen = choose_pairs(job, context);
  EXPECT_EQ(chosen.pairs, (std::vector<ImagePair>{{0, 1}}));
  EXPECT_EQ(failures.size(), 1u) << "the name with a line break";
  std::ifstream list(job.output);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(list), {}), "a.png b.png\n");
  EXPECT_NE(json_of(job, chosen, failures).find(R"("unpaired":["c\nc.png"])"), std::string::npos);
  job.image = folder / "similar.png";
  EXPECT_THROW(choose_pairs(job, context), Error) << "of likeness alone";
}

TEST_F(Collections, BecomeADatabase) {
  CollectionJob job{.found = find_collection(places), .pairs = "sequential:1", .database = folder / "a.db"};
  job.colmap.device.name = "cpu";
  const ColmapSummary summary = make_database(job, context);
  EXPECT_TRUE(summary.is_finished);
  EXPECT_EQ(summary.images, 3u);
  EXPECT_EQ(summary.pairs, 2u);
  EXPECT_EQ(failures.size(), 1u);
  job.shard = Shard{1, 2};
  job.pairs = "retrieval:1";
  EXPECT_THROW(make_database(job, context), Error);
  job.found.images.clear();
  EXPECT_EQ(make_database(job, context).images, 0u);
}

TEST_F(Collections, NeedAFolderForAModel) {
  ModelJob job{.photographs = folder / "none", .folder = folder / "model"};
  EXPECT_THROW(make_model(job, context), Error);
  EXPECT_FALSE(fs::exists(folder / "model"));
}

}  // namespace
}  // namespace octavo
