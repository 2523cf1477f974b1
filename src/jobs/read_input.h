#pragma once

#include <filesystem>
#include <optional>

#include "octavo/io/photograph.h"
#include "octavo/jobs/standard_input.h"
#include "octavo/progress.h"

namespace octavo::jobs {

/// Whether the name stands for the standard input.
inline bool is_stream(const std::filesystem::path& file, const std::optional<StandardInput>& input) {
  return input.has_value() && file == "-";
}

/// The photograph of this file, or that of the standard input. Throws as octavo::read_photograph.
inline Photograph read_input(const std::filesystem::path& file, const ReadOptions& options,
                             const std::optional<StandardInput>& input) {
  if (!is_stream(file, input)) return read_photograph(file, options);
  return decode_photograph(input->image(), "standard input", options);
}

/// Tells the steps of a job on one item as its items: such a job has no others.
inline ProgressSink as_items(const ProgressSink& progress) {
  return [progress](const ProgressStep& step) { report_item(progress, step.stage, step.done, step.total); };
}

}  // namespace octavo::jobs
