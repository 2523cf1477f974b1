// The range of values of an image. Samples of 16 bits and floats come in any unit: 10 bits in 16, reflectances in 0…1,
// heights in metres, counts of photons. Features depend on contrast alone, so a linear map of the whole image loses
// nothing, but without it the contrast of a dim image is below every threshold. The extremes are order statistics,
// which a few hot pixels do not move; they are exact, so the same on every machine.

#include "octavo/image_view.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/option_table.h"

namespace octavo {
namespace {

constexpr double share_left_out = 0.001;  // of the samples, at either end
constexpr double least_share = 0.25;      // of full scale, that an image uses as it is

int colours_of(int channels) { return channels == 2 || channels == 4 ? channels - 1 : channels; }

double largest_of(PixelType type) { return type == PixelType::u8 ? 255 : type == PixelType::u16 ? 65535 : 1; }

template <class Sample>
Sample sample_at(const std::byte* row, std::ptrdiff_t index) {
  Sample sample;
  std::memcpy(&sample, row + index * std::ptrdiff_t{sizeof(Sample)}, sizeof(Sample));
  return sample;
}

// Visits the finite samples of the colours that count.
template <class Sample, class Visit>
void for_each_sample(const ImageView& image, std::optional<double> no_data, const ImageView* mask, const Visit& visit) {
  const int channels = image.channels, colours = colours_of(channels);
  for (int y = 0; y < image.height; ++y) {
    const std::byte* const row = image.row(y);
    for (int x = 0; x < image.width; ++x) {
      const std::ptrdiff_t first = std::ptrdiff_t{x} * channels;
      if (mask != nullptr && mask->row(y)[x] == std::byte{0}) continue;
      if (colours < channels && !(sample_at<Sample>(row, first + colours) > Sample{0})) continue;
      for (int c = 0; c < colours; ++c) {
        const auto value = sample_at<Sample>(row, first + c);
        if (std::isfinite(static_cast<float>(value)) &&
            !(no_data && static_cast<float>(value) == static_cast<float>(*no_data)))
          visit(value);
      }
    }
  }
}

// A value at one end, and what lies beside it.
struct End {
  double value = 0, next = 0;
  std::size_t count = 0;  // of the value
};

// The samples of whole numbers, as counts of each.
class CountedSamples {
 public:
  void add(std::uint16_t value) {
    ++counts_[value];
    ++size_;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  // The k-th in ascending order.
  double order(std::size_t k) {
    std::size_t value = 0;
    for (std::size_t before = counts_[0]; before <= k; before += counts_[value]) ++value;
    return static_cast<double>(value);
  }
  End greatest() {
    const double value = order(size_ - 1);
    const std::size_t count = counts_[static_cast<std::size_t>(value)];
    return {value, count < size_ ? order(size_ - 1 - count) : value, count};
  }
  void remove(double value) { size_ -= std::exchange(counts_[static_cast<std::size_t>(value)], 0); }

 private:
  std::vector<std::size_t> counts_ = std::vector<std::size_t>(1 << 16);
  std::size_t size_ = 0;
};

// Floats.
class ListedSamples {
 public:
  void add(float value) { values_.push_back(value); }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  double order(std::size_t k) {
    const auto place = values_.begin() + static_cast<std::ptrdiff_t>(k);
    std::nth_element(values_.begin(), place, values_.end());
    return *place;
  }
  End least() { return end(std::less<>()); }
  End greatest() { return end(std::greater<>()); }
  void remove(double value) { std::erase(values_, static_cast<float>(value)); }

 private:
  template <class Less>
  End end(const Less& before) {
    const float value = *std::min_element(values_.begin(), values_.end(), before);
    End found{value, value, 0};
    bool has_next = false;
    for (const float one : values_) {
      if (one == value) {
        ++found.count;
      } else if (!has_next || before(one, found.next)) {
        found.next = one;
        has_next = true;
      }
    }
    return found;
  }

  std::vector<float> values_;
};

// The range of all but a share of the samples at either end. There must be some.
template <class Samples>
ValueRange without_extremes(Samples& samples) {
  const auto left_out = static_cast<std::size_t>(share_left_out * static_cast<double>(samples.size() - 1));
  return {samples.order(left_out), samples.order(samples.size() - 1 - left_out)};
}

// Takes out a value at one end, and appends it to `missing`, if it stands for missing data; returns whether it does.
// `is_far` tells of it and the range of the others whether it may.
template <class Samples, class IsFar>
bool take_out_missing(Samples& samples, const End& end, const IsFar& is_far, std::vector<double>& missing) {
  constexpr std::size_t few = 16;
  if (end.count < few || end.count == samples.size()) return false;
  if (static_cast<double>(end.count) <= share_left_out * static_cast<double>(samples.size())) return false;
  Samples others = samples;
  others.remove(end.value);
  const ValueRange range = without_extremes(others);
  if (std::abs(end.value - end.next) <= range.high - range.low || !is_far(range)) return false;
  samples = std::move(others);
  missing.push_back(end.value);
  return true;
}

std::optional<ValueRange> range_of_counts(CountedSamples samples, PixelType type, std::vector<double>& missing) {
  if (samples.size() == 0) return std::nullopt;
  if (type == PixelType::u16) {
    constexpr double far_above = 4;
    const End end = samples.greatest();
    const auto is_far = [&](const ValueRange& others) { return end.value >= far_above * others.high; };
    take_out_missing(samples, end, is_far, missing);
  }
  return without_extremes(samples);
}

std::optional<ValueRange> range_of_floats(ListedSamples samples, std::vector<double>& missing) {
  if (samples.size() == 0) return std::nullopt;
  const End low = samples.least(), high = samples.greatest();
  if (low.value < 0 || high.value > 1) {
    const auto any = [](const ValueRange&) { return true; };
    const bool lowest_is_missing = take_out_missing(samples, low, any, missing);
    // Beside a missing value at the other end, the lowest was not far away.
    if (take_out_missing(samples, samples.greatest(), any, missing) && !lowest_is_missing) {
      take_out_missing(samples, low, any, missing);
    }
  }
  return without_extremes(samples);
}

// Calls `change(sample, is_colour)` for every sample.
template <class Sample, class Change>
void change_samples(Image& image, const Change& change) {
  const int channels = image.channels(), colours = colours_of(channels);
  for (int y = 0; y < image.height(); ++y) {
    auto* sample = reinterpret_cast<Sample*>(image.row(y));
    for (int i = 0; i < image.width() * channels; ++i, ++sample) change(*sample, i % channels < colours);
  }
}

// value → (value − subtracted) · factor + added of the colours.
struct LinearMap {
  double subtracted = 0, factor = 1, added = 0;
  [[nodiscard]] double of(double value) const { return (value - subtracted) * factor + added; }
};

template <class Sample>
void map_whole_numbers(Image& image, const LinearMap& map) {
  const double largest = largest_of(image.type());
  change_samples<Sample>(image, [&](Sample& sample, bool is_colour) {
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): nothing is negative, and calls of lround would not be vectors
    if (is_colour) sample = static_cast<Sample>(std::clamp(map.of(sample), 0.0, largest) + 0.5);
  });
}

void map_samples(Image& image, const LinearMap& map) {
  if (map.subtracted == 0 && map.factor == 1 && map.added == 0) return;
  if (image.type() == PixelType::u8) return map_whole_numbers<std::uint8_t>(image, map);
  if (image.type() == PixelType::u16) return map_whole_numbers<std::uint16_t>(image, map);
  change_samples<float>(image, [&](float& sample, bool is_colour) {
    if (is_colour) sample = static_cast<float>(map.of(sample));
  });
}

}  // namespace

std::optional<ValueRange> values_used(const ImageView& image, std::optional<double> no_data, const ImageView* mask,
                                      std::vector<double>* missing) {
  std::vector<double> not_wanted;
  if (missing == nullptr) missing = &not_wanted;
  if (image.type == PixelType::f32) {
    ListedSamples samples;
    for_each_sample<float>(image, no_data, mask, [&](float value) { samples.add(value); });
    return range_of_floats(std::move(samples), *missing);
  }
  CountedSamples samples;
  const auto add = [&](auto value) { samples.add(value); };
  if (image.type == PixelType::u16) for_each_sample<std::uint16_t>(image, no_data, mask, add);
  if (image.type == PixelType::u8) for_each_sample<std::uint8_t>(image, no_data, mask, add);
  return range_of_counts(std::move(samples), image.type, *missing);
}

ValueRange joined(const ValueRange& a, const ValueRange& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

ValueRange full_scale(PixelType type, const ValueRange& used) {
  ValueRange whole{0, largest_of(type)};
  if (type == PixelType::u8 || !(used.low < used.high)) return whole;
  if (type == PixelType::u16)
    whole.high = static_cast<double>(std::bit_ceil(static_cast<std::uint32_t>(used.high) + 1) - 1);
  const bool fits = used.low >= 0 && used.high <= whole.high;
  return fits && used.high - used.low >= least_share * whole.high ? whole : used;
}

void map_to_full_scale(Image& image, const ValueRange& from) {
  if (!(from.low < from.high)) {
    throw Error(ErrorCode::invalid_argument, "a range of values must have a high end above its low end");
  }
  map_samples(image, {from.low, largest_of(image.type()) / (from.high - from.low), 0});
  if (image.type() != PixelType::f32) return;
  change_samples<float>(image, [](float& sample, bool) { sample = sample >= 0 ? std::min(sample, 1.0F) : 0; });
}

void map_from_full_scale(Image& image, const ValueRange& to) {
  map_samples(image, {0, (to.high - to.low) / largest_of(image.type()), to.low});
}

std::string why_no_keypoints(const ImageView& image, const ImageView* mask) {
  constexpr int small = 12;                // [pixel]
  constexpr double little_contrast = 0.1;  // of full scale
  const std::optional<ValueRange> used = values_used(image, {}, mask);
  if (!used && mask != nullptr && values_used(image)) return "the mask leaves nothing of it";
  if (!used)
    return colours_of(image.channels) < image.channels ? "all of it is transparent" : "no sample of it is a number";
  if (std::min(image.width, image.height) < small) {
    return "it is " + std::to_string(image.width) + " × " + std::to_string(image.height) + " pixels";
  }
  if (used->low == used->high) return "all its samples are " + option_text(used->low);
  const double largest = largest_of(image.type);
  if (used->high - used->low >= little_contrast * largest) return "nothing in it passes the detector's thresholds";
  return "it has little contrast, its samples lie between " + option_text(used->low) + " and " +
         option_text(used->high) + " of " + option_text(largest);
}

}  // namespace octavo
