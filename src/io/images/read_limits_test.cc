// Small files that ask for much work or memory, and good files and images where memory is short. Reading and writing
// run in a child process, so that its memory can be measured and limited.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <opencv2/imgcodecs.hpp>
#include <optional>
#include <string>
#include <vector>

#include "io/images/test_images.h"
#include "io/images/tiff_file.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

using namespace io::test;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif
#define SKIP_IF_SANITIZED() \
  if (is_sanitized) GTEST_SKIP() << "the sanitizer takes memory of its own, so that none can be measured"

constexpr std::size_t mebibyte = 1 << 20;

struct Outcome {
  std::string sentence;  ///< of the error; empty: the image was read
  ErrorCode code = ErrorCode::file_error;
  std::size_t peak = 0;  ///< [byte] of memory that the child used
};

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

/// Limits the memory of this process to what it has and `room` bytes. What it has and does not use is taken first, so
/// that it makes no room.
void limit_memory(std::size_t room) {
  std::ifstream pages("/proc/self/statm");
  std::size_t used = 0;
  pages >> used;
  rlimit limit{used * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &limit);
  for (std::size_t block = mebibyte; block >= 256; block /= 2) {
    void* volatile taken = nullptr;  // volatile: the compiler would leave out what is not used
    do {
      taken = std::malloc(block);
    } while (taken != nullptr);
  }
  limit.rlim_cur += room;
  setrlimit(RLIMIT_AS, &limit);
}

/// Does the job in a child process, which may use `address_space` bytes besides those that it has; 0: any number.
Outcome outcome_of(const std::function<void()>& job, std::size_t address_space = 0) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    if (address_space > 0 && !is_sanitized) limit_memory(address_space);
    std::string answer = "?";
    try {
      job();
      answer = "+";
    } catch (const Error& error) {
      answer = (error.code() == ErrorCode::out_of_memory ? "m" : "f") + std::string(error.what());
    } catch (...) {
    }
    _exit(write(ends[1], answer.data(), answer.size()) > 0 ? 0 : 1);
  }
  close(ends[1]);
  std::string answer(4096, '\0');
  answer.resize(static_cast<std::size_t>(std::max<ssize_t>(read(ends[0], answer.data(), answer.size()), 0)));
  close(ends[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0 && !answer.empty() && answer[0] != '?') << status;
  Outcome result;
  result.peak = static_cast<std::size_t>(usage.ru_maxrss) * 1024;
  if (answer.empty()) return result;
  result.code = answer[0] == 'm' ? ErrorCode::out_of_memory : ErrorCode::file_error;
  result.sentence = answer.substr(1);
  return result;
}

/// Reads an image in such a process.
Outcome outcome(std::span<const std::byte> file, std::size_t address_space = 0, const ReadOptions& options = {}) {
  return outcome_of([&] { decode_image(file, "a name", options); }, address_space);
}

/// The memory of a child that reads a small image. The child begins with the memory of the test.
std::size_t usual_peak() { return outcome(bytes_of_file(testdata("rgb8.png"))).peak; }

/// The file gives an error with these words, asks for little memory and takes little.
void expect_refused(const std::string& file, const std::string& words) {
  const std::size_t usual = usual_peak();
  const Outcome found = outcome(bytes_of(file), 96 * mebibyte);
  EXPECT_EQ(found.code, ErrorCode::file_error) << found.sentence;
  EXPECT_NE(found.sentence.find(words), std::string::npos) << "'" << found.sentence << "' does not say " << words;
  if (is_sanitized) return;
  EXPECT_LT(found.peak, usual + 64 * mebibyte) << words;
}

std::string big_endian(std::uint32_t number) {
  return {static_cast<char>(number >> 24), static_cast<char>(number >> 16), static_cast<char>(number >> 8),
          static_cast<char>(number)};
}

std::string png_chunk(const std::string& kind, const std::string& data) {
  const std::string checked = kind + data;
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size()));
  return big_endian(static_cast<std::uint32_t>(data.size())) + checked + big_endian(static_cast<std::uint32_t>(sum));
}

std::string deflated_text(const std::string& data) {
  uLongf size = compressBound(data.size());
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(data.data()), data.size());
  packed.resize(size);
  return packed;
}

/// A grey PNG of 8 bits with some chunks between its header and its data.
std::string png(std::uint32_t width, std::uint32_t height, const std::string& chunks, const std::string& data) {
  using namespace std::string_literals;
  return "\x89PNG\r\n\x1A\n"s + png_chunk("IHDR", big_endian(width) + big_endian(height) + "\x08\0\0\0\0"s) + chunks +
         png_chunk("IDAT", deflated_text(data)) + png_chunk("IEND", "");
}

TEST(ReadLimits, PngOfOneEndlessRow) {
  SKIP_IF_SANITIZED();
  expect_refused(png(0x7FFFFFFF, 1, "", ""), "2147483647 × 1 pixels, more than `max_pixels`");
  expect_refused(png(1, 0x7FFFFFFF, "", ""), "1 × 2147483647 pixels, more than `max_pixels`");
}

TEST(ReadLimits, PngThatCannotHoldItsPixels) {
  SKIP_IF_SANITIZED();
  expect_refused(png(16384, 16384, "", ""), "truncated");
}

TEST(ReadLimits, PngOfNarrowRowsTakesNoMemoryForThem) {
  SKIP_IF_SANITIZED();
  constexpr std::uint32_t height = 16 << 20;
  const std::string file = png(1, height, "", std::string(2 * std::size_t{height}, '\0'));
  const std::size_t usual = usual_peak();
  const Outcome found = outcome(bytes_of(file));
  EXPECT_EQ(found.sentence, "");
  EXPECT_LT(found.peak, usual + 64 * mebibyte);
}

TEST(ReadLimits, PngTextsAreNotUnpacked) {
  SKIP_IF_SANITIZED();
  using namespace std::string_literals;
  const std::string text = png_chunk("zTXt", "a\0\0"s + deflated_text(std::string(7'000'000, 'a')));
  std::string texts;
  for (int i = 0; i < 100; ++i) texts += text;
  const std::string file = png(1, 1, texts, "\0\0"s);
  const std::size_t usual = usual_peak();
  const Outcome found = outcome(bytes_of(file));
  EXPECT_EQ(found.sentence, "");
  EXPECT_LT(found.peak, usual + 64 * mebibyte);
}

TEST(ReadLimits, ExifEntriesThatShareBytes) {
  SKIP_IF_SANITIZED();
  const auto little = [](std::size_t number, int size) {
    std::string bytes;
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(number >> 8 * i);
    return bytes;
  };
  // The orientation, and 249 entries whose content is the same 2 MB.
  constexpr std::size_t shared = 2'000'000;
  std::string block = "II*" + little(0, 1) + little(8, 4) + little(250, 2) + little(274, 2) + little(3, 2) +
                      little(1, 4) + little(6, 4);
  for (std::size_t i = 1; i < 250; ++i) {
    block += little(32768 + i, 2) + little(1, 2) + little(shared, 4) + little(4096, 4);
  }
  block.resize(4096 + shared);
  const std::string file = png(13, 9, png_chunk("eXIf", block), std::string(14 * std::size_t{9}, '\0'));
  const std::size_t usual = usual_peak();
  const Outcome found = outcome(bytes_of(file));
  EXPECT_EQ(found.sentence, "");
  EXPECT_LT(found.peak, usual + 64 * mebibyte);
  EXPECT_EQ(decode_image(bytes_of(file), "a name").width(), 9) << "the orientation is still found";
}

TEST(ReadLimits, JpegOfManyScans) {
  auto bytes = bytes_of_file(testdata("progressive.jpg"));
  const std::byte start[] = {std::byte{0xFF}, std::byte{0xDA}};
  const auto scan = std::search(bytes.begin(), bytes.end(), std::begin(start), std::end(start));
  const auto next = std::search(scan + 2, bytes.end(), std::begin(start), std::end(start));
  ASSERT_NE(next, bytes.end());
  const std::vector<std::byte> first(scan, next);
  for (int i = 0; i < 1000; ++i) bytes.insert(bytes.end() - 2, first.begin(), first.end());
  const Outcome found = outcome(bytes);
  EXPECT_NE(found.sentence.find("more than 100 scans"), std::string::npos) << found.sentence;
}

TEST(ReadLimits, TiffWithoutSomeOfItsStrips) {
  // Four rows in strips of one, but only three strips. libtiff takes the file's first bytes for the fourth.
  TiffFile file{.width = 8, .height = 4, .rows_per_strip = 1};
  file.strips = {std::string(8, 'a'), std::string(8, 'b'), std::string(8, 'c')};
  expect_refused(file.bytes(), "strip 4 of 4 is missing");
  file.strips.push_back(std::string(8, 'd'));
  EXPECT_EQ(outcome(bytes_of(file.bytes())).sentence, "");
  file.strips.back() = "";
  expect_refused(file.bytes(), "strip 4 of 4 is missing");
}

TEST(ReadLimits, TiffThatCannotHoldItsPixels) {
  SKIP_IF_SANITIZED();
  constexpr std::array<std::uint16_t, 4> compressions{1, 5, 8, 32773};  // none, LZW, deflate, PackBits
  for (const std::uint16_t compression : compressions) {
    TiffFile file{.width = 16384, .height = 16384, .rows_per_strip = 16384, .compression = compression};
    file.strips = {std::string(100, 'a')};
    expect_refused(file.bytes(), "truncated");
  }
}

TEST(ReadLimits, TiffOfManyChannels) {
  SKIP_IF_SANITIZED();
  TiffFile file{.width = 4096, .height = 4096, .rows_per_strip = 4096, .compression = 50000, .channels = 65535};
  file.strips = {std::string(100, 'a')};
  expect_refused(file.bytes(), "of 65535 channels, more than `max_pixels`");
}

TEST(ReadLimits, TiffOfHugeTiles) {
  SKIP_IF_SANITIZED();
  TiffFile file{.width = 16, .height = 1 << 14, .compression = 50000, .tile_width = 1 << 16, .tile_height = 16};
  file.strips.assign(1 << 10, std::string(20, 'a'));
  file.bits = 64;
  file.format = 3;
  file.tile_width = 1 << 17;
  expect_refused(file.bytes(), "its tiles hold more pixels than `max_pixels`");
}

TEST(ReadLimits, TiffWhoseStripsAreTheSameBytesManyTimes) {
  SKIP_IF_SANITIZED();
  TiffFile file{.width = 1, .height = 1 << 16, .rows_per_strip = 1, .compression = 8};
  file.strips.assign(1 << 16, "");
  file.shared = std::string(1 << 16, 'a');
  expect_refused(file.bytes(), "truncated, damaged or of a rare kind");
}

std::string box(const std::string& type, const std::string& content) {
  return big_endian(static_cast<std::uint32_t>(content.size() + 8)) + type + content;
}

std::string two_bytes(std::uint32_t number) { return big_endian(number).substr(2); }

/// A HEIC file of `pict` whose list of items has these tables.
std::string heic(const std::string& tables) {
  const std::string handler = box("hdlr", std::string(8, '\0') + "pict" + std::string(13, '\0'));
  const std::string primary = box("pitm", big_endian(0) + two_bytes(1));
  return box("ftyp", "heic" + big_endian(0) + "mif1heic") + box("meta", big_endian(0) + handler + primary + tables);
}

/// The place of an item in a table "iloc": so many extents without a byte each.
std::string place_of_item(std::uint32_t number, std::uint32_t extents) {
  return two_bytes(number) + two_bytes(0) + two_bytes(extents);
}

std::string repeated(std::size_t count, const std::string& text) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

// What a table asks for, and the bytes that it has.
TEST(ReadLimits, HeifTablesThatAskForMoreThanTheirBytes) {
  SKIP_IF_SANITIZED();
  if (!missing_library("a.heic").empty()) GTEST_SKIP() << "lacks " << missing_library("a.heic");
  constexpr std::uint32_t many = 0xFFFFFFFF, items = 2000;
  std::string places = big_endian(0) + two_bytes(0) + two_bytes(items);
  for (std::uint32_t i = 1; i <= items; ++i) places += place_of_item(i, 65535);
  expect_refused(heic(box("iloc", places)), "the table 'iloc' asks for 65535 entries of 0 bytes");
  expect_refused(heic(box("iloc", big_endian(0) + two_bytes(0x4400) + two_bytes(1) + place_of_item(1, 65535))),
                 "the table 'iloc' asks for 65535 entries of 8 bytes, but has 0 bytes");
  expect_refused(heic(box("iloc", big_endian(2 << 24) + two_bytes(0) + big_endian(many))),
                 "the table 'iloc' asks for 4294967295 entries");
  expect_refused(heic(box("iinf", big_endian(1 << 24) + big_endian(many))),
                 "the table 'iinf' asks for 4294967295 entries");
  expect_refused(heic(box("iprp", box("ipco", "") + box("ipma", big_endian(0) + big_endian(many)))),
                 "the table 'ipma' asks for 4294967295 entries");
  const std::string links = big_endian(0) + big_endian(1) + two_bytes(1) + "\xFF";
  expect_refused(heic(box("iprp", box("ipco", "") + box("ipma", links))), "the table 'ipma' asks for 255 entries");
  expect_refused(heic(box("iref", big_endian(0) + box("dimg", two_bytes(1) + two_bytes(65535)))),
                 "the table 'iref' asks for 65535 entries of 2 bytes, but has 0 bytes");
}

// libheif goes through all references for each item: a file of 6 MB took it a minute. It calls what exceeds its limits
// a shortage of memory.
TEST(ReadLimits, HeifTablesOfTooManyEntries) {
  SKIP_IF_SANITIZED();
  if (!missing_library("a.heic").empty()) GTEST_SKIP() << "lacks " << missing_library("a.heic");
  const std::string reference = box("cdsc", two_bytes(1) + two_bytes(1) + two_bytes(1));
  expect_refused(heic(box("iref", big_endian(0) + repeated(20000, reference))), "more than 16384 lists of references");
  std::string many_items;
  for (std::uint32_t i = 0; i < 70000; ++i) many_items += big_endian(i) + two_bytes(0) + two_bytes(0) + two_bytes(0);
  expect_refused(heic(box("iloc", big_endian(2 << 24) + two_bytes(0) + big_endian(70000) + many_items)),
                 "ask for more than 66560 items");
  std::string places = big_endian(0) + two_bytes(0x4400) + two_bytes(30000);
  for (std::uint32_t i = 1; i <= 30000; ++i) places += place_of_item(i, 0);
  const Outcome found = outcome(bytes_of(heic(box("iloc", places))));
  EXPECT_EQ(found.code, ErrorCode::file_error) << found.sentence;
}

/// A code stream of OpenJPEG's, of 13 × 9 pixels. The size is at byte 8, the tiles at 24, COD's layers at `cod` + 6.
TEST(ReadLimits, Jpeg2000OfManyTilesLayersAndPrecincts) {
  SKIP_IF_SANITIZED();
  if (!missing_library("rgb.j2k").empty()) GTEST_SKIP() << "lacks " << missing_library("rgb.j2k");
  const auto original = bytes_of_file(testdata("rgb.j2k"));
  const auto text = std::string(reinterpret_cast<const char*>(original.data()), original.size());
  EXPECT_EQ(outcome(bytes_of(text)).sentence, "");
  std::string tiles = text;
  tiles.replace(8, 8, big_endian(16384) + big_endian(16384));
  tiles.replace(24, 8, big_endian(128) + big_endian(128));
  expect_refused(tiles, "truncated");
  std::string enough = tiles;
  enough.replace(8, 8, big_endian(1000) + big_endian(1000));
  enough.replace(24, 8, big_endian(4) + big_endian(4));
  expect_refused(enough + std::string(1 << 20, 'a'), "tiles are below 32 × 32 pixels");
  const std::size_t cod = text.find("\xFF\x52");
  ASSERT_NE(cod, std::string::npos);
  std::string layers = text;
  layers.replace(cod + 6, 2, "\xFF\xFF");
  expect_refused(layers, "truncated");
  std::string precincts = text;  // of a pixel each
  precincts.replace(8, 8, big_endian(16384) + big_endian(16384));
  precincts.replace(24, 8, big_endian(16384) + big_endian(16384));
  precincts[cod + 4] = static_cast<char>(precincts[cod + 4] | 1);
  precincts.replace(cod + 14, 6, std::string(6, '\0'));
  expect_refused(precincts, "truncated");
}

/// An image that does not pack well, in the format of an ending.
std::string encoded(const std::string& ending, const std::vector<int>& how = {}) {
  cv::Mat image(700, 700, CV_8UC3);
  cv::randu(image, 0, 256);
  std::vector<unsigned char> bytes;
  cv::imencode(ending, image, bytes, how);
  return {bytes.begin(), bytes.end()};
}

/// Where memory is short the job throws out_of_memory, and with more memory it is done.
void expect_shortage_then_success(const std::function<void()>& job) {
  int short_of_memory = 0;
  bool is_done = false;
  for (std::size_t room = 1 << 18; !is_done && room < 1024 * mebibyte; room += room / 2) {
    const Outcome found = outcome_of(job, room);
    is_done = found.sentence.empty();
    if (is_done) continue;
    EXPECT_EQ(found.code, ErrorCode::out_of_memory) << found.sentence << ", with room for " << room << " bytes";
    ++short_of_memory;
  }
  EXPECT_TRUE(is_done);
  EXPECT_GT(short_of_memory, 0);
}

TEST(ReadLimits, AShortageOfMemoryIsNotTheFilesFault) {
  SKIP_IF_SANITIZED();
  std::vector<std::string> files = {encoded(".jpg"),
                                    encoded(".jpg", {cv::IMWRITE_JPEG_PROGRESSIVE, 1}),
                                    encoded(".png"),
                                    encoded(".tif", {cv::IMWRITE_TIFF_COMPRESSION, 5}),
                                    encoded(".webp", {cv::IMWRITE_WEBP_QUALITY, 101}),
                                    encoded(".webp", {cv::IMWRITE_WEBP_QUALITY, 80}),
                                    encoded(".bmp")};
  if (missing_library("a.jp2").empty()) files.push_back(encoded(".jp2"));
  for (const std::string& file : files) {
    expect_shortage_then_success([&] { decode_image(bytes_of(file), "a name"); });
  }
}

TEST(WriteLimits, AShortageOfMemoryIsNotTheImagesFault) {
  SKIP_IF_SANITIZED();
  const Image image = decode_image(bytes_of(encoded(".png")), "a name");
  for (const char* name : {"a.png", "a.jpg", "a.tif", "a.webp", "a.ppm"}) {
    SCOPED_TRACE(name);
    expect_shortage_then_success([&] { encode_image(name, image.view()); });
  }
}

}  // namespace
}  // namespace octavo
