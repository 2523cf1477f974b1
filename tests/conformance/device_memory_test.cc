// Images and features in the memory of a device. An image there has the features of the same pixels in host memory, and
// work of the image's own stream may follow at once. Features that stay there have the same bytes and give the same
// matches as in host memory.

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <utility>

#include "engine/device/api_cuda.h"
#include "engine/device/registry.h"
#include "engine/match/nearest_gpu.h"
#include "engine/selftest/images.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/foagdd.h"
#include "octavo/image.h"
#include "octavo/matcher.h"
#include "octavo/sift_options.h"
#include "tests/conformance/contenders.h"

namespace octavo {
namespace {

Features on_cpu(const ImageView& image, const ImageView* mask = nullptr) {
  return Extractor({}, {.name = "cpu"}).extract(image, mask);
}

template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::invalid_argument) << e.what();
    return e.what();
  }
  return "none";
}

// Stands for another program that uses the first CUDA device. It has a stream, and memory that holds images.
class OtherProgram {
 public:
  OtherProgram() {
    CudaDevice device = 0;
    EXPECT_EQ(api_.Init(0), cuda_success);
    EXPECT_EQ(api_.DeviceGet(&device, 0), cuda_success);
    EXPECT_EQ(api_.DevicePrimaryCtxRetain(&context_, device), cuda_success);
    EXPECT_EQ(api_.CtxPushCurrent(context_), cuda_success);
    EXPECT_EQ(api_.StreamCreateWithPriority(&stream_, cuda_stream_non_blocking, 0), cuda_success);
  }
  ~OtherProgram() {
    api_.StreamSynchronize(stream_);
    for (const CudaAddress address : memory_) api_.MemFree(address);
    api_.StreamDestroy(stream_);
    CudaContext popped = nullptr;
    api_.CtxPopCurrent(&popped);
    api_.DevicePrimaryCtxRelease(0);
  }
  OtherProgram(const OtherProgram&) = delete;
  OtherProgram& operator=(const OtherProgram&) = delete;

  // Enqueues the upload of an image into new memory, at `offset` bytes, with `padding` bytes between rows.
  DeviceImage upload(const Image& image, std::size_t offset, std::size_t padding) {
    const std::size_t row_bytes = static_cast<std::size_t>(image.stride()), stride = row_bytes + padding;
    bytes_ = (offset + stride * static_cast<std::size_t>(image.height()) + 3) / 4 * 4;
    CudaAddress address = 0;
    EXPECT_EQ(api_.MemAlloc(&address, bytes_), cuda_success);
    memory_.push_back(address);
    for (int y = 0; y < image.height(); ++y) {
      const std::size_t at = offset + static_cast<std::size_t>(y) * stride;
      EXPECT_EQ(api_.MemcpyHtoDAsync(address + at, image.row(y), row_bytes, stream_), cuda_success);
    }
    DeviceImage there{.width = image.width(), .height = image.height(), .channels = image.channels()};
    there.data = reinterpret_cast<const void*>(address + offset);
    there.type = image.type();
    there.stride = static_cast<std::ptrdiff_t>(stride);
    there.stream = stream_;
    return there;
  }
  // Enqueues that the memory of the last image is overwritten.
  void overwrite() { EXPECT_EQ(api_.MemsetD32Async(memory_.back(), 0x5a5a5a5au, bytes_ / 4, stream_), cuda_success); }

 private:
  CudaApi api_;
  CudaContext context_ = nullptr;
  CudaStream stream_ = nullptr;
  std::vector<CudaAddress> memory_;
  std::size_t bytes_ = 0;
};

TEST(DeviceImages, GiveTheFeaturesOfTheSamePixelsInHostMemory) {
  const std::vector<std::string> gpus = gpu_names("cuda");
  if (gpus.empty()) GTEST_SKIP() << "images on a device need CUDA, which offers no device here";
  OtherProgram other;
  Extractor extractor({}, {.name = gpus.front()});
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
    for (const int channels : {1, 3, 4}) {
      const Image image = images::blobs(133, 97, type, channels);
      const Features expected = on_cpu(image.view());
      for (const std::size_t padding : {0u, 1u, 64u}) {
        const std::size_t offset = padding * bytes_of(type);
        const DeviceImage there = other.upload(image, offset, padding * bytes_of(type));
        const Ticket ticket = extractor.submit(there);
        other.overwrite();  // at once: the stream keeps the order
        ASSERT_TRUE(extractor.collect(ticket) == expected) << int(type) << ", " << channels << ", " << padding;
        ASSERT_TRUE(extractor.extract(other.upload(image, offset, 0)) == expected);
        ASSERT_TRUE(extractor.extract(image.view()) == expected) << "the way from host memory is as it was";
      }
    }
  }
}

TEST(DeviceImages, GiveTheCornersOfTheSamePixelsInHostMemory) {
  const std::vector<std::string> gpus = gpu_names("cuda");
  if (gpus.empty()) GTEST_SKIP() << "images on a device need CUDA, which offers no device here";
  OtherProgram other;
  const Image mask = images::checkerboard(133, 97, 30);
  for (const FoagddOptions& options :
       {FoagddOptions{.corner_threshold = 2}, FoagddOptions{.corner_threshold = 2, .describe = true}}) {
    Foagdd foagdd(options, {.name = gpus.front()}), cpu(options, {.name = "cpu"});
    for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
      for (const int channels : {1, 3, 4}) {
        const Image image = images::blobs(133, 97, type, channels);
        const Features expected = cpu.extract(image.view());
        ASSERT_GT(expected.size(), 10u);
        for (const std::size_t padding : {0u, 1u, 64u}) {
          const DeviceImage there = other.upload(image, padding * bytes_of(type), padding * bytes_of(type));
          const Ticket ticket = foagdd.submit(there);
          other.overwrite();  // at once: the stream keeps the order
          ASSERT_TRUE(foagdd.collect(ticket) == expected) << int(type) << ", " << channels << ", " << padding;
        }
        ASSERT_TRUE(foagdd.extract(other.upload(image, 0, 0), &mask.view()) == cpu.extract(image.view(), &mask.view()));
        ASSERT_TRUE(foagdd.extract(image.view()) == expected) << "the way from host memory is as it was";
      }
    }
  }
}

// A hole without numbers, a border of infinity, and pixels outside 0…1: no index follows from them, and the context
// that the program shares stays whole.
TEST(DeviceImages, FloatsOutsideTheirRangeCountAsItsEnds) {
  const std::vector<std::string> gpus = gpu_names("cuda");
  if (gpus.empty()) GTEST_SKIP() << "images on a device need CUDA, which offers no device here";
  OtherProgram other;
  Image bad = images::blobs(233, 197, PixelType::f32), clamped = images::blobs(233, 197, PixelType::f32);
  const auto set = [](Image& image, int x, int y, float value) { reinterpret_cast<float*>(image.row(y))[x] = value; };
  const auto both = [&](int x, int y, float value, float end) {
    set(bad, x, y, value);
    set(clamped, x, y, end);
  };
  for (int y = 60; y < 130; ++y) {
    for (int x = 70; x < 110; ++x) both(x, y, std::numeric_limits<float>::quiet_NaN(), 0);
  }
  for (int x = 0; x < 233; ++x) both(x, 0, std::numeric_limits<float>::infinity(), 1);
  for (int y = 1; y < 197; ++y) both(0, y, -std::numeric_limits<float>::infinity(), 0);
  for (int x = 150; x < 170; ++x) both(x, 150, x % 2 == 0 ? 1e30f : -7.0f, x % 2 == 0 ? 1.0f : 0.0f);
  for (const SiftOptions& options : {SiftOptions{}, SiftOptions{.blur_truncate = 2, .affine = true}}) {
    Extractor extractor(options, {.name = gpus.front()});
    EXPECT_EQ(extractor.extract(other.upload(bad, 0, 0)), Extractor(options).extract(clamped.view()));
  }
  Foagdd foagdd({.corner_threshold = 2}, {.name = gpus.front()});
  EXPECT_EQ(foagdd.extract(other.upload(bad, 0, 0)), Foagdd({.corner_threshold = 2}).extract(clamped.view()));
}

TEST(DeviceImages, InFlightOnSeveralGpusAndWithMasks) {
  const std::vector<std::string> gpus = gpu_names("cuda");
  if (gpus.empty()) GTEST_SKIP() << "images on a device need CUDA, which offers no device here";
  OtherProgram other;
  const Image image = images::blobs(150, 120), mask = images::checkerboard(150, 120, 30);
  const Features whole = on_cpu(image.view()), masked = on_cpu(image.view(), &mask.view());
  ASSERT_NE(whole.size(), masked.size());
  Extractor extractor({}, {.name = gpus.front() + "," + gpus.front() + "," + gpus.back()});
  std::vector<Ticket> tickets;
  for (int i = 0; i < 40; ++i) {
    const DeviceImage there = other.upload(image, 0, 10);
    tickets.push_back(extractor.submit(there, i % 3 == 0 ? &mask.view() : nullptr));
    other.overwrite();
  }
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(extractor.collect(tickets[static_cast<std::size_t>(i)]) == (i % 3 == 0 ? masked : whole)) << i;
  }
}

TEST(DeviceImages, AreRefusedWithAReasonWhereTheyCannotBeUsed) {
  const Image image = images::blobs(64, 48);
  DeviceImage there{.data = image.row(0), .width = 64, .height = 48, .stride = 64};  // the address is one of the host
  std::vector<std::string> devices = gpu_names();
  devices.push_back("cpu");
  for (const std::string& name : devices) {
    Extractor extractor({}, {.name = name});
    const std::string expected =
        "the image must lie in CUDA memory of a device that the extractor works on, which is " + name;
    EXPECT_EQ(refusal([&] { extractor.extract(there); }), expected);
    EXPECT_EQ(refusal([&] { extractor.submit(there); }), expected);
    Extractor on_host({.grey = GreyOn::host}, {.name = name});
    EXPECT_NE(refusal([&] { on_host.extract(there); }), "");
    DeviceImage bad = there;
    bad.stride = 63;
    EXPECT_NE(refusal([&] { extractor.submit(bad); }).find("stride of 63"), std::string::npos);
    bad.stride = -64;
    EXPECT_NE(refusal([&] { extractor.submit(bad); }).find("upwards; its stride is -64"), std::string::npos);
    bad.width = 0;
    EXPECT_NE(refusal([&] { extractor.submit(bad); }).find("no pixels"), std::string::npos);
    EXPECT_TRUE(extractor.extract(image.view()) == on_cpu(image.view()));
    Foagdd foagdd({}, {.name = name});
    EXPECT_EQ(refusal([&] { foagdd.submit(there); }), expected);
  }
}

TEST(DeviceImages, LeaveTheirFeaturesOnTheDevice) {
  const std::vector<std::string> gpus = gpu_names("cuda");
  if (gpus.empty()) GTEST_SKIP() << "images on a device need CUDA, which offers no device here";
  OtherProgram other;
  const Image image = images::blobs(150, 120);
  Extractor on_host({.grey = GreyOn::host}, {.name = gpus.front()});
  EXPECT_EQ(refusal([&] { on_host.extract(other.upload(image, 0, 0)); }),
            "the image must lie in host memory, where it becomes grey");
  Extractor extractor({}, {.name = gpus.front()});
  const DeviceFeatures at_once = extractor.extract_on_device(other.upload(image, 0, 0));
  const Ticket ticket = extractor.submit(other.upload(image, 0, 8), nullptr, Keep::on_device);
  EXPECT_TRUE(extractor.collect_on_device(ticket).download() == on_cpu(image.view()));
  EXPECT_TRUE(at_once.download() == on_cpu(image.view()));
  const FoagddOptions corners{.corner_threshold = 2, .describe = true};
  const DeviceFeatures of_corners =
      Foagdd(corners, {.name = gpus.front()}).extract_on_device(other.upload(image, 0, 0));
  EXPECT_EQ(of_corners.device(), gpus.front());
  EXPECT_TRUE(of_corners.download() == Foagdd(corners, {.name = "cpu"}).extract(image.view()));
}

// The CPU, every GPU, and every GPU named twice.
std::vector<std::string> all_devices() {
  std::vector<std::string> names{"cpu"};
  for (const std::string& name : gpu_names()) {
    names.push_back(name);
    names.push_back(name + "," + name);
  }
  return names;
}

TEST(FeaturesOnADevice, AreThoseInHostMemory) {
  const Image image = images::blobs(160, 120), none = images::checkerboard(160, 120, 500), tiny = images::noise(3, 3);
  const Image mask = images::checkerboard(160, 120, 40);
  for (const SiftOptions& options :
       {SiftOptions{}, SiftOptions{.max_features = 30}, SiftOptions{.max_features = 25, .rank = Rank::scale, .grid = 4},
        SiftOptions{.descriptor = DescriptorKind::rootsift, .max_features = 1 << 20}}) {
    Extractor cpu(options, {.name = "cpu"});
    const Features expected = cpu.extract(image.view());
    ASSERT_GT(expected.size(), 20u);
    for (const std::string& name : all_devices()) {
      Extractor extractor(options, {.name = name});
      for (const Image* other : {&image, &none, &tiny}) {
        const DeviceFeatures kept = extractor.extract_on_device(other->view());
        const Features found = cpu.extract(other->view());
        EXPECT_EQ(kept.device(), name.substr(0, name.find(',')));
        EXPECT_EQ(kept.size(), found.size());
        EXPECT_TRUE(kept.download() == found) << name;
        EXPECT_EQ(kept.keypoints(), found.keypoints) << name;
      }
      const DeviceFeatures masked = extractor.extract_on_device(image.view(), &mask.view());
      EXPECT_TRUE(masked.download() == cpu.extract(image.view(), &mask.view())) << name;
    }
  }
  EXPECT_EQ(DeviceFeatures().size(), 0u);
  EXPECT_TRUE(DeviceFeatures().download() == Features());
  EXPECT_EQ(DeviceFeatures().device(), "cpu");
}

// Described corners stay on the device. Corners without descriptors are in host memory.
TEST(FeaturesOnADevice, AreCornersToo) {
  const Image image = images::blobs(160, 120), none = images::checkerboard(160, 120, 500), tiny = images::noise(3, 3);
  const Image mask = images::checkerboard(160, 120, 40);
  const Image others = images::blobs(160, 120, PixelType::u8, 1, 2);
  for (const FoagddOptions& options :
       {FoagddOptions{.corner_threshold = 2, .describe = true},
        FoagddOptions{.corner_threshold = 2, .describe = true, .upright = true, .max_features = 30, .grid = 3},
        FoagddOptions{
            .corner_threshold = 2, .describe = true, .descriptor = DescriptorKind::rootsift, .max_orientations = 2},
        FoagddOptions{.corner_threshold = 2, .max_features = 30}}) {
    Foagdd cpu(options, {.name = "cpu"});
    const Features expected = cpu.extract(image.view()), of_others = cpu.extract(others.view());
    ASSERT_GT(expected.size(), 20u);
    for (const std::string& name : all_devices()) {
      Foagdd foagdd(options, {.name = name});
      const std::string where = options.describe ? name.substr(0, name.find(',')) : "cpu";
      for (const Image* other : {&image, &none, &tiny, &others}) {
        const DeviceFeatures kept = foagdd.extract_on_device(other->view());
        const Features found = cpu.extract(other->view());
        EXPECT_EQ(kept.device(), where);
        EXPECT_EQ(kept.size(), found.size());
        EXPECT_TRUE(kept.download() == found) << name;
        EXPECT_EQ(kept.keypoints(), found.keypoints) << name;
      }
      const DeviceFeatures masked = foagdd.extract_on_device(image.view(), &mask.view());
      EXPECT_TRUE(masked.download() == cpu.extract(image.view(), &mask.view())) << name;
      if (!options.describe) continue;
      const DeviceFeatures a = foagdd.extract_on_device(image.view()), b = foagdd.extract_on_device(others.view());
      Matcher matcher({.ratio = 1}, {.name = where}), reference({.ratio = 1}, {.name = "reference"});
      const std::vector<Match> to_others = reference.match(expected, of_others);
      EXPECT_GT(to_others.size(), 5u);
      EXPECT_EQ(matcher.match(a, b), to_others) << name;
      EXPECT_EQ(matcher.match(a, a), reference.match(expected, expected)) << name;
      EXPECT_EQ(matcher.match(a, DeviceFeatures(of_others)), to_others) << name;
    }
  }
}

TEST(FeaturesOnADevice, OutliveLaterImagesAndTheExtractor) {
  const Image image = images::blobs(160, 120);
  const Features expected = on_cpu(image.view());
  for (const std::string& name : all_devices()) {
    std::vector<DeviceFeatures> kept;
    {
      Extractor extractor({}, {.name = name});
      std::vector<Ticket> tickets;
      for (int i = 0; i < 12; ++i) {
        tickets.push_back(extractor.submit(image.view(), nullptr, i % 2 == 0 ? Keep::on_device : Keep::in_host_memory));
        extractor.submit(images::noise(160, 120).view(), nullptr, Keep::on_device);  // never collected
      }
      for (int i = 0; i < 12; ++i) {
        const Ticket ticket = tickets[static_cast<std::size_t>(i)];
        if (i % 3 == 0) {
          ASSERT_TRUE(extractor.collect(ticket) == expected) << name << ", " << i;
        } else {
          kept.push_back(extractor.collect_on_device(ticket));
          const bool in_host_memory = kept.back().device() == "cpu";
          EXPECT_EQ(in_host_memory, i % 2 != 0 || name == "cpu") << name << ", " << i;
        }
        if (i == 7) kept.erase(kept.begin() + 1);  // its buffer serves another image
      }
    }
    for (const DeviceFeatures& features : kept) ASSERT_TRUE(features.download() == expected) << name;
  }
}

// The least memory with which the image can be extracted, in steps of 256 KiB.
std::size_t memory_for(const ImageView& image, const std::string& device) {
  for (std::size_t bytes = std::size_t{8} << 20; bytes < std::size_t{256} << 20; bytes += std::size_t{256} << 10) {
    try {
      Extractor({}, {.name = device, .gpu_memory = bytes}).extract(image);
      return bytes;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::out_of_memory) << e.what();
    }
  }
  ADD_FAILURE() << device << " has no room";
  return 0;
}

TEST(FeaturesOnADevice, LeaveNoMemoryBehindThatAnImageNeeds) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  const Image small = images::blobs(90, 80), large = images::noise(400, 300);
  const Features expected = on_cpu(large.view());
  for (const std::string& name : gpus) {
    Extractor extractor({}, {.name = name, .gpu_memory = memory_for(large.view(), name)});
    std::vector<DeviceFeatures> kept;
    for (int i = 0; i < 6; ++i) kept.push_back(extractor.extract_on_device(small.view()));
    kept.clear();  // their buffers can be used again
    EXPECT_TRUE(extractor.extract(large.view()) == expected) << name;
  }
}

TEST(FeaturesOnADevice, MatchAsThoseInHostMemory) {
  const Image image_a = images::blobs(220, 180), image_b = images::blobs(220, 180, PixelType::u8, 1, 2);
  const Image none = images::checkerboard(160, 120, 500);
  const Features a = on_cpu(image_a.view()), b = on_cpu(image_b.view());
  for (const MatchOptions& options : {MatchOptions{}, MatchOptions{.ratio = 1, .mutual = false}}) {
    Matcher reference(options, {.name = "reference"});
    const std::vector<Match> to_b = reference.match(a, b), to_itself = reference.match(a, a);
    ASSERT_GT(to_itself.size(), 20u);
    for (const std::string& name : all_devices()) {
      Extractor one({}, {.name = name}), other({}, {.name = name});
      const DeviceFeatures there_a = one.extract_on_device(image_a.view());
      const DeviceFeatures there_b = one.extract_on_device(image_b.view());
      const DeviceFeatures others_b = other.extract_on_device(image_b.view());
      const DeviceFeatures nothing = one.extract_on_device(none.view());
      for (const std::string& where : all_devices()) {
        Matcher matcher(options, {.name = where});
        for (int run = 0; run < 2; ++run) {
          EXPECT_EQ(matcher.match(there_a, there_b), to_b) << name << " matched on " << where;
          EXPECT_EQ(matcher.match(there_a, there_a), to_itself) << name << " matched on " << where;
          EXPECT_EQ(matcher.match(there_a, others_b), to_b) << name << " matched on " << where;
          EXPECT_EQ(matcher.match(there_a, DeviceFeatures(b)), to_b) << name << " matched on " << where;
          EXPECT_EQ(matcher.match(a, b), to_b) << name << " matched on " << where;
          EXPECT_TRUE(matcher.match(there_a, nothing).empty());
          EXPECT_TRUE(matcher.match(nothing, there_a).empty());
          EXPECT_TRUE(matcher.match(nothing, nothing).empty());
        }
      }
    }
  }
}

// The search does not copy features to the host if it can be avoided.
TEST(FeaturesOnADevice, AreSearchedWhereTheyAre) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  const Image image = images::blobs(120, 100);
  for (const std::string& name : gpus) {
    const bool is_cuda = name.starts_with("cuda");
    Extractor one({}, {.name = name}), other({}, {.name = name});
    const DeviceFeatures a = one.extract_on_device(image.view()), b = other.extract_on_device(image.view());
    const auto search = make_nearest(resolve_device({.name = name}));
    EXPECT_TRUE(search->search_on_gpu(*a.on_gpu(), *a.on_gpu(), true).has_value()) << name;
    EXPECT_TRUE(search->search_on_gpu(*b.on_gpu(), *b.on_gpu(), true).has_value()) << name;
    EXPECT_EQ(search->search_on_gpu(*a.on_gpu(), *b.on_gpu(), true).has_value(), is_cuda) << name;
  }
}

}  // namespace
}  // namespace octavo
