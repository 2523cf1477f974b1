#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "octavo/io/image_files.h"
#include "octavo/jobs/image_jobs.h"
#include "octavo/progress.h"

namespace octavo::jobs {

/// Whether the name stands for the standard input.
inline bool is_stream(const std::filesystem::path& file, const std::optional<StandardInput>& input) {
  return input.has_value() && file == "-";
}

/// The photograph of this file, or, where the name is "-" and there are some, of the bytes of the standard input.
/// Throws as octavo::read_photograph, and what `standard_input` throws.
inline Photograph read_input(const std::filesystem::path& file, const ReadOptions& options,
                             const std::function<std::vector<std::byte>()>& standard_input,
                             const Image* mask = nullptr) {
  if (!standard_input || file != "-") return read_photograph(file, options, mask);
  return decode_photograph(standard_input(), "standard input", options, mask);
}
inline Photograph read_input(const std::filesystem::path& file, const ReadOptions& options,
                             const std::optional<StandardInput>& input, const Image* mask = nullptr) {
  return input ? read_input(file, options, input->image, mask) : read_photograph(file, options, mask);
}

/// Tells the steps of a job on one item as its items: such a job has no others.
inline ProgressSink as_items(const ProgressSink& progress) {
  return [progress](const ProgressStep& step) { report_item(progress, step.stage, step.done, step.total); };
}

}  // namespace octavo::jobs
