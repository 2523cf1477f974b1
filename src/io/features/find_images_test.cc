// Places become lists of images: folders, patterns, files; each image once, in order.

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "engine/core/bound_by_permissions.h"
#include "io/images/test_images.h"
#include "octavo/batch.h"
#include "octavo/error.h"
#include "octavo/io/collection.h"
#include "octavo/io/feature_files.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

class FindImages : public io::test::FolderTest {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "deep" / "empty");
    for (const char* name : {"b.png", "a.PNG", "notes.txt", "deep/c.pgm"}) io::test::write_bytes(folder_ / name, "");
  }

  // The names of the images at places below the folder, with spaces between.
  std::string names_at(const std::vector<std::string>& places, bool recursive = false) {
    std::vector<std::string> full;
    for (const std::string& place : places) full.push_back((folder_ / place).string());
    const ImageFiles found = find_images(full, recursive);
    problems_ = found.problems;
    std::string names;
    for (const ImageFile& image : found.images) names += (names.empty() ? "" : " ") + image.name.string();
    return names;
  }

  std::vector<std::string> problems_;
};

TEST_F(FindImages, InAFolder) {
  EXPECT_EQ(names_at({"."}), "a.PNG b.png");
  EXPECT_EQ(names_at({"."}, true), "a.PNG b.png deep/c.pgm");
  EXPECT_TRUE(problems_.empty());
}

TEST_F(FindImages, HiddenOnesOnlyByName) {
  fs::create_directories(folder_ / ".thumbnails");
  for (const char* name : {"._b.png", ".c.png", ".thumbnails/d.png"}) io::test::write_bytes(folder_ / name, "");
  EXPECT_EQ(names_at({"."}, true), "a.PNG b.png deep/c.pgm");
  EXPECT_EQ(names_at({".c.png", ".thumbnails"}), ".c.png d.png");
  EXPECT_TRUE(problems_.empty());
}

TEST_F(FindImages, ByAPattern) {
  EXPECT_EQ(names_at({"*.[pP]*"}), "a.PNG b.png");
  EXPECT_EQ(names_at({"*.jpg"}), "");
  ASSERT_EQ(problems_.size(), 1u);
  EXPECT_NE(problems_[0].find("no file matches this pattern"), std::string::npos);
}

TEST_F(FindImages, ByAPatternOfFolders) {
  for (const char* name : {"deep/.hidden.png", "deep/d.png", "far/x.png", "far/d.png", "b.d/d.png", "far/[d].png"}) {
    fs::create_directories((folder_ / name).parent_path());
    io::test::write_bytes(folder_ / name, "");
  }
  EXPECT_EQ(names_at({"*/*.png"}), "d.png d.png [d].png d.png x.png");
  EXPECT_EQ(names_at({"f?r/[!d]*.png"}), "[d].png x.png");
  EXPECT_EQ(names_at({"*/../far/\\[d*.png"}), "[d].png");
  EXPECT_EQ(names_at({"*/c.pgm"}), "c.pgm");
  EXPECT_EQ(names_at({"dee*"}), "c.pgm d.png");
  EXPECT_EQ(names_at({"*/.*.png"}), ".hidden.png");
  EXPECT_TRUE(problems_.empty());
}

TEST_F(FindImages, APatternNamesFoldersThatItCannotRead) {
  for (const char* name : {"shut/d.png", "zoo/d.png"}) {
    fs::create_directories((folder_ / name).parent_path());
    io::test::write_bytes(folder_ / name, "");
  }
  const fs::path shut = folder_ / "shut";
  fs::permissions(shut, fs::perms::none);
  {
    const BoundByPermissions bound;
    for (const char* pattern : {"*/*.png", "*/d.png", "*/[d].png"}) {
      EXPECT_EQ(names_at({pattern}), "d.png") << pattern;
      EXPECT_EQ(problems_, std::vector{shut.string() + ": the folder cannot be read: Permission denied"}) << pattern;
    }
    EXPECT_EQ(names_at({"s*/*.png"}), "");
    EXPECT_EQ(problems_.size(), 1u);
  }
  fs::permissions(shut, fs::perms::owner_all);
}

TEST_F(FindImages, TakesAFileWithTheNameOfAPattern) {
  io::test::write_bytes(folder_ / "b[1].png", "");
  EXPECT_EQ(names_at({"b[1].png"}), "b[1].png");
}

TEST_F(FindImages, EachOnceInTheOrderOfThePlaces) {
  EXPECT_EQ(names_at({"b.png", ".", "deep/../b.png", "missing.jpg"}), "b.png a.PNG missing.jpg");
}

TEST_F(FindImages, SaysWhichFolderHoldsNone) {
  EXPECT_EQ(names_at({"deep/empty"}, true), "");
  ASSERT_EQ(problems_.size(), 1u);
  EXPECT_EQ(problems_[0], (folder_ / "deep" / "empty").string() + ": the folder holds no images");
}

TEST_F(FindImages, AFolderThatCannotBeReadCostsNoOthers) {
  for (const char* name : {"deep/shut/d.png", "deep/shut/d.png.npz", "zoo/e.png", "zoo/e.png.npz"}) {
    fs::create_directories((folder_ / name).parent_path());
    io::test::write_bytes(folder_ / name, "");
  }
  const std::string shut = (folder_ / "deep" / "shut").string();
  const std::string sentence = "/deep/shut: the folder cannot be read: Permission denied";
  fs::permissions(shut, fs::perms::none);
  {
    const BoundByPermissions bound;
    EXPECT_EQ(names_at({"."}, true), "a.PNG b.png deep/c.pgm zoo/e.png");
    ASSERT_EQ(problems_.size(), 1u);
    EXPECT_TRUE(problems_[0].ends_with(sentence)) << problems_[0];
    EXPECT_EQ(names_at({"deep/shut"}), "");
    ASSERT_EQ(problems_.size(), 1u);
    EXPECT_TRUE(problems_[0].ends_with(sentence)) << problems_[0];
    const ImageFiles features = find_features(folder_.path, true);
    ASSERT_EQ(features.images.size(), 1u);
    EXPECT_EQ(features.images[0].name, "zoo/e.png");
    EXPECT_EQ(features.problems, std::vector{folder_.path.string() + sentence});
  }
  fs::permissions(shut, fs::perms::owner_all);
}

TEST_F(FindImages, FeaturesHaveTheNamesOfTheirImages) {
  fs::create_directories(folder_ / "features" / "deep");
  for (const char* name : {"b.png.npz", "a.jpg.txt", "A.PNG.TXT", "mine.npz", "matches.txt", "pairs.txt", "a.png.json",
                           "a.png.keypoints.png", "deep/c.tif.txt"}) {
    io::test::write_bytes(folder_ / "features" / name, "");
  }
  const auto names = [&](bool recursive) {
    std::string list;
    for (const ImageFile& file : find_features(folder_ / "features", recursive).images) {
      EXPECT_TRUE(looks_like_features(file.file) && fs::exists(file.file)) << file.file;
      list += " " + file.name.string();
    }
    return list;
  };
  EXPECT_EQ(names(false), " A.PNG a.jpg b.png mine");
  EXPECT_EQ(names(true), " A.PNG a.jpg b.png deep/c.tif mine");
  EXPECT_EQ(find_features(folder_ / "none").problems.size(), 1u);
}

TEST_F(FindImages, OfTheSameName) {
  const std::vector<ImageFile> images{{"x/a.png", "a.png"}, {"x/b.png", "b.png"}, {"y/a.png", "a.png"}};
  const auto same = same_name(images);
  ASSERT_TRUE(same.has_value());
  EXPECT_EQ(same->first.file, "x/a.png");
  EXPECT_EQ(same->second.file, "y/a.png");
  EXPECT_FALSE(same_name(std::span(images).first(2)).has_value());
}

TEST_F(FindImages, AreABatch) {
  using io::test::testdata;
  const auto mask = std::make_shared<const Image>(13, 9, 1, PixelType::u8);
  const std::vector<ImageFile> images{{testdata("rgb8.png"), "rgb8.png"}, {folder_ / "b.png", "b.png"}};
  const std::vector<BatchImage> batch = batch_of(images, {}, mask);
  ASSERT_EQ(batch.size(), 2u);
  EXPECT_EQ(batch[0].name, testdata("rgb8.png").string());
  const LoadedImage loaded = batch[0].load();
  EXPECT_EQ(loaded.mask, mask);
  const Image alone = read_image(testdata("rgb8.png"));
  ASSERT_EQ(loaded.image.width(), alone.width());
  EXPECT_EQ(std::memcmp(loaded.image.row(0), alone.row(0), 39), 0);
  EXPECT_THROW(batch[1].load(), Error);
}

}  // namespace
}  // namespace octavo
