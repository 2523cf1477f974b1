#include "io/files/whole_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/core/test_folder.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

TEST(WholeFolder, AppearsWhenItIsFinished) {
  const TestFolder place;
  place.write("made/old", "1");
  place.write("made.partial/of a killed run", "2");
  {
    const WholeFolder folder(place / "made");
    EXPECT_TRUE(fs::is_empty(folder.partial()));
    std::ofstream(folder.partial() / "new") << "3";
    EXPECT_TRUE(fs::exists(place / "made" / "old"));
    folder.finish();
  }
  EXPECT_TRUE(fs::exists(place / "made" / "new"));
  EXPECT_FALSE(fs::exists(place / "made" / "old"));
  EXPECT_EQ(place.entries(), 1U);
}

TEST(WholeFolder, LeavesThatOfBeforeIfItIsNotFinished) {
  const TestFolder place;
  place.write("made.before/old", "a process was killed before it gave the new folder its name");
  { const WholeFolder folder(place / "made"); }
  EXPECT_TRUE(fs::exists(place / "made" / "old"));
  EXPECT_EQ(place.entries(), 1U);
}

}  // namespace
}  // namespace octavo
