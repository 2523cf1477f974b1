#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "cli/match/match_call.h"
#include "cli/match/pair_plan.h"
#include "cli/standard_streams.h"
#include "octavo/geometry.h"
#include "octavo/hloc.h"
#include "octavo/matcher.h"
#include "octavo/output_file.h"

namespace octavo::cli {

/// Tells the matches of pairs as they come: in the list for COLMAP, and on the standard output as text or JSON. Only
/// one pair is in memory.
class PairReport {
 public:
  /// Throws Error(file_error) if the list cannot be written.
  explicit PairReport(const MatchCall& call);

  /// Throws Error(file_error) if the list cannot be written.
  void add(const PlannedPicture& a, const PlannedPicture& b, std::span<const Match> matches,
           const std::optional<EssentialModel>& model);

  /// Gives the list its name. Throws Error(file_error).
  void finish_list();

  /// Removes a list that is not finished.
  void drop_list() {
    list_.reset();
    hloc_.reset();
  }

  [[nodiscard]] bool is_list_finished() const { return is_list_finished_; }

  /// Ends the JSON, or sums up the text.
  void sum_up();

  /// The number of pairs that are told.
  [[nodiscard]] std::size_t pairs() const { return pairs_; }

  /// Whether nothing that is added reaches the caller any more.
  [[nodiscard]] bool is_in_vain() const { return out_.is_broken() && !list_ && !hloc_; }

  /// Throws Error(file_error) if the standard output is not whole.
  void require_whole() const { out_.require_whole(); }

 private:
  enum class Form { none, text, json };

  void add_to_list(const std::string& text);

  const MatchCall& call_;
  Form form_;
  ListOutput out_;
  std::optional<OutputFile> list_;
  std::optional<HlocMatchesWriter> hloc_;  // in place of the list
  bool is_list_finished_ = false;
  std::size_t pairs_ = 0, matches_ = 0;
};

}  // namespace octavo::cli
