#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "octavo/api.h"

// What a piece of work tells its caller while it runs, and how the caller ends it.

namespace OCTAVO_API octavo {

/// What a piece of work does now.
struct ProgressStep {
  /// A few words for people, e.g. "octave 2 of 7", "descriptors", "building kernels, once". Valid during the call.
  std::string_view stage;
  std::size_t done = 0;   ///< parts of the stage that are done
  std::size_t total = 0;  ///< all parts of the stage; 0: the stage is not counted
  /// Where a job works on a list: what it works on now, such as a file. `stage` is then empty, and `done` and `total`
  /// count the items of the list. Valid during the call.
  std::string_view item{};
  /// What a job has done is written to its file now. An end of the program here would lose it.
  bool is_writing = false;
};

/// Is told the steps of a piece of work when they begin, and the parts of long steps as they are done. Empty: nothing
/// is told, which costs nothing. It may be called some thousand times a second, from the thread that called the
/// library, and for images in flight on GPUs also from a thread of the library. So it must be safe to call from two
/// threads at a time. It must return soon. What it throws on the thread that called the library gives up the work: the
/// call throws the same, and the objects can be used again. On other threads it must not throw.
using ProgressSink = std::function<void(const ProgressStep&)>;

/// Tells a step to the sink, if there is one.
inline void report(const ProgressSink& sink, std::string_view stage, std::size_t done = 0, std::size_t total = 0) {
  if (sink) sink({stage, done, total});
}

/// Tells an item of a list to the sink, if there is one.
inline void report_item(const ProgressSink& sink, std::string_view item, std::size_t done = 0, std::size_t total = 0) {
  if (sink) sink({{}, done, total, item});
}

/// Tells that what is done is written to this file, if there is a sink.
inline void report_writing(const ProgressSink& sink, std::string_view file) {
  if (sink) sink({.stage = {}, .item = file, .is_writing = true});
}

/// How a job tells its caller what it does, and how the caller ends it. Each part may be empty. Jobs call `progress`
/// and `fail` one at a time, but some of them from threads of their own.
struct JobContext {
  ProgressSink progress{};  ///< the items in work (ProgressStep::item), and the stages of each
  /// Once a stop is requested, the job ends after the items in work. What is done stays.
  std::stop_token stop{};
  /// Is told a sentence for people, without a full stop, for each item that fails and each place without items. The
  /// other items are done.
  std::function<void(const std::string& sentence)> fail{};
  /// Is told a sentence for each item that is done, but not as it should be.
  std::function<void(const std::string& sentence)> warn{};
};

/// Tells a failure to the context, if it listens.
inline void report_failure(const JobContext& context, const std::string& sentence) {
  if (context.fail) context.fail(sentence);
}

/// The same of a warning.
inline void report_warning(const JobContext& context, const std::string& sentence) {
  if (context.warn) context.warn(sentence);
}

}  // namespace octavo
