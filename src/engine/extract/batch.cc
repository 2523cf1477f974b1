// A pipeline of three steps: loading on threads of its own, extraction on the device, and the caller with the result.
// Each step has a bounded queue before it, so memory stays bounded however slow the caller is.

#include "octavo/batch.h"

#include <algorithm>
#include <deque>
#include <future>
#include <new>
#include <thread>
#include <utility>

#include "engine/core/check.h"
#include "engine/core/stopwatch.h"
#include "octavo/error.h"

namespace octavo {
namespace {

constexpr int most_at_a_time = 1000;

bool is_shortage(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (const Error& error) {
    return error.code() == ErrorCode::out_of_memory;
  } catch (...) {
    return false;
  }
}

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

BatchSource source_of(std::vector<BatchImage> images) {
  return [images = std::move(images), next = std::size_t{0}]() mutable -> std::optional<BatchImage> {
    if (next == images.size()) return std::nullopt;
    return std::move(images[next++]);
  };
}

}  // namespace

class Batch::Impl {
 public:
  Impl(Extractor& extractor, BatchSource source, const BatchOptions& options)
      : extractor_(extractor), source_(std::move(source)), stop_(options.stop) {
    check_range("in_flight", options.in_flight, 0, most_at_a_time);
    check_range("loads_at_a_time", options.loads_at_a_time, 0, most_at_a_time);
    in_flight_limit_ = options.in_flight > 0 ? options.in_flight : extractor.best_in_flight();
    const int processors = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1u));
    loading_limit_ = options.loads_at_a_time > 0 ? options.loads_at_a_time : std::min(in_flight_limit_, processors);
    in_flight_.reserve(static_cast<std::size_t>(in_flight_limit_));
    loading_.reserve(static_cast<std::size_t>(loading_limit_));
  }

  ~Impl() {
    for (const InFlight& one : in_flight_) abandon(one);
  }

  std::optional<BatchResult> next() {
    while (in_flight_.size() < static_cast<std::size_t>(in_flight_limit_) && has_image(submitted_)) {
      if (stop_.stop_requested()) return std::nullopt;
      submit_next();
    }
    if (stop_.stop_requested()) return std::nullopt;
    if (in_flight_.empty()) {
      if (source_failure_) std::rethrow_exception(std::exchange(source_failure_, nullptr));
      return std::nullopt;
    }
    InFlight first = std::move(in_flight_.front());
    in_flight_.erase(in_flight_.begin());
    collect(first);
    const bool was_alone = first.was_alone || (first_ == 0 && images_.size() == 1);
    if (first.result.failure && !was_alone && is_shortage(first.result.failure)) do_alone(first);
    while (first_ <= first.result.index) {
      images_.pop_front();
      ++first_;
    }
    return std::move(first.result);
  }

 private:
  struct Loaded {
    LoadedImage pixels;
    double milliseconds = 0;
  };
  struct InFlight {
    BatchResult result;
    std::optional<Ticket> ticket{};       // none if it failed already, or was collected
    std::shared_ptr<const Image> mask{};  // read until the features are collected
    Stopwatch since_submission{};
    bool was_alone = false;
  };

  static Loaded load(const BatchImage& image) {
    const Stopwatch stopwatch;
    LoadedImage pixels = image.load();
    return {std::move(pixels), stopwatch.milliseconds()};
  }

  // Whether there is an image of this index, which the source may have to give.
  bool has_image(std::size_t index) {
    while (source_ && index >= first_ + images_.size()) {
      try {
        std::optional<BatchImage> image = source_();
        if (image) {
          images_.push_back(std::move(*image));
          continue;
        }
      } catch (...) {
        source_failure_ = std::current_exception();
      }
      source_ = {};
    }
    return index < first_ + images_.size();
  }

  [[nodiscard]] const BatchImage& image(std::size_t index) const { return images_[index - first_]; }

  // A thread for each. Where the system gives no thread or memory for one more, an image is loaded when it is needed.
  void load_ahead() {
    try {
      for (; loading_.size() < static_cast<std::size_t>(loading_limit_) && has_image(loads_begun_); ++loads_begun_) {
        loading_.push_back(std::async(std::launch::async, load, std::cref(image(loads_begun_))));
      }
    } catch (const std::exception&) {
      return;
    }
  }

  template <class Step>
  void attempt(BatchResult& result, const Step& step) {
    try {
      step();
    } catch (...) {
      result.failure = std::current_exception();
      try {
        result.problem = with_name(image(result.index).name, sentence_of(result.failure));
      } catch (const std::bad_alloc&) {
        result.problem = "out of memory";  // short enough to need no memory
      }
    }
  }

  void submit_next() {
    load_ahead();
    std::future<Loaded> loading;
    if (loading_.empty()) {
      loads_begun_ = submitted_ + 1;
    } else {
      loading = std::move(loading_.front());
      loading_.erase(loading_.begin());
    }
    load_ahead();
    InFlight one{.result = {.index = submitted_++}};
    submit(one, [&] { return loading.valid() ? loading.get() : load(image(one.result.index)); });
    in_flight_.push_back(std::move(one));
  }

  template <class Load>
  void submit(InFlight& one, const Load& load_it) {
    attempt(one.result, [&] {
      Loaded loaded = load_it();
      one.result.image = std::move(loaded.pixels.image);
      one.result.load_milliseconds = loaded.milliseconds;
      one.since_submission = Stopwatch();
      one.mask = std::move(loaded.pixels.mask);
      one.ticket = extractor_.submit(one.result.image.view(), one.mask ? &one.mask->view() : nullptr,
                                     Keep::in_host_memory, Pixels::until_collected);
    });
  }

  void collect(InFlight& one) {
    if (!one.ticket) return;
    attempt(one.result, [&] {
      one.result.features = extractor_.collect(*std::exchange(one.ticket, std::nullopt));
      one.result.extract_milliseconds = one.since_submission.milliseconds();
    });
  }

  // The memory that an image lacked may have been that of its neighbours. So it is done again while no other image is
  // in memory. The neighbours are loaded again afterwards.
  void do_alone(InFlight& one) {
    loading_.clear();  // waits for the threads
    for (const InFlight& other : in_flight_) abandon(other);
    in_flight_.clear();
    const std::size_t index = one.result.index;
    submitted_ = loads_begun_ = index + 1;
    one = {.result = {.index = index}, .was_alone = true};
    submit(one, [&] {
      extractor_.release();
      return load(image(index));
    });
    collect(one);
  }

  // An extractor keeps what is not collected.
  void abandon(const InFlight& one) {
    if (!one.ticket) return;
    try {
      extractor_.collect(*one.ticket);
    } catch (...) {  // the result is no longer asked for
    }
  }

  Extractor& extractor_;
  BatchSource source_;  // empty: it has given all
  std::exception_ptr source_failure_;
  std::deque<BatchImage> images_;  // those whose results are not told; loading threads read them
  std::size_t first_ = 0;          // the index of the first of them
  std::stop_token stop_;
  int in_flight_limit_ = 1, loading_limit_ = 1;
  std::size_t loads_begun_ = 0, submitted_ = 0;
  // Both have room for their limits from the start, since nothing may fail between two images.
  std::vector<InFlight> in_flight_;
  std::vector<std::future<Loaded>> loading_;  // goes first: its destructor waits for the threads
};

Batch::Batch(Extractor& extractor, BatchSource images, const BatchOptions& options)
    : impl_(std::make_unique<Impl>(extractor, std::move(images), options)) {}
Batch::Batch(Extractor& extractor, std::vector<BatchImage> images, const BatchOptions& options)
    : Batch(extractor, source_of(std::move(images)), options) {}
Batch::~Batch() = default;
std::optional<BatchResult> Batch::next() { return impl_->next(); }

}  // namespace octavo
