// What a GPU's driver refuses becomes an error of the library, at every call where it can happen: memory that is
// exhausted, a device that is lost. Then the objects can be used again or destroyed, and no result is wrong.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "engine/device/registry.h"
#include "engine/selftest/images.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/foagdd.h"
#include "octavo/matcher.h"
#include "octavo/pyramid.h"
#include "octavo/retrieval.h"
#include "octavo/sift_options.h"
#include "octavo/trilateral.h"
#include "tests/conformance/contenders.h"
#include "tests/conformance/faulty_driver.h"

namespace octavo {
namespace {

using faulty_driver::Fault;

// Work on a device, with objects that stay for several calls. It tells whether the results are those of the CPU.
using Work = std::function<bool()>;
using MakeWork = std::function<Work(const std::string& device)>;

// What `use` gives of an object that `make` makes on a device, in the first call of the work.
template <class Make, class Use>
MakeWork work_of(const Make& make, const Use& use) {
  return [=](const std::string& device) -> Work {
    auto on_cpu = make(DeviceOptions{.name = "cpu"});
    const auto expected = use(on_cpu);
    EXPECT_GT(expected.size(), 0u);
    const auto object = std::make_shared<std::optional<decltype(on_cpu)>>();
    return [=] {
      if (!*object) object->emplace(make(DeviceOptions{.name = device}));
      return use(**object) == expected;
    };
  };
}

const Image& image() {
  static const Image made = images::blobs(64, 48);
  return made;
}

const Features& features(unsigned seed) {
  static const Features of_image = Extractor({}, {.name = "cpu"}).extract(image().view());
  static const Features of_other =
      Extractor({}, {.name = "cpu"}).extract(images::blobs(64, 48, PixelType::u8, 1, 2).view());
  return seed == 0 ? of_image : of_other;
}

template <class Detector, class Options>
MakeWork extraction(const Options& options) {
  return work_of([=](const DeviceOptions& device) { return Detector(options, device); },
                 [](Detector& detector) {
                   const Ticket first = detector.submit(image().view());
                   const Ticket second = detector.submit(image().view(), nullptr, Keep::on_device);
                   std::vector<Features> found{detector.collect(first), detector.collect_on_device(second).download(),
                                               detector.extract(image().view())};
                   EXPECT_GT(found[0].size(), 3u);
                   return found;
                 });
}

std::vector<std::byte> bytes_of(const Image& one) {
  std::vector<std::byte> all;
  const std::size_t row_bytes = static_cast<std::size_t>(one.width()) * octavo::bytes_of(one.type());
  for (int y = 0; y < one.height(); ++y) {
    const auto* row = reinterpret_cast<const std::byte*>(one.row(y));
    all.insert(all.end(), row, row + row_bytes);
  }
  return all;
}

const std::map<std::string, MakeWork>& works() {
  static const std::map<std::string, MakeWork> all = {
      {"sift", extraction<Extractor>(SiftOptions{.max_features = 200})},
      {"sift over the trilateral filter",
       extraction<Extractor>(SiftOptions{.first_octave = 0, .smoothing = Smoothing::trilateral})},
      {"foagdd", extraction<Foagdd>(FoagddOptions{.corner_threshold = 2, .describe = true})},
      {"description", work_of([](const DeviceOptions& device) { return Extractor({}, device); },
                              [](Extractor& extractor) {
                                return extractor.describe(image().view(), features(0).keypoints).features.descriptors;
                              })},
      {"matching", work_of([](const DeviceOptions& device) { return Matcher({.ratio = 1}, device); },
                           [](Matcher& matcher) { return matcher.match(features(0), features(1)); })},
      {"pyramid", work_of([](const DeviceOptions& device) { return Pyramid({}, device); },
                          [](Pyramid& pyramid) {
                            std::vector<std::vector<std::byte>> levels;
                            for (const PyramidOctave& octave : pyramid.make(image().view())) {
                              for (const Image& level : octave.gaussians) levels.push_back(bytes_of(level));
                            }
                            return levels;
                          })},
      {"trilateral filter", work_of([](const DeviceOptions& device) { return Trilateral({}, device); },
                                    [](Trilateral& filter) { return bytes_of(filter.filter(image().view())); })},
      {"words and codes",
       work_of([](const DeviceOptions& device) { return FeatureQuantiser(2, device); },
               [](FeatureQuantiser& quantiser) { return quantiser.quantise(features(0).descriptors).words; })},
      {"vlad", work_of([](const DeviceOptions& device) { return VladEncoder(general_vocabulary(), device); },
                       [](VladEncoder& encoder) { return encoder.encode(features(0).descriptors); })},
  };
  return all;
}

// Lets each call of the driver fail in turn. `kept`: the objects have worked before and stay; otherwise each fault
// meets them while they are made. Returns the number of calls.
int faults(Fault fault, const std::string& device, const MakeWork& make, bool kept) {
  Work work = make(device);
  if (kept) {
    EXPECT_TRUE(work());
  }
  for (int call = 1; call < 20'000; call += call < 60 ? 1 : 1 + call / 16) {
    if (!kept) work = make(device);
    faulty_driver::begin(fault, call);
    std::optional<ErrorCode> code;
    std::string words;
    bool right = true;
    try {
      right = work();
    } catch (const Error& e) {
      code = e.code();
      words = e.what();
    }
    const bool came = faulty_driver::end();
    EXPECT_TRUE(right) << "wrong results after call " << call;
    if (!came) {
      EXPECT_FALSE(code) << words;
      return call;
    }
    if (code) {
      EXPECT_TRUE(*code == ErrorCode::out_of_memory || *code == ErrorCode::device_unavailable) << call << ": " << words;
      EXPECT_NE(words, "");
    }
    if (fault == Fault::lost) {
      EXPECT_TRUE(code) << "nothing was told of call " << call;
    }
    EXPECT_TRUE(work()) << "the objects are of no use after call " << call << ": " << words;
    if (::testing::Test::HasFailure()) return call;
  }
  ADD_FAILURE() << "the calls have no end";
  return 0;
}

class GpuFaults : public ::testing::TestWithParam<std::string> {
 protected:
  void each(Fault fault, bool kept) {
    const std::vector<std::string> gpus = gpu_names();
    if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
    for (const std::string& device : gpus) {
      const int calls = faults(fault, device, works().at(GetParam()), kept);
      EXPECT_GT(calls, kept && fault == Fault::no_memory ? 0 : 3) << "hardly a call of the driver was seen";
    }
  }
};

TEST_P(GpuFaults, MemoryIsExhaustedWhileObjectsAreMade) { each(Fault::no_memory, false); }
TEST_P(GpuFaults, MemoryIsExhaustedInLaterWork) { each(Fault::no_memory, true); }
TEST_P(GpuFaults, TheDeviceIsLostWhileObjectsAreMade) { each(Fault::lost, false); }
TEST_P(GpuFaults, TheDeviceIsLostInLaterWork) { each(Fault::lost, true); }

std::vector<std::string> names_of_works() {
  std::vector<std::string> names;
  for (const auto& [name, make] : works()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Works, GpuFaults, ::testing::ValuesIn(names_of_works()), [](const auto& instance) {
  std::string name = instance.param;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

// An old driver lacks functions that are called today.
TEST(GpuDrivers, AFunctionThatIsMissingIsTheReason) {
  bool one = false;
  for (const auto& [find, function] :
       {std::pair(&find_cuda_gpus, "cuLaunchKernelEx"), std::pair(&find_opencl_gpus, "clEnqueueFillBuffer")}) {
    if (find().gpus.empty()) continue;
    one = true;
    const faulty_driver::Without without(function);
    const GpuDriver driver = find();
    EXPECT_TRUE(driver.gpus.empty());
    EXPECT_NE(driver.missing.find(function), std::string::npos) << driver.missing;
  }
  if (!one) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
}

// Another program holds nearly all memory of the device, as a share of a GPU is all that there is.
TEST(GpuMemory, WhatAnotherProgramTookIsMissedAndComesBack) {
  const std::vector<std::string> gpus = gpu_names("cuda");
  if (gpus.empty()) GTEST_SKIP() << "OpenCL tells nothing of other programs, and CUDA offers no device here";
  const auto other = resolve_device({.name = gpus.front()}).open_gpu();
  auto taken = other->allocate(other->free_bytes() - (std::size_t{300} << 20));
  const Image small = images::blobs(300, 200), large = images::blobs(4000, 3000);
  Extractor cpu({}, {.name = "cpu"}), extractor({}, {.name = gpus.front()});
  EXPECT_EQ(extractor.extract(small.view()), cpu.extract(small.view()));
  try {
    extractor.extract(large.view());
    ADD_FAILURE() << "300 MiB were enough";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::out_of_memory) << e.what();
  }
  EXPECT_EQ(extractor.extract(small.view()), cpu.extract(small.view()));
  taken.reset();
  EXPECT_EQ(extractor.extract(large.view()), cpu.extract(large.view()));
}

}  // namespace
}  // namespace octavo
