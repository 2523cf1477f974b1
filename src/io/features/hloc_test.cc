// hloc's HDF5: what is written is read again; damaged files are refused.

#include "io/features/hloc.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>

#include "engine/core/test_folder.h"
#include "io/features/hdf5_file.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

class Hloc : public testing::Test {
 protected:
  const TestFolder folder;
  const fs::path file = folder / "a.h5";
};

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Descriptors of the length 512, as SIFT's are but for rounding.
Features features_of(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Features features;
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = static_cast<float>(i);
    features.keypoints.push_back({.x = number, .y = 2 * number, .scale = 1.5F, .orientation = 0.25F, .response = 0.1F});
    std::vector<double> values(descriptor_length);
    double sum = 0;
    for (double& value : values) {
      value = random() % 3 == 0 ? 0 : static_cast<double>(random() % 1000) * (i % 5 == 0 ? value + 1 : 1);
      sum += value * value;
    }
    for (const double value : values) {
      features.descriptors.push_back(static_cast<std::uint8_t>(std::min(255.0, 512 * value / std::sqrt(sum) + 0.5)));
    }
  }
  return features;
}

TEST_F(Hloc, BytesDependOnTheContentAlone) {
  const Features a = features_of(40, 1), c = features_of(3, 2);
  Features b = features_of(7, 3);
  b.keypoints[0].a11 = 2;
  HlocFeaturesWriter whole(file);
  whole.write("a.jpg", a, {640, 480}, "of a");
  whole.write("a/b.jpg", b, {64, 48}, "of b");
  whole.write("a-c.jpg", c, {9, 9}, "of c");  // behind a/, by the parts of its path
  whole.finish();

  const fs::path grown = folder / "grown.h5";
  HlocFeaturesWriter first(grown);
  first.write("a-c.jpg", c, {9, 9}, "of c");
  first.write("a.jpg", b, {640, 480}, "of another");
  first.save();
  EXPECT_FALSE(HlocFeatures(grown).is_finished());
  HlocFeaturesWriter second(grown);
  second.write("a.jpg", a, {640, 480}, "of a");
  second.write("a/b.jpg", b, {64, 48}, "of b");
  second.finish();
  EXPECT_TRUE(HlocFeatures(grown).is_finished());
  EXPECT_EQ(bytes_of(grown), bytes_of(file));

  const std::vector<std::byte> one = encode_hloc_features("a/b.jpg", b, {64, 48}, "of b");
  const fs::path part = folder / "part.h5", copy = folder / "copy.h5";
  std::ofstream(part, std::ios::binary).write(reinterpret_cast<const char*>(one.data()), static_cast<int>(one.size()));
  EXPECT_EQ(HlocFeatures(part).read("a/b.jpg"), b);
  HlocFeaturesWriter copying(copy);
  copying.copy(HlocFeatures(file), "a.jpg");
  copying.copy(HlocFeatures(part), "a/b.jpg");
  copying.copy(HlocFeatures(file), "a-c.jpg");
  copying.finish();
  EXPECT_EQ(bytes_of(copy), bytes_of(file));
}

TEST_F(Hloc, FeaturesAreThoseThatWereWritten) {
  const Features a = features_of(500, 1), b = features_of(3, 2);
  Features ellipse = features_of(1, 3);
  ellipse.keypoints[0].a11 = 2;
  {
    HlocFeaturesWriter writer(file);
    writer.write("below/a.jpg", a, {640, 480}, "a note");
    writer.write("b.jpg", b, {64, 48});
    writer.write("none.jpg", {}, {1, 1});
    EXPECT_FALSE(fs::exists(file));
    writer.finish();
  }
  HlocFeaturesWriter extending(file);
  extending.write("ellipse.jpg", ellipse, {9, 9});
  extending.write("b.jpg", a, {64, 48});
  extending.finish();

  const HlocFeatures read(file);
  EXPECT_EQ(read.names(), (std::vector<std::string>{"b.jpg", "below/a.jpg", "ellipse.jpg", "none.jpg"}));
  EXPECT_EQ(read.read("below/a.jpg"), a);
  EXPECT_EQ(read.read("b.jpg"), a);
  EXPECT_EQ(read.read("ellipse.jpg"), ellipse);
  EXPECT_EQ(read.read("none.jpg"), Features{});
  EXPECT_EQ(read.note("below/a.jpg"), "a note");
  EXPECT_EQ(read.note("b.jpg"), std::nullopt);
  EXPECT_EQ(read.note("no.jpg"), std::nullopt);
  EXPECT_THROW(static_cast<void>(read.read("no.jpg")), Error);
}

// What another program adds is not lost: it cannot add, or the extended file is refused.
TEST_F(Hloc, AFileThatAnotherProgramWritesIsNotReplacedUnderIt) {
  const Features features = features_of(3, 1);
  {
    HlocFeaturesWriter writer(file);
    writer.write("a.jpg", features, {64, 48});
    writer.finish();
  }
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const hid_t other = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(other, 0);
  EXPECT_THROW(HlocFeaturesWriter{file}, Error);
  H5Fclose(other);

  HlocFeaturesWriter extending(file);
  extending.write("b.jpg", features, {64, 48});
  EXPECT_LT(H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), 0);
  std::ofstream(file, std::ios::binary | std::ios::app) << "of a program without locks";
  EXPECT_THROW(extending.finish(), Error);
  EXPECT_TRUE(bytes_of(file).ends_with("of a program without locks"));
}

TEST_F(Hloc, TheSameCallsGiveTheSameBytes) {
  std::string first;
  for (int run = 0; run < 2; ++run) {
    fs::remove(file);
    HlocFeaturesWriter writer(file);
    writer.write("a.jpg", features_of(20, 1), {64, 48}, "note");
    writer.finish();
    if (run == 0) first = bytes_of(file);
  }
  EXPECT_EQ(first, bytes_of(file));
}

TEST_F(Hloc, MatchesAreThoseThatWereWritten) {
  const std::vector<Match> matches{{0, 7, 0}, {3, 2, 4096}, {4, 1, 100000}};
  HlocMatchesWriter writer(file);
  writer.write("x/a.jpg", "b.jpg", 6, std::vector<Match>{{1, 1, 5}});
  writer.write("b.jpg", "x/a.jpg", 6, matches);  // replaces it
  writer.write("b.jpg", "c.jpg", 6, matches, std::vector<std::uint8_t>{0, 1, 0});
  EXPECT_THROW(writer.write("b.jpg", "c.jpg", 4, matches), Error);
  writer.finish();
  EXPECT_EQ(read_hloc_matches(file, "b.jpg", "x/a.jpg"), matches);
  EXPECT_EQ(read_hloc_matches(file, "x/a.jpg", "b.jpg"), (std::vector<Match>{{1, 4, 100000}, {2, 3, 4096}, {7, 0, 0}}));
  EXPECT_EQ(read_hloc_matches(file, "b.jpg", "c.jpg"), (std::vector<Match>{{3, 2, 4096}}));
  EXPECT_THROW(read_hloc_matches(file, "a.jpg", "c.jpg"), Error);
}

TEST_F(Hloc, ScoresAreThoseOfDescriptorsOfTheirLength) {
  HlocMatchesWriter writer(file, 256);
  writer.write("a.jpg", "b.jpg", 1, std::vector<Match>{{0, 1, 65536}});  // 256²: the score 0.75
  writer.finish();
  EXPECT_EQ(read_hloc_matches(file, "a.jpg", "b.jpg"), (std::vector<Match>{{0, 1, 262144}}));
}

TEST_F(Hloc, DescriptorsOfAnyLengthAreReadAsNumbers) {
  {
    const io::Hdf5File made(file, "a.h5", io::Hdf5File::Mode::create);
    made.write("x/a.jpg/keypoints", std::array<std::size_t, 2>{2, 2}, std::array{1.F, 2.F, 3.F, 4.F});
    made.write("x/a.jpg/descriptors", std::array<std::size_t, 2>{3, 2}, std::array{-1.F, 2.F, 3.F, 4.F, 5.F, 6.F});
    made.write("b.jpg/keypoints", std::array<std::size_t, 2>{1, 2}, std::array{1.F, 2.F});
    made.write("b.jpg/descriptors", std::array<std::size_t, 2>{3, 2}, std::array{-1.F, 2.F, 3.F, 4.F, 5.F, 6.F});
  }
  const HlocFile others(file);
  EXPECT_EQ(others.names(), (std::vector<std::string>{"b.jpg", "x/a.jpg"}));
  const NumberedFeatures a = others.read("x/a.jpg");
  EXPECT_EQ(a.keypoints, (std::vector<Keypoint>{{.x = 1, .y = 2}, {.x = 3, .y = 4}}));
  EXPECT_EQ(a.length, 3u);
  EXPECT_EQ(a.descriptors, (std::vector<float>{-1, 3, 5, 2, 4, 6}));
  EXPECT_THROW(others.read("b.jpg"), Error) << "two descriptors of one keypoint";
  EXPECT_THROW(others.read("c.jpg"), Error);
}

// A data set as another program makes it.
template <std::size_t count, class Number>
void write_column(hid_t group, const char* name, hid_t type_in_file, hid_t type,
                  const std::array<Number, count>& numbers) {
  const hsize_t length = count;
  const hid_t space = H5Screate_simple(1, &length, nullptr);
  const hid_t made = H5Dcreate2(group, name, type_in_file, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
  H5Dclose(made);
  H5Sclose(space);
}

void write_pair(const fs::path& path, const char* pair, const std::array<int, 3>& partners,
                const std::array<float, 3>& scores) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t group = H5Gcreate2(file, pair, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  write_column(group, "matches0", H5T_STD_I16LE, H5T_NATIVE_INT, partners);
  write_column(group, "matching_scores0", H5T_IEEE_F64BE, H5T_NATIVE_FLOAT, scores);
  H5Gclose(group);
  H5Fclose(file);
}

TEST_F(Hloc, MatchesOfOtherProgramsHaveOtherWidthsAndOlderNames) {
  write_pair(file, "x-a.jpg_b.jpg", {2, -1, 0}, {1, 0, 0.75F});
  EXPECT_EQ(read_hloc_matches(file, "x/a.jpg", "b.jpg"), (std::vector<Match>{{0, 2, 0}, {2, 0, 262144}}));
  EXPECT_EQ(read_hloc_matches(file, "b.jpg", "x/a.jpg"), (std::vector<Match>{{0, 2, 262144}, {2, 0, 0}}));
  HlocMatchesWriter writer(file);  // replaces it
  writer.write("b.jpg", "x/a.jpg", 1, std::vector<Match>{{0, 1, 0}});
  writer.finish();
  EXPECT_EQ(read_hloc_matches(file, "x/a.jpg", "b.jpg"), (std::vector<Match>{{1, 0, 0}}));
}

TEST_F(Hloc, AScoreThatIsNoNumberIsRefused) {
  write_pair(file, "a.jpg_b.jpg", {2, -1, 0}, {1, 0, std::numeric_limits<float>::quiet_NaN()});
  EXPECT_THROW(read_hloc_matches(file, "a.jpg", "b.jpg"), Error);
}

TEST_F(Hloc, AFileWithImagesOfOtherProgramsIsFinishedToo) {
  HlocFeaturesWriter begun(file);
  begun.write("a.jpg", features_of(3, 1), {9, 9});  // without a note
  begun.save();
  EXPECT_FALSE(HlocFeatures(file).is_finished());
  HlocFeaturesWriter more(file);
  more.write("b.jpg", features_of(3, 2), {9, 9}, "of b");
  more.finish();
  EXPECT_TRUE(HlocFeatures(file).is_finished());
}

// HDF5 writes all elements of an attribute, whatever room there is.
TEST_F(Hloc, ANoteOfManyElementsIsNone) {
  {
    HlocFeaturesWriter writer(file);
    writer.write("a.jpg", features_of(3, 1), {9, 9});
    writer.finish();
  }
  const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hsize_t length = 60;
  const hid_t space = H5Screate_simple(1, &length, nullptr), type = H5Tcopy(H5T_C_S1);
  EXPECT_GE(H5Tset_size(type, 1000), 0);
  const hid_t note = H5Acreate_by_name(opened, "a.jpg", "octavo", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Awrite(note, type, std::string(60000, 'x').data()), 0);
  H5Aclose(note);
  H5Tclose(type);
  H5Sclose(space);
  H5Fclose(opened);
  EXPECT_EQ(HlocFeatures(file).note("a.jpg"), std::nullopt);
}

// The library unpacks a chunk as a whole, whatever part of it the data set has.
TEST_F(Hloc, AChunkThatIsLongerThanItsBytesIsRefused) {
  const std::array<hsize_t, 2> sides{16, 2}, most{H5S_UNLIMITED, 2};
  const std::array<float, 32> numbers{};
  const hid_t made = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t links = H5Pcreate(H5P_LINK_CREATE), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  H5Pset_chunk(creation, 2, sides.data());
  H5Pset_deflate(creation, 9);
  const hid_t space = H5Screate_simple(2, sides.data(), most.data());
  const hid_t set = H5Dcreate2(made, "a.jpg/keypoints", H5T_IEEE_F32LE, space, links, creation, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
  H5Dclose(set), H5Sclose(space), H5Pclose(creation), H5Pclose(links), H5Fclose(made);
  std::string bytes = bytes_of(file);
  const std::string layout("\x10\0\0\0\2\0\0\0\4\0\0\0", 12);  // 16 × 2 numbers of 4 bytes
  ASSERT_NE(bytes.find(layout), std::string::npos);
  bytes.replace(bytes.find(layout), 4, std::string("\xFF\xFF\xFF\x07", 4));
  std::ofstream(file, std::ios::binary) << bytes;
  try {
    static_cast<void>(HlocFeatures(file).read("a.jpg"));
    FAIL() << "it is read";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("asks for 268435454 numbers"), std::string::npos) << error.what();
  }
}

TEST_F(Hloc, WhatIsNoFileOfFeaturesIsRefused) {
  EXPECT_THROW(HlocFeatures{file}, Error);
  std::ofstream(file) << "no HDF5";
  EXPECT_THROW(HlocFeatures{file}, Error);
  EXPECT_THROW(HlocFeaturesWriter{file}, Error);
  EXPECT_EQ(bytes_of(file), "no HDF5");
  fs::remove(file);
  HlocFeaturesWriter writer(file);
  writer.write("a.jpg", features_of(200, 1), {64, 48});
  EXPECT_THROW(writer.write("b.jpg", {.keypoints = {Keypoint{}}, .descriptors = {}}, {1, 1}), Error);
  writer.finish();
  fs::resize_file(file, fs::file_size(file) / 2);
  EXPECT_THROW(static_cast<void>(HlocFeatures(file).read("a.jpg")), Error);
}

}  // namespace
}  // namespace octavo
