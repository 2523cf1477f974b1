// A pipeline of three steps: loading on threads of its own, extraction on the device, and the caller with the result.
// Each step has a bounded queue before it, so memory stays bounded however slow the caller is.

#include "octavo/batch.h"

#include <algorithm>
#include <deque>
#include <future>
#include <new>
#include <thread>
#include <utility>

#include "core/check.h"
#include "octavo/error.h"
#include "octavo/stopwatch.h"

namespace octavo {
namespace {

constexpr int most_at_a_time = 1000;

std::string sentence_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an unknown error";
  }
}

std::string with_name(const std::string& name, const std::string& sentence) {
  return sentence.find(name) != std::string::npos ? sentence : name + ": " + sentence;
}

}  // namespace

class Batch::Impl {
 public:
  Impl(Extractor& extractor, std::vector<BatchImage> images, const BatchOptions& options)
      : extractor_(extractor), images_(std::move(images)), stop_(options.stop) {
    check_range("in_flight", options.in_flight, 0, most_at_a_time);
    check_range("loads_at_a_time", options.loads_at_a_time, 0, most_at_a_time);
    in_flight_limit_ = options.in_flight > 0 ? options.in_flight : extractor.best_in_flight();
    const int processors = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1u));
    loading_limit_ = options.loads_at_a_time > 0 ? options.loads_at_a_time : std::min(in_flight_limit_, processors);
  }

  ~Impl() {
    for (const InFlight& one : in_flight_) {
      if (!one.ticket) continue;
      try {
        extractor_.collect(*one.ticket);  // an extractor keeps what is not collected
      } catch (...) {                     // the caller no longer asks for the result
      }
    }
  }

  std::optional<BatchResult> next() {
    while (in_flight_.size() < static_cast<std::size_t>(in_flight_limit_) && submitted_ < images_.size()) {
      if (stop_.stop_requested()) return std::nullopt;
      submit_next();
    }
    if (in_flight_.empty() || stop_.stop_requested()) return std::nullopt;
    return collect_first();
  }

  [[nodiscard]] const std::vector<BatchImage>& images() const { return images_; }

 private:
  struct Loaded {
    LoadedImage pixels;
    double milliseconds = 0;
  };
  struct InFlight {
    BatchResult result;
    std::optional<Ticket> ticket{};  // none if it failed already
    Stopwatch since_submission{};
  };

  static Loaded load(const BatchImage& image) {
    const Stopwatch stopwatch;
    LoadedImage pixels = image.load();
    return {std::move(pixels), stopwatch.milliseconds()};
  }

  // A thread for each. Where the system gives no more threads an image is loaded when it is needed.
  void load_ahead() {
    for (; loading_.size() < static_cast<std::size_t>(loading_limit_) && loads_begun_ < images_.size();
         ++loads_begun_) {
      const auto policy = std::launch::async | std::launch::deferred;
      loading_.push_back(std::async(policy, load, std::cref(images_[loads_begun_])));
    }
  }

  template <class Step>
  void attempt(BatchResult& result, const Step& step) {
    try {
      step();
    } catch (...) {
      result.failure = std::current_exception();
      result.problem = with_name(images_[result.index].name, sentence_of(result.failure));
    }
  }

  void submit_next() {
    load_ahead();
    std::future<Loaded> loading = std::move(loading_.front());
    loading_.pop_front();
    load_ahead();
    InFlight one{.result = {.index = submitted_++}};
    attempt(one.result, [&] {
      Loaded loaded = loading.get();
      one.result.image = std::move(loaded.pixels.image);
      one.result.load_milliseconds = loaded.milliseconds;
      one.since_submission = Stopwatch();
      const Image* const mask = loaded.pixels.mask.get();
      one.ticket = extractor_.submit(one.result.image.view(), mask ? &mask->view() : nullptr);
    });
    in_flight_.push_back(std::move(one));
  }

  BatchResult collect_first() {
    InFlight first = std::move(in_flight_.front());
    in_flight_.pop_front();
    if (first.ticket) {
      attempt(first.result, [&] {
        first.result.features = extractor_.collect(*first.ticket);
        first.result.extract_milliseconds = first.since_submission.milliseconds();
      });
    }
    return std::move(first.result);
  }

  Extractor& extractor_;
  std::vector<BatchImage> images_;  // not changed: loading threads read it
  std::stop_token stop_;
  int in_flight_limit_ = 1, loading_limit_ = 1;
  std::size_t loads_begun_ = 0, submitted_ = 0;
  std::deque<InFlight> in_flight_;
  std::deque<std::future<Loaded>> loading_;  // goes first: its destructor waits for the threads
};

Batch::Batch(Extractor& extractor, std::vector<BatchImage> images, const BatchOptions& options)
    : impl_(std::make_unique<Impl>(extractor, std::move(images), options)) {}
Batch::~Batch() = default;
std::optional<BatchResult> Batch::next() { return impl_->next(); }
const std::vector<BatchImage>& Batch::images() const { return impl_->images(); }

}  // namespace octavo
