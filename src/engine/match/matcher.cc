// The public interface of matching: checks the arguments, gets the neighbours from the device, and selects among them.

#include "octavo/matcher.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "engine/core/within_memory.h"
#include "engine/device/gpu_dry_run.h"
#include "engine/device/registry.h"
#include "engine/match/distinct.h"
#include "engine/match/guide_region.h"
#include "engine/match/matches.h"
#include "engine/match/nearest.h"
#include "octavo/error.h"
#include "octavo/extractor.h"

namespace octavo {

namespace {

void check(Descriptors descriptors, const char* name) {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  if (descriptors.size() % descriptor_length != 0 || descriptors.size() / descriptor_length > most) {
    throw Error(ErrorCode::invalid_argument,
                std::string("the descriptors of ") + name + " have " + std::to_string(descriptors.size()) +
                    " bytes, but must have 128 for each of " + "at most " + std::to_string(most) + " keypoints");
  }
}

void check(const Features& features, const char* name) {
  check(features.descriptors, name);
  if (features.descriptors.size() != features.size() * descriptor_length) {
    throw Error(ErrorCode::invalid_argument, std::string("the features of ") + name + " have " +
                                                 std::to_string(features.size()) + " keypoints but " +
                                                 std::to_string(features.descriptors.size()) +
                                                 " bytes of descriptors; " + "there must be 128 for each keypoint");
  }
}

// Runs `work`, which needs this many bytes of descriptors.
template <class Work>
auto within_memory_of(std::size_t bytes, const Work& work) {
  return within_memory([&] { return "to match descriptors of " + std::to_string(bytes) + " bytes"; }, work);
}

}  // namespace

class Matcher::Impl {
 public:
  Impl(const MatchOptions& match_options, const ResolvedDevice& resolved)
      : options(match_options), device(resolved.name()), isa(resolved.isa_name()), search(make_nearest(resolved)) {
    validate(options);
  }

  // The neighbours of `a` in each set of the collection, one after the other.
  void neighbours(Descriptors a, std::span<const Descriptors> collection, bool both,
                  const std::function<void(const Neighbours&)>& found) {
    check(a, "a");
    std::size_t bytes = a.size();
    for (const Descriptors& b : collection) {
      check(b, "b");
      bytes += b.size();
    }
    for (const Descriptors& b : collection) require_memory(rows_of(a), rows_of(b), both);
    within_memory_of(bytes, [&] { search->search(a, collection, both, found); });
  }

  std::vector<Match> match_distinct(const Features& a, const Features& b) {
    require_memory(a.size(), b.size(), options.mutual);
    return within_memory_of(a.descriptors.size() + b.descriptors.size(),
                            [&] { return octavo::match_distinct(*search, a, b, options); });
  }

  // The buffers are kept, so only larger sets than those before need more. Those of the results grow with n, the others
  // with n + m.
  void require_memory(std::size_t n, std::size_t m, bool both) {
    if (n <= checked_rows_ && n + m <= checked_descriptors_) return;
    const MemoryNeed need = search->memory_for(n, m, both);
    search->require_memory(need, checked_bytes_,
                           "matching " + std::to_string(n) + " with " + std::to_string(m) + " descriptors");
    checked_rows_ = std::max(checked_rows_, n);
    checked_descriptors_ = std::max(checked_descriptors_, n + m);
    checked_bytes_ = {std::max(checked_bytes_.host, need.least.host),
                      std::max(checked_bytes_.device, need.least.device)};
  }

  MatchOptions options;
  std::string device, isa;
  std::unique_ptr<NearestSearch> search;

 private:
  std::size_t checked_rows_ = 0, checked_descriptors_ = 0;
  MemoryBytes checked_bytes_;
};

Matcher::Matcher(const MatchOptions& options, const DeviceOptions& device)
    : impl_(std::make_unique<Impl>(options, resolve_device(device))) {}
Matcher::~Matcher() = default;
Matcher::Matcher(Matcher&&) noexcept = default;
Matcher& Matcher::operator=(Matcher&&) noexcept = default;

std::vector<NearestTwo> Matcher::nearest_two(Descriptors a, Descriptors b) {
  std::vector<NearestTwo> nearest;
  impl_->neighbours(a, {&b, 1}, false, [&](const Neighbours& n) { nearest = n.of_a; });
  return nearest;
}

std::vector<Match> Matcher::match(Descriptors a, Descriptors b) {
  const MatchOptions& options = impl_->options;
  if (options.distinct_radius > 0) {
    throw Error(ErrorCode::invalid_option,
                InvalidOption{"distinct_radius", std::to_string(options.distinct_radius),
                              "must be 0 for descriptors without keypoints, which have no places"});
  }
  std::vector<Match> matches;
  impl_->neighbours(a, {&b, 1}, options.mutual, [&](const Neighbours& n) { matches = select_matches(n, options); });
  return matches;
}

std::vector<Match> Matcher::match(const Features& a, const Features& b) {
  check(a, "a");
  check(b, "b");
  if (impl_->options.distinct_radius > 0) return impl_->match_distinct(a, b);
  return match(a.descriptors, b.descriptors);
}

std::vector<Match> Matcher::match(const DeviceFeatures& a, const DeviceFeatures& b) {
  const MatchOptions& options = impl_->options;
  if (options.distinct_radius == 0 && a.on_gpu() != nullptr && b.on_gpu() != nullptr) {
    const auto found = within_memory_of((a.size() + b.size()) * descriptor_length, [&] {
      return impl_->search->search_on_gpu(*a.on_gpu(), *b.on_gpu(), options.mutual);
    });
    if (found) return select_matches(*found, options);
  }
  return match(a.download(), b.download());
}

DeviceFeatures Matcher::upload(const Features& features) {
  check(features, "an image");
  return within_memory_of(features.descriptors.size(), [&] {
    std::shared_ptr<const FeaturesOnGpu> on_gpu = impl_->search->upload(features);
    return on_gpu ? DeviceFeatures(std::move(on_gpu)) : DeviceFeatures(features);
  });
}

std::vector<Match> Matcher::match(const Features& a, const Features& b, const Guide& guide) {
  check(a, "a");
  check(b, "b");
  validate(guide);
  const MatchOptions& options = impl_->options;
  return within_memory_of(a.descriptors.size() + b.descriptors.size(), [&] {
    return select_matches(impl_->search->search_guided(a, b, guide, options.mutual), options);
  });
}

std::vector<std::vector<Match>> Matcher::match(const Features& a, std::span<const Features* const> collection) {
  check(a, "a");
  std::vector<Descriptors> sets;
  for (const Features* b : collection) {
    check(*b, "the collection");
    sets.emplace_back(b->descriptors);
  }
  const MatchOptions& options = impl_->options;
  std::vector<std::vector<Match>> matches;
  if (options.distinct_radius > 0) {
    for (const Features* b : collection) matches.push_back(impl_->match_distinct(a, *b));
    return matches;
  }
  impl_->neighbours(a.descriptors, sets, options.mutual,
                    [&](const Neighbours& n) { matches.push_back(select_matches(n, options)); });
  return matches;
}

MemoryEstimate Matcher::estimate(std::size_t n, std::size_t m) const {
  const NearestSearch& search = *impl_->search;
  return estimate_on(impl_->device, search.gpu(), search.memory_for(n, m, impl_->options.mutual));
}

const std::string& Matcher::device() const { return impl_->device; }
std::string Matcher::isa() const { return impl_->isa; }
int Matcher::threads() const { return impl_->search->threads(); }
const MatchOptions& Matcher::options() const { return impl_->options; }

}  // namespace octavo
