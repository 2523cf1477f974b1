#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "octavo/api.h"
#include "octavo/progress.h"

namespace OCTAVO_API octavo {

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
