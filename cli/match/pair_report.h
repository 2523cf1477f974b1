#pragma once

#include <cstddef>

#include "cli/match/match_call.h"
#include "cli/standard_streams.h"

namespace octavo::cli {

/// Prints the matches of pairs as they come: lines, JSON, or, with --output -, the list itself.
class PairReport {
 public:
  explicit PairReport(const MatchCall& call);

  void add(const MatchedImages& pair);

  /// Ends the JSON, or sums up the text.
  void sum_up(const MatchSummary& summary);

  /// Whether nothing that is added reaches the caller any more.
  [[nodiscard]] bool is_broken() const { return out_.is_broken(); }

  /// Throws Error(file_error) if the standard output is not whole.
  void require_whole() const { out_.require_whole(); }

 private:
  const MatchCall& call_;
  bool is_list_;
  ListOutput out_;
  std::size_t pairs_ = 0;
};

}  // namespace octavo::cli
