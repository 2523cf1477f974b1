#include "multiview/sfm/mapper.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// A folder as PATH, with programs that do what a test says.
class Mapper : public testing::Test {
 protected:
  Mapper() {
    const char* const path = std::getenv("PATH");
    path_ = path != nullptr ? path : "";
    setenv("PATH", folder_.path.c_str(), 1);
  }
  ~Mapper() override { setenv("PATH", path_.c_str(), 1); }
  std::string add(const std::string& name, const std::string& script = "exit 0") {
    const fs::path file = folder_.write(name, "#!/bin/sh\n" + script + '\n');
    fs::permissions(file, fs::perms::owner_all);
    return file.string();
  }
  static std::string error(const std::string& wanted) {
    try {
      find_mapper({.mapper = wanted});
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }

  const TestFolder folder_;
  std::string path_;
};

TEST_F(Mapper, IsTheFirstThatIsThere) {
  EXPECT_NE(error("auto").find("no mapper is installed"), std::string::npos);
  EXPECT_NE(error("auto").find("apt install colmap"), std::string::npos);
  EXPECT_NE(error("auto").find("pip install pycolmap"), std::string::npos);
  EXPECT_NE(error("glomap").find("the mapper glomap is not in a folder of PATH"), std::string::npos);
  EXPECT_NE(error("pycolmap").find("needs python3"), std::string::npos);
  const std::string python = add("python3", "exit 1");
  EXPECT_NE(error("pycolmap").find("has no module pycolmap"), std::string::npos);
  add("python3", "case $2 in *global_mapping) exit 1;; esac");
  EXPECT_EQ(find_mapper({}).kind, SfmMapper::Kind::pycolmap);
  EXPECT_EQ(find_mapper({}).program, python);
  add("glomap");
  EXPECT_EQ(find_mapper({}).kind, SfmMapper::Kind::glomap);
  const std::string colmap = add("colmap");
  EXPECT_EQ(find_mapper({}).kind, SfmMapper::Kind::colmap);
  EXPECT_EQ(find_mapper({.mapper = "pycolmap"}).program, python);
  EXPECT_EQ(find_mapper({.mapper = colmap}).program, colmap);
  EXPECT_EQ(find_mapper({.mapper = add("my-glomap")}).kind, SfmMapper::Kind::glomap);
  EXPECT_EQ(find_mapper({.mapper = add("python3.12")}).kind, SfmMapper::Kind::pycolmap);
}

// COLMAP 4 and pycolmap 4 have GLOMAP in them.
TEST_F(Mapper, GlomapIsItsOwnProgramOrAGuest) {
  const sfm::MapperJob job{.photographs = "p", .database = "d", .pairs = "l", .output = "o"};
  const std::string python = add("python3", "case $2 in *global_mapping) exit 1;; esac");
  const std::string colmap = add("colmap", "echo '  mapper'");
  EXPECT_NE(error("glomap").find("neither COLMAP 4 nor pycolmap 4"), std::string::npos);
  add("python3");
  SfmMapper mapper = find_mapper({.mapper = "glomap"});
  EXPECT_EQ(mapper.kind, SfmMapper::Kind::glomap);
  EXPECT_EQ(mapper.program, python);
  EXPECT_EQ(sfm::verify_command(mapper, job).front(), python);
  EXPECT_EQ(sfm::map_command(mapper, job).at(4), "map_global");
  add("colmap", "echo '  global_mapper'; echo '  --GlobalMapper.random_seed arg (=-1)'");
  mapper = find_mapper({.mapper = "glomap"});
  EXPECT_EQ(mapper.program, colmap);
  EXPECT_EQ(sfm::verify_command(mapper, job).front(), colmap);
  EXPECT_EQ(sfm::map_command(mapper, job),
            (std::vector<std::string>{colmap, "global_mapper", "--database_path", "d", "--image_path", "p",
                                      "--output_path", "o", "--GlobalMapper.random_seed", "0"}));
  EXPECT_EQ(find_mapper({}).kind, SfmMapper::Kind::colmap);
  const std::string glomap = add("glomap");
  mapper = find_mapper({.mapper = "glomap"});
  EXPECT_EQ(mapper.program, glomap);
  EXPECT_EQ(sfm::map_command(mapper, job).at(1), "mapper");
}

TEST_F(Mapper, GetsTheOptionsThatItHas) {
  const std::string colmap = add("colmap", "echo '  --random_seed arg (=0)'; echo '  --Mapper.num_threads arg (=-1)'");
  const sfm::MapperJob job{.photographs = "p", .database = "d", .pairs = "l", .output = "o", .threads = 3, .seed = 5};
  const SfmMapper mapper{SfmMapper::Kind::colmap, colmap};
  EXPECT_EQ(sfm::map_command(mapper, job),
            (std::vector<std::string>{colmap, "mapper", "--database_path", "d", "--image_path", "p", "--output_path",
                                      "o", "--Mapper.num_threads", "3", "--random_seed", "5"}));
  EXPECT_EQ(sfm::verify_command(mapper, job),
            (std::vector<std::string>{colmap, "matches_importer", "--database_path", "d", "--match_list_path", "l",
                                      "--match_type", "pairs", "--random_seed", "5"}));
  EXPECT_EQ(sfm::verify_command({SfmMapper::Kind::glomap, "/x/glomap"}, job).front(), colmap);
  fs::remove(colmap);
  EXPECT_THROW(sfm::verify_command({SfmMapper::Kind::glomap, "/x/glomap"}, job), Error);
}

TEST_F(Mapper, AddsImagesToAModel) {
  const sfm::MapperJob job{.photographs = "p", .database = "d", .pairs = "l", .output = "o", .input = "i"};
  const std::string python = add("python3");
  const SfmMapper glomap{SfmMapper::Kind::glomap, "/x/glomap"};
  const std::vector<std::string> words = sfm::map_command(glomap, job);
  EXPECT_EQ(words.front(), python);
  EXPECT_EQ(std::vector<std::string>(words.begin() + 4, words.end()),
            (std::vector<std::string>{"register", "d", "i", "o", "1", "0"}));
  const std::string colmap = add("colmap", "echo '  --Mapper.num_threads arg (=-1)'");
  EXPECT_EQ(sfm::map_command(glomap, job),
            (std::vector<std::string>{colmap, "image_registrator", "--database_path", "d", "--input_path", "i",
                                      "--output_path", "o", "--Mapper.num_threads", "1"}));
  fs::remove(colmap);
  fs::remove(python);
  EXPECT_THROW(sfm::map_command(glomap, job), Error);
}

TEST(MapperLines, TellHowManyAreRegistered) {
  EXPECT_EQ(sfm::registered_by("Registering image #7 (3)"), 3U);
  EXPECT_EQ(sfm::registered_by("I20261123 incremental_pipeline.cc:1] Registering image #7 (num_reg_frames=12)"), 12U);
  EXPECT_EQ(sfm::registered_by("Registering image #7"), 0U);
  EXPECT_EQ(sfm::registered_by("Registering image #7 ()"), 0U);
  EXPECT_EQ(sfm::registered_by("  => Image sees 40 / 50 points"), 0U);
}

// A new member of the struct must have a row, or it would be neither checked nor settable.
TEST(SfmOptions, HasARowForEveryMember) {
  const OptionTable<SfmOptions>& table = option_table<SfmOptions>();
  const SfmOptions other{.mapper = "glomap", .mapper_threads = 3, .mapper_seed = 5, .refine = false, .gps = true};
  SfmOptions copy;
  for (const auto& option : table.options) {
    EXPECT_NE(option.read(copy, option), option.read(other, option)) << option.name;
    table.set(copy, option, option.read(other, option));
  }
  EXPECT_EQ(copy, other);
}

// What would be refused at the end is refused before the work.
TEST_F(Mapper, JobsAreCheckedBeforeTheWork) {
  EXPECT_NO_THROW(check_job(folder_.path));
  fs::create_directory(folder_ / "sparse");
  EXPECT_THROW(check_job(folder_.path), Error);
  std::ofstream(folder_ / "mapper.log") << "of an earlier run\n";
  EXPECT_NO_THROW(check_job(folder_.path));
}

}  // namespace
}  // namespace octavo
