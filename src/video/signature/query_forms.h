// The forms in which a query is compared, since a copy may show it otherwise: as it is, mirrored, and the same of its
// negative and backwards.

#pragma once

#include <list>
#include <span>
#include <vector>

#include "octavo/video/copy_segment.h"

namespace octavo {

struct QueryForm {
  const ClipSignature* clip = nullptr;
  bool mirrored = false, negative = false, reversed = false;
};

class QueryForms {
 public:
  /// `negative` is the signature of the query's negative (Tones::negative), or null. Both must outlive this object.
  QueryForms(const ClipSignature& query, const ClipSignature* negative, bool in_mirror, bool backwards);
  QueryForms(const QueryForms&) = delete;
  QueryForms& operator=(const QueryForms&) = delete;
  [[nodiscard]] std::span<const QueryForm> all() const { return forms_; }

 private:
  // All forms up to now once more, changed.
  template <class Change>
  void double_forms(const Change& change);

  std::list<ClipSignature> made_;
  std::vector<QueryForm> forms_;
};

/// Segments of a form say which it is, with the times of the query.
void tell_form(std::span<CopySegment> segments, const QueryForm& form);

}  // namespace octavo
