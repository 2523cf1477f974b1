#include "engine/device/compiler_probe.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <numeric>
#include <span>

#include "engine/maths/scalar.h"

namespace octavo {
namespace {

#include "engine/device/compiler_probe_layout.h"

// Numbers that look random and are the same everywhere.
class Numbers {
 public:
  std::uint32_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33);  // 31 bits
  }
  int below(int end) { return static_cast<int>(next() % static_cast<std::uint32_t>(end)); }

 private:
  std::uint64_t state_ = 1;
};

std::string text_of(float x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(x));
  return text;
}

std::string text_of(std::int64_t x) { return std::to_string(x); }
std::string text_of(int x) { return std::to_string(x); }
std::string text_of(std::uint32_t x) { return std::to_string(x); }

template <class Number>
std::string fault(const std::string& what, Number is, Number must_be) {
  return "its compiler makes wrong code: " + what + " is " + text_of(is) + ", must be " + text_of(must_be);
}

// The first difference; empty if there is none. `what` precedes the number's place.
template <class Number>
std::string first_fault(const std::string& what, const std::vector<Number>& is, const std::vector<Number>& must_be) {
  for (std::size_t i = 0; i < must_be.size(); ++i) {
    if (!(is[i] == must_be[i])) return fault(what + " " + std::to_string(i), is[i], must_be[i]);
  }
  return {};
}

// A device with a queue and the kernels of the probe.
class Bench {
 public:
  Bench(Gpu& gpu, const KernelModule& kernels) : gpu_(gpu), kernels_(kernels), queue_(gpu.queue()) {
    kernels_.is_kept = false;
  }

  template <class Number>
  std::unique_ptr<GpuBuffer> buffer(const std::vector<Number>& numbers) {
    auto made = gpu_.allocate(numbers.size() * sizeof(Number));
    queue_->upload(*made, 0, numbers.data(), made->bytes());
    queue_->wait();
    return made;
  }

  template <class... Arguments>
  void run(const char* kernel, const GpuGrid& grid, const Arguments&... arguments) {
    const std::unique_ptr<GpuKernel> built = gpu_.kernel(kernels_, kernel);
    queue_->launch(*built, grid, arguments...);
    queue_->wait();
  }

  template <class Number>
  std::vector<Number> numbers(const GpuBuffer& buffer) {
    std::vector<Number> all(buffer.bytes() / sizeof(Number));
    queue_->download(all.data(), buffer, 0, buffer.bytes());
    queue_->wait();
    return all;
  }

 private:
  Gpu& gpu_;
  KernelModule kernels_;
  std::unique_ptr<GpuQueue> queue_;
};

// Pairs whose quotients, products and roots lie near midpoints or are subnormal, and numbers of all sizes.
std::vector<float> operands(std::uint32_t turn) {
  constexpr float special[] = {0.0f,
                               1.0f,
                               -1.0f,
                               3.0f,
                               1.0f / 3,
                               0.1f,
                               16777215.0f,
                               -8388609.0f,
                               1.00000012f,
                               0.99999994f,
                               1.17549435e-38f,
                               1.17549421e-38f,
                               -1.40129846e-45f,
                               5.9e-39f,
                               3.4e38f,
                               2.5f};
  std::vector<float> made;
  Numbers numbers;
  for (std::uint32_t i = 0; i < std::size(special) * std::size(special); ++i) {
    made.push_back(
        special[turn == 0 ? i % std::size(special) : (i / std::size(special) + (turn - 1) * i) % std::size(special)]);
  }
  for (std::uint32_t i = 0; i < 3 * 250 + turn; ++i) {
    const std::uint32_t bits = numbers.next();
    if (i % 3 != turn || bits >= 0x7f000000) continue;
    const float number = std::bit_cast<float>(bits);
    made.push_back(i % 2 == 0 ? number : -number / 3);
  }
  // Numbers of one size, whose sums and products round.
  for (int i = 0; i < 300; ++i) made.push_back(static_cast<float>(numbers.below(1 << 24)) * 0x1p-23f - 1);
  return made;
}

std::string fault_of_arithmetic(Bench& bench) {
  std::vector<float> a = operands(0), b = operands(1), c = operands(2);
  const std::size_t count = std::min({a.size(), b.size(), c.size()}) / 64 * 64 - 27;  // the last group is not full
  for (std::vector<float>* v : {&a, &b, &c}) v->resize(count);
  const auto out = bench.buffer(std::vector<std::uint32_t>(arithmetic_results * count));
  bench.run("arithmetic", GpuGrid::of_groups(groups_for(static_cast<int>(count), probe_threads), probe_threads),
            *bench.buffer(a), *bench.buffer(b), *bench.buffer(c), static_cast<int>(count), *out);
  const std::vector<std::uint32_t> is = bench.numbers<std::uint32_t>(*out);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t wide =
        std::int64_t{std::bit_cast<int>(a[i])} * std::bit_cast<int>(b[i]) + std::bit_cast<int>(c[i]);
    const auto result = [&](int row) { return is[static_cast<std::size_t>(row) * count + i]; };
    const std::string x = text_of(a[i]), y = text_of(b[i]), z = text_of(c[i]);
    const auto whole = [](float operand) { return std::to_string(std::bit_cast<int>(operand)); };
    const float product = a[i] * b[i];
    struct Operation {
      std::string words;
      float must_be;
    };
    const Operation of_floats[] = {{x + " * " + y + " + " + z, product + c[i]},
                                   {"fma(" + x + ", " + y + ", " + z + ")", maths::fma(a[i], b[i], c[i])},
                                   {x + " / " + y, a[i] / b[i]},
                                   {"sqrt(" + text_of(std::fabs(a[i])) + ")", maths::sqrt(std::fabs(a[i]))},
                                   {"the float of " + whole(a[i]), static_cast<float>(std::bit_cast<int>(a[i]))},
                                   {"the float of " + std::to_string(wide), static_cast<float>(wide)}};
    int row = 0;
    for (const Operation& o : of_floats) {
      const std::uint32_t bits = result(row++);
      const float got = std::bit_cast<float>(bits);
      if (std::isnan(got) && std::isnan(o.must_be)) continue;
      if (bits != std::bit_cast<std::uint32_t>(o.must_be)) return fault(o.words, got, o.must_be);
    }
    const std::uint32_t shifted = static_cast<std::uint32_t>(wide >> 29) ^ (wide < 0 ? 1u : 0u);
    if (result(6) != shifted) return fault("the shift of " + std::to_string(wide), result(6), shifted);
    const float floor = std::floor(a[i]), got = std::bit_cast<float>(result(7));
    if (result(7) != std::bit_cast<std::uint32_t>(floor)) return fault("floor(" + x + ")", got, floor);
  }
  return {};
}

std::string fault_of_lists(Bench& bench) {
  constexpr int width = 2 * list_columns + 5, height = 3 * list_rows + 3;
  Numbers numbers;
  std::vector<std::uint8_t> kinds(width * height);
  for (std::uint8_t& kind : kinds)
    kind = static_cast<std::uint8_t>(1 + numbers.below(list_kinds - 1));  // list 16 stays empty
  std::vector<int> expected(kinds.size());
  std::iota(expected.begin(), expected.end(), 0);
  std::stable_sort(expected.begin(), expected.end(), [&](int i, int k) {
    return kinds[static_cast<std::size_t>(i)] > kinds[static_cast<std::size_t>(k)];
  });
  std::vector<std::uint32_t> ends(list_kinds), begins(list_kinds);
  for (const std::uint8_t kind : kinds) ++ends[list_kinds - 1u - kind];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::copy(ends.begin(), ends.end() - 1, begins.begin() + 1);

  const auto begin = bench.buffer(begins);
  const auto list = bench.buffer(std::vector<int>(kinds.size(), -1));
  bench.run("list_places",
            GpuGrid::of_rows(groups_for(width, list_columns), groups_for(height, list_rows), list_threads),
            *bench.buffer(kinds), width, height, *begin, *list);
  std::vector<int> listed = bench.numbers<int>(*list);
  for (std::size_t k = 0; k < ends.size(); ++k) {  // the order among equals is not determined
    std::sort(listed.begin() + begins[k], listed.begin() + ends[k]);
  }
  const std::string counts = first_fault("the end of list", bench.numbers<std::uint32_t>(*begin), ends);
  return counts.empty() ? first_fault("entry of the sorted list", listed, expected) : counts;
}

std::string fault_of_selection(Bench& bench) {
  constexpr int wanted = 70, digits = 8;
  const std::vector<int> lengths{300, 64, 0, 1, 71, 70, 129};
  std::vector<int> ends(lengths.size());
  std::partial_sum(lengths.begin(), lengths.end(), ends.begin());
  const auto total = static_cast<std::size_t>(ends.back());
  Numbers numbers;
  std::vector<std::int64_t> all;
  while (all.size() < total) {
    const std::int64_t high = numbers.below(3), middle = numbers.below(4);             // many differ above bit 32 only
    all.push_back(high << 45 | middle << 12 | static_cast<std::int64_t>(all.size()));  // no two are equal
  }
  const std::int64_t limit = std::int64_t{1} << 45;
  std::vector<std::int64_t> found_expected, kept_expected(total, -7);
  int begin = 0;
  for (const int end : ends) {
    const std::span own(all.data() + begin, static_cast<std::size_t>(end - begin));
    std::copy_if(own.begin(), own.end(), kept_expected.begin() + begin,
                 [&](std::int64_t number) { return number < limit; });
    std::vector<std::int64_t> sorted(own.begin(), own.end());
    std::sort(sorted.begin(), sorted.end());
    found_expected.push_back(own.size() > wanted ? sorted[wanted] : -1);
    begin = end;
  }
  const auto numbers_there = bench.buffer(all), ends_there = bench.buffer(ends);
  const auto found = bench.buffer(std::vector<std::int64_t>(ends.size()));
  const auto kept = bench.buffer(std::vector<std::int64_t>(total, -7));
  const GpuGrid grid = GpuGrid::of_groups(static_cast<int>(ends.size()), probe_threads);
  bench.run("select_rank", grid, *numbers_there, *ends_there, digits, wanted, *found);
  bench.run("keep_below", grid, *numbers_there, *ends_there, limit, *kept);
  const std::string ranks = first_fault("the rank found by group", bench.numbers<std::int64_t>(*found), found_expected);
  return ranks.empty() ? first_fault("kept number", bench.numbers<std::int64_t>(*kept), kept_expected) : ranks;
}

std::string fault_of_windows(Bench& bench) {
  constexpr int count = 500, windows = 11, steps = 5, groups = 3;
  Numbers numbers;
  std::vector<int> values(count);
  for (int& value : values) value = numbers.below(1 << 30);
  std::vector<std::int64_t> expected;
  for (int w = 0; w < windows; ++w) {
    int width = 1;
    bool refused = false;
    for (int step = 0; step < steps; ++step) {
      const int end = refused ? w : std::min(w + 3 * width, count);
      std::int64_t sum = 0;
      for (int i = w; i < end; ++i) sum += (i + std::int64_t{1}) * values[static_cast<std::size_t>(i)];
      expected.push_back(sum);
      refused = refused || sum % 5 == 0;
      width = 1 + static_cast<int>(sum & 63);
    }
  }
  const auto sums = bench.buffer(std::vector<std::int64_t>(expected.size(), -1));
  bench.run("add_windows", GpuGrid::of_groups(groups, probe_threads), *bench.buffer(values), count, windows, steps,
            *sums);
  return first_fault("sum over window", bench.numbers<std::int64_t>(*sums), expected);
}

std::string fault_of_tiles(Bench& bench) {
  constexpr int width = 2 * tile_columns + 3, height = 2 * tile_rows + 5, outer = 3;
  Numbers numbers;
  std::vector<float> image(width * height);
  for (float& pixel : image) pixel = static_cast<float>(numbers.below(1000));  // so that all sums are exact
  const auto smoothed = [&](const std::vector<float>& in, int dx, int dy) {
    const auto mirrored = [](int i, int n) { return i < 0 ? -i : i >= n ? 2 * (n - 1) - i : i; };
    std::vector<float> out(in.size());
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        float sum = 0;
        for (int k = -tile_reach; k <= tile_reach; ++k) {
          const int at = mirrored(y + k * dy, height) * width + mirrored(x + k * dx, width);
          sum += in[static_cast<std::size_t>(at)] * static_cast<float>(k == 0 ? 1 : outer);
        }
        const int here = y * width + x;
        out[static_cast<std::size_t>(here)] = sum;
      }
    }
    return out;
  };
  const auto out = bench.buffer(std::vector<float>(image.size(), -1));
  bench.run("smooth_tiles",
            GpuGrid::of_rows(groups_for(width, tile_columns), groups_for(height, tile_rows), probe_threads),
            *bench.buffer(image), width, height, static_cast<float>(outer), *out);
  return first_fault("pixel of a smoothed image", bench.numbers<float>(*out), smoothed(smoothed(image, 0, 1), 1, 0));
}

}  // namespace

ProbeFinding probe_compiler(Gpu& gpu, const KernelModule& kernels) {
  Bench bench(gpu, kernels);
  for (const auto& fault_of : {fault_of_lists, fault_of_selection, fault_of_windows, fault_of_tiles}) {
    std::string found = fault_of(bench);
    if (!found.empty()) return {std::move(found), false};
  }
  return {gpu.facts().conformant ? fault_of_arithmetic(bench) : "", true};
}

}  // namespace octavo
