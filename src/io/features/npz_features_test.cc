// Features from NumPy archives: Octavo's own, those of other programs, and invalid ones.

#include <gtest/gtest.h>
#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include "io/images/test_images.h"
#include "octavo/error.h"
#include "octavo/io/feature_files.h"

namespace octavo {
namespace {

using namespace io::test;

TEST(NpzEllipses, AreReadBack) {
  Features features;
  for (int i = 0; i < 5; ++i) {
    const auto f = static_cast<float>(i);
    features.keypoints.push_back({.x = f, .y = 3, .scale = 2, .octave = -1, .layer = 2});
    features.descriptors.insert(features.descriptors.end(), descriptor_length, static_cast<std::uint8_t>(i));
  }
  const std::size_t without = encode_npz_features("a.npz", features).size();
  features.keypoints[2].a11 = 1.5f;
  features.keypoints[2].a21 = -0.25f;
  features.keypoints[2].a22 = 2;
  const std::vector<std::byte> file = encode_npz_features("a.npz", features);
  EXPECT_GT(file.size(), without);
  EXPECT_EQ(decode_npz_features(file, "a.npz"), features);
}

std::string little(std::size_t value, int width) {
  std::string bytes;
  for (int i = 0; i < width; ++i) bytes += static_cast<char>(value >> 8 * i & 0xFF);
  return bytes;
}

std::string deflated(const std::string& data) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(data.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// An archive as numpy.savez writes it: with an extra field in the local headers (sizes are in the directory).
std::string archive(const std::vector<std::pair<std::string, std::string>>& files, bool pack = false) {
  std::string zip, directory;
  for (const auto& [name, data] : files) {
    const std::string packed = pack ? deflated(data) : data;
    const auto crc = crc32(0, reinterpret_cast<const Bytef*>(data.data()), static_cast<uInt>(data.size()));
    const std::string head = little(20, 2) + little(0, 2) + little(pack ? 8 : 0, 2) + little(0, 4) + little(crc, 4) +
                             little(packed.size(), 4) + little(data.size(), 4) + little(name.size(), 2);
    directory += little(0x02014b50, 4) + little(20, 2) + head + little(0, 2) + little(0, 2) + little(0, 2) +
                 little(0, 2) + little(0, 4) + little(zip.size(), 4) + name;
    zip += little(0x04034b50, 4) + head + little(4, 2) + name + "abcd" + packed;
  }
  const std::size_t start = zip.size();
  return zip + directory + little(0x06054b50, 4) + little(0, 4) + little(files.size(), 2) + little(files.size(), 2) +
         little(directory.size(), 4) + little(start, 4) + little(0, 2);
}

std::string npy(const std::string& type, const std::string& shape, const std::string& data, bool fortran = false) {
  const std::string header =
      "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (" + shape + "), }\n";
  return std::string("\x93NUMPY\x01\x00", 8) + little(header.size(), 2) + header + data;
}

template <class Number>
std::string bytes_of(const std::vector<Number>& numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

Features decode_npz(const std::string& bytes) { return decode_npz_features(std::as_bytes(std::span(bytes)), "x.npz"); }

void expect_refusal(const std::string& bytes, const std::string& words) {
  try {
    decode_npz(bytes);
    ADD_FAILURE() << "was read, but: " << words;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::file_error);
    const std::string sentence = error.what();
    EXPECT_NE(sentence.find("x.npz"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(words), std::string::npos) << sentence << "\nlacks: " << words;
  }
}

const std::string two_points = npy("<f8", "2, 2", bytes_of<double>({1.5, 2.5, 3, 4}));
const std::string two_descriptors = npy("|u1", "2, 128", std::string(256, '\7'));

using NpzFeatures = FolderTest;

TEST_F(NpzFeatures, WhatOctavoWroteReadsBack) {
  Features features;
  for (int i = 0; i < 9; ++i) {
    const auto f = static_cast<float>(i);
    features.keypoints.push_back({1.1f * f, 2.3f + f, 1.6f, 0.1f * f, 0.04f, i % 3 - 1, 1 + i % 3});
    for (int j = 0; j < 128; ++j) features.descriptors.push_back(static_cast<std::uint8_t>(i * 31 + j * 2));
  }
  write_npz_features(folder_ / "a.npz", features);
  EXPECT_EQ(read_npz_features(folder_ / "a.npz"), features);
  write_npz_features(folder_ / "none.npz", {});
  EXPECT_EQ(read_npz_features(folder_ / "none.npz"), Features());
}

TEST_F(NpzFeatures, OtherTypesShapesAndPackingAreTheSameFeatures) {
  for (const bool pack : {false, true}) {
    const Features found =
        decode_npz(archive({{"keypoints.npy", two_points}, {"descriptors.npy", two_descriptors}}, pack));
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found.keypoints[1].x, 3);
    EXPECT_EQ(found.keypoints[0].y, 2.5f);
    EXPECT_EQ(found.keypoints[0].response, 0);
    EXPECT_EQ(found.descriptor(1)[127], 7);
  }
  std::vector<float> columns(256);  // Fortran's order: all first entries, then all second ones
  for (std::size_t i = 0; i < 256; ++i) columns[i] = static_cast<float>(i / 2 + i % 2 * 100);
  const Features found =
      decode_npz(archive({{"descriptors.npy", npy("<f4", "2, 128", bytes_of(columns), true)},
                          {"keypoints.npy", npy("<i4", "2, 6", std::string(48, '\0'))},
                          {"octave_layer.npy", npy("<i8", "2, 2", bytes_of<std::int64_t>({-1, 1, 2, 3}))},
                          {"more.npy", "anything"}}));
  EXPECT_EQ(found.descriptor(0)[127], 127);
  EXPECT_EQ(found.descriptor(1)[27], 127);
  EXPECT_EQ(found.keypoints[0].octave, -1);
  EXPECT_EQ(found.keypoints[1].layer, 3);
}

TEST_F(NpzFeatures, HalfFloatsAreReadExactly) {
  const std::vector<std::uint16_t> halves{0x3C00, 0xC100, 0x7BFF, 0x0001, 0x8400, 0x3555};
  const auto read = [](const std::vector<std::uint16_t>& numbers) {
    return decode_npz(
        archive({{"keypoints.npy", npy("<f2", "1, " + std::to_string(numbers.size()), bytes_of(numbers))},
                 {"descriptors.npy", npy("<f2", "1, 128", bytes_of(std::vector<std::uint16_t>(128, 0x5BF8)))}},
                true));
  };
  const Features found = read(halves);
  EXPECT_EQ(found.keypoints.at(0), (Keypoint{1, -2.5f, 65504, 0x1p-24f, -0x1p-14f}));
  EXPECT_EQ(found.descriptor(0)[127], 255);
  EXPECT_EQ(read({0x3555, 0}).keypoints.at(0).x, 0.333251953125f);
  for (const auto not_finite : std::vector<std::uint16_t>{0x7C00, 0xFC00, 0x7E00})
    EXPECT_THROW(read({0, not_finite}), Error);
}

// The size that a packed array announces, and the size in the archive's records, may be far larger than the data.
TEST_F(NpzFeatures, ShapesAreJudgedBeforeTheNumbersAreUnpacked) {
  std::string noise;
  std::uint32_t state = 1;
  for (int i = 0; i < 500000; ++i) noise += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  const auto packed = [&](const std::string& name, std::size_t rows, std::size_t columns) {
    const std::string shape = std::to_string(rows) + ", " + std::to_string(columns);
    const std::string head = npy("|u1", shape, ""), data = head + noise;
    std::string zip = archive({{name, data},
                               {"descriptors.npy", npy("|u1", "2, 128", std::string(256, '\7'))},
                               {"keypoints.npy", npy("|u1", "2, 2", "1234")}},
                              true);
    const std::string size = little(data.size(), 4), announced = little(head.size() + rows * columns, 4);
    for (std::size_t at = 0; (at = zip.find(size, at)) != std::string::npos;) zip.replace(at, 4, announced);
    return zip;
  };
  expect_refusal(packed("descriptors.npy", 4000000, 100), "descriptors has the shape (4000000, 100)");
  expect_refusal(packed("descriptors.npy", 2, 200000000), "descriptors has the shape (2, 200000000)");
  expect_refusal(packed("keypoints.npy", 400000000, 1), "must have two or more columns");
  expect_refusal(packed("keypoints.npy", 30000000, 2), "must have at most 27531815 rows");
  expect_refusal(packed("octave_layer.npy", 2, 200000000), "octave_layer has the shape (2, 200000000)");
  expect_refusal(packed("keypoints.npy", 2, 1000000), "keypoints.npy is damaged");
  // A member that is not packed has as many bytes as it announces.
  std::string stored = archive({{"keypoints.npy", npy("|u1", "2, 2", "1234")}}, false);
  const std::string size = little(npy("|u1", "2, 2", "1234").size(), 4), announced = little(100'000, 4);
  stored.replace(stored.rfind(size), 4, announced);
  expect_refusal(stored, "keypoints.npy is damaged: it asks for 100000 bytes, but has 74");
}

TEST_F(NpzFeatures, LongArraysArePackedAlike) {
  std::vector<double> places(600);
  for (std::size_t i = 0; i < 600; ++i) places[i] = static_cast<double>(i);
  std::vector<double> numbers(300 * 128);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i % 251);
  for (const bool pack : {false, true}) {
    const Features found = decode_npz(archive({{"keypoints.npy", npy("<f8", "300, 2", bytes_of(places))},
                                               {"descriptors.npy", npy("<f8", "300, 128", bytes_of(numbers))}},
                                              pack));
    EXPECT_EQ(found.keypoints.at(299).y, 599);
    EXPECT_EQ(found.descriptor(299)[127], (300 * 128 - 1) % 251);
  }
}

TEST_F(NpzFeatures, WhatNumPyPackedIsRead) {
  const Features found = read_npz_features(testdata("packed.npz"));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found.keypoints[2], (Keypoint{.x = 1.5f, .y = 2, .scale = 3, .octave = -1, .layer = 1}));
  EXPECT_EQ(found.descriptor(2)[5], 5);
}

TEST_F(NpzFeatures, KeypointsNeedNoDescriptors) {
  const Features found =
      decode_npz(archive({{"keypoints.npy", two_points}, {"descriptors.npy", npy("|u1", "0, 128", "")}}));
  EXPECT_EQ(found.size(), 2u);
  EXPECT_TRUE(found.descriptors.empty());
}

TEST_F(NpzFeatures, WhatCannotBeReadIsSaid) {
  const auto with = [](const std::string& keypoints, const std::string& descriptors = two_descriptors) {
    return archive({{"keypoints.npy", keypoints}, {"descriptors.npy", descriptors}});
  };
  const std::string good = with(two_points);
  expect_refusal("", "it is empty");
  expect_refusal("hello, I am a text", "not a NumPy archive");
  expect_refusal(good.substr(0, good.size() - 30), "truncated");
  expect_refusal(good.substr(0, 200), "truncated");
  expect_refusal(archive({{"keypoints.npy", two_points}}), "no array 'descriptors'");
  expect_refusal(with(npy("<f8", "4", bytes_of<double>({1, 2, 3, 4}))), "two dimensions");
  expect_refusal(with(npy("<f8", "2, 1", bytes_of<double>({1, 2}))), "keypoints has the shape (2, 1)");
  expect_refusal(with(npy("<f8", "3, 2", bytes_of<double>({1, 2, 3, 4}))), "3 × 2 numbers that it announces");
  expect_refusal(with(npy("<f8", "999999999999, 999999999999", "")), "that it announces");
  expect_refusal(with(npy(">f8", "2, 2", bytes_of<double>({1, 2, 3, 4}))), "type >f8");
  expect_refusal(with(npy("<c8", "2, 2", bytes_of<double>({1, 2, 3, 4}))), "type <c8");
  expect_refusal(with("no array"), "keypoints is damaged");
  const double infinity = std::numeric_limits<double>::infinity();
  expect_refusal(with(npy("<f8", "2, 2", bytes_of<double>({1, 2, infinity, 4}))), "not finite in row 1");
  expect_refusal(with(two_points, npy("|u1", "3, 128", std::string(384, '\7'))), "descriptors has the shape (3, 128)");
  expect_refusal(with(two_points, npy("|u1", "2, 64", std::string(128, '\7'))), "descriptors has the shape (2, 64)");
  expect_refusal(with(two_points, npy("|u1", "0, 64", "")), "descriptors has the shape (0, 64)");
  std::vector<float> numbers(256, 1);
  numbers[130] = 0.5f;
  expect_refusal(with(two_points, npy("<f4", "2, 128", bytes_of(numbers))), "0.500000 in row 1");
  numbers[130] = 256;
  expect_refusal(with(two_points, npy("<f4", "2, 128", bytes_of(numbers))), "from 0 to 255");
  std::string flipped = good;
  flipped[flipped.find("\7\7\7")] = 8;
  expect_refusal(flipped, "descriptors.npy is damaged");
  EXPECT_THROW(read_npz_features(folder_ / "none.npz"), Error);
  EXPECT_THROW(read_npz_features(folder_.path), Error);
}

}  // namespace
}  // namespace octavo
