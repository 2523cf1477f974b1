// Data sets are found and read, and their broken parts are reported.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>

#include "engine/core/bound_by_permissions.h"
#include "engine/core/test_folder.h"
#include "octavo/error.h"
#include "study/evaluate/dataset.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

class DatasetTest : public testing::Test {
 protected:
  void write(const fs::path& name, const std::string& text = "") {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }

  bool has_problem(const Dataset& found, const std::string& file, const std::string& words) {
    return std::any_of(found.problems.begin(), found.problems.end(), [&](const std::string& problem) {
      return problem.find((root_ / file).string()) != std::string::npos && problem.find(words) != std::string::npos;
    });
  }

  const TestFolder folder_;
  fs::path root_ = folder_.path;
};

const char* const identity = "1 0 0\n0 1 0\n0 0 1\n";

using Datasets = DatasetTest;

TEST_F(Datasets, AllLayoutsAreFoundBelowTheRoot) {
  for (const char* name :
       {"oxford/graf/img1.ppm", "oxford/graf/img2.ppm", "oxford/graf/img3.ppm", "v_wall/1.ppm", "v_wall/2.ppm",
        "v_wall/10.ppm", "v_wall/notes.txt", "points/left.png", "points/right.png"}) {
    write(name);
  }
  write("oxford/graf/H1to2p", identity);
  write("oxford/graf/H1to3p", "1e0 +0.5 -2\t0 1 0 0 0 1");
  write("v_wall/H_1_2", identity);
  write("v_wall/H_1_10", identity);
  write("points/correspondences.csv", "# x_a,y_a,x_b,y_b\n\n1,2,3,4\r\n5.5, 6 7;8");
  const Dataset found = find_dataset(root_);
  EXPECT_TRUE(found.problems.empty()) << found.problems.front();
  ASSERT_EQ(found.sequences.size(), 3u);
  const Sequence &graf = found.sequences[0], &points = found.sequences[1], &wall = found.sequences[2];
  EXPECT_EQ(graf.name, "oxford/graf");
  EXPECT_EQ(graf.first, fs::path("oxford/graf/img1.ppm"));
  ASSERT_EQ(graf.others.size(), 2u);
  EXPECT_EQ(std::get<TrueHomography>(graf.others[1].truth).b_from_a,
            (std::array<double, 9>{1, .5, -2, 0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(wall.others[1].image, fs::path("v_wall/10.ppm"));
  const auto& known = std::get<Correspondences>(points.others[0].truth);
  ASSERT_EQ(known.a.size(), 2u);
  EXPECT_EQ(known.a[1].x, 5.5);
  EXPECT_EQ(known.b[1].y, 8);
  EXPECT_EQ(find_dataset(root_ / "v_wall").sequences.at(0).name, "v_wall");
}

TEST_F(Datasets, WhatIsBrokenIsNamedAndTheRestGiven) {
  for (int i : {1, 2, 3, 5}) write("v_a/" + std::to_string(i) + ".ppm");
  write("v_a/H_1_2", identity);
  write("v_a/H_1_4", identity);
  write("v_a/H_1_5", "1 0 0 0 1 0 0 0");
  write("v_b/2.ppm");
  write("v_b/H_1_2", identity);
  write("c/a.png");
  write("c/correspondences.txt", "1 2 3 4");
  write("d/a.png");
  write("d/b.png");
  for (const char* name : {"v_e/1.png", "v_e/2.png", "f/img1.png", "f/img2.png", "photos/1.jpg", "photos/7.jpg"})
    write(name);
  write("d/correspondences.txt", "1 2 3 4\n1 2 three 4");
  const Dataset found = find_dataset(root_);
  EXPECT_TRUE(has_problem(found, "v_a/3.ppm", "H_1_3 is missing"));
  EXPECT_TRUE(has_problem(found, "v_a/H_1_4", "image 4 is missing"));
  EXPECT_TRUE(has_problem(found, "v_a/H_1_5", "8 numbers"));
  EXPECT_TRUE(has_problem(found, "v_b/H_1_2", "image 1 is missing"));
  EXPECT_TRUE(has_problem(found, "c/correspondences.txt", "1 images"));
  EXPECT_TRUE(has_problem(found, "d/correspondences.txt", "line 2: 'three' is not a number"));
  EXPECT_TRUE(has_problem(found, "v_e", "no homography H_1_2"));
  EXPECT_TRUE(has_problem(found, "f", "no homography H1to2p"));
  EXPECT_EQ(found.problems.size(), 8u);
  ASSERT_EQ(found.sequences.size(), 1u);
  EXPECT_EQ(found.sequences[0].others.size(), 1u);
}

TEST_F(Datasets, PairsOfMishkinsSetsAreFound) {
  for (const char* name : {"EVD/1/adam.png", "EVD/2/adam.jpg", "EVD/1/cat.png", "EVD/1/dum.png", "EVD/2/dum.png",
                           "EVD/README", "WGABS/kremlin/01.png", "WGABS/kremlin/02.png"}) {
    write(name);
  }
  write("EVD/h/adam.txt", "2 0 0\n0 2 0\n0 0 1\n");
  write("EVD/h/cat.txt", identity);
  write("WGABS/kremlin/corrs.txt", "1.0e+00 2.0e+00 3.0e+00 4.0e+00\n");
  write("WGABS/kremlin/crossval_errors.txt", "0.5\n");
  const Dataset found = find_dataset(root_);
  ASSERT_EQ(found.sequences.size(), 2u);
  EXPECT_EQ(found.sequences[0].name, "EVD/adam");
  EXPECT_EQ(found.sequences[0].first, fs::path("EVD/1/adam.png"));
  EXPECT_EQ(found.sequences[0].others.at(0).image, fs::path("EVD/2/adam.jpg"));
  EXPECT_EQ(std::get<TrueHomography>(found.sequences[0].others[0].truth).b_from_a[0], 2);
  EXPECT_EQ(found.sequences[1].name, "WGABS/kremlin");
  EXPECT_EQ(std::get<Correspondences>(found.sequences[1].others.at(0).truth).b.at(0).y, 4);
  EXPECT_TRUE(has_problem(found, "EVD/h/cat.txt", "image 2/cat is missing"));
  EXPECT_TRUE(has_problem(found, "EVD/1/dum.png", "h/dum.txt is missing"));
  EXPECT_EQ(found.problems.size(), 2u);
}

TEST_F(Datasets, LinksAreFollowedOnceEach) {
  const fs::path elsewhere = root_ / "elsewhere";
  root_ /= "set";
  for (const char* folder : {"v_b", "../elsewhere/v_c"}) {
    for (const char* name : {"1.ppm", "2.ppm"}) write(fs::path(folder) / name);
    write(fs::path(folder) / "H_1_2", identity);
  }
  fs::create_directory_symlink(".", root_ / "again");
  fs::create_directory_symlink("../set", root_ / "latest");
  fs::create_directory_symlink("v_b", root_ / "a_first_by_name");
  fs::create_directory_symlink(elsewhere, root_ / "linked");
  fs::create_directory_symlink("loop", root_ / "loop");
  const Dataset found = find_dataset(root_);
  EXPECT_TRUE(found.problems.empty());
  ASSERT_EQ(found.sequences.size(), 2u);
  EXPECT_EQ(found.sequences[0].name, "linked/v_c");
  EXPECT_EQ(found.sequences[1].name, "v_b");
}

TEST_F(Datasets, TruthThatIsNoRegularFileIsAProblem) {
  for (int i = 1; i <= 5; ++i) write("v_a/" + std::to_string(i) + ".ppm");
  write("v_a/H_1_2", identity);
  ASSERT_EQ(mkfifo((root_ / "v_a/H_1_3").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", root_ / "v_a/H_1_4");
  fs::create_symlink("/proc/self/mem", root_ / "v_a/H_1_5");  // reading at offset 0 fails
  const Dataset found = find_dataset(root_);
  EXPECT_TRUE(has_problem(found, "v_a/H_1_3", "it is a pipe, not a file"));
  EXPECT_TRUE(has_problem(found, "v_a/H_1_4", "it is a device, not a file"));
  EXPECT_TRUE(has_problem(found, "v_a/H_1_5", "error"));
  ASSERT_EQ(found.sequences.size(), 1u);
  EXPECT_EQ(found.sequences[0].others.size(), 1u);
}

TEST_F(Datasets, AHugeTruthIsRefusedBeforeItIsRead) {
  const fs::path file = root_ / "H1to2p";
  std::ofstream(file).close();
  fs::resize_file(file, (std::uintmax_t{1} << 30) + 1);  // takes no place on the disk
  for (const auto& read : {std::function<void()>([&] { read_homography(file); }),
                           std::function<void()>([&] { read_correspondences(file); })}) {
    try {
      read();
      ADD_FAILURE() << "it is read";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("must have at most 1 GiB"), std::string::npos) << error.what();
    }
  }
}

TEST_F(Datasets, AFolderThatCannotBeReadCostsNoOthers) {
  for (const char* name : {"graf/img1.ppm", "graf/img2.ppm", "shut/img1.ppm"}) write(name);
  write("graf/H1to2p", identity);
  fs::permissions(root_ / "shut", fs::perms::none);
  Dataset found;
  {
    const BoundByPermissions bound;
    found = find_dataset(root_);
  }
  fs::permissions(root_ / "shut", fs::perms::owner_all);
  ASSERT_EQ(found.sequences.size(), 1u);
  ASSERT_EQ(found.problems.size(), 1u);
  EXPECT_TRUE(has_problem(found, "shut", "cannot be read")) << found.problems[0];
}

TEST_F(Datasets, FoldersWithoutSequencesAreErrors) {
  write("photo.jpg");
  EXPECT_THROW(find_dataset(root_), Error);
  EXPECT_THROW(find_dataset(root_ / "none"), Error);
  EXPECT_THROW(find_dataset(root_ / "photo.jpg"), Error);
}

TEST_F(Datasets, HomographiesReadBackAsTheyWereWritten) {
  const std::array<double, 9> matrix{0.1, -1.0 / 3, 1e-17, 123456.789, 2e10, 0, -7e-5, 1.0 / 7, 1};
  write_homography(root_ / "H", matrix);
  EXPECT_EQ(read_homography(root_ / "H"), matrix);
  write("nan", "1 0 0 0 1 0 0 0 nan");
  write("word", "1 0 0 0 one 0 0 0 1");
  for (const char* name : {"nan", "word", "none"}) EXPECT_THROW(read_homography(root_ / name), Error);
}

}  // namespace
}  // namespace octavo
