#include "video/signature/query_forms.h"

namespace octavo {

QueryForms::QueryForms(const ClipSignature& query, const ClipSignature* negative, bool in_mirror) {
  forms_.push_back({.clip = &query});
  if (negative != nullptr) forms_.push_back({.clip = negative, .negative = true});
  if (!in_mirror) return;
  for (std::size_t i = 0, count = forms_.size(); i < count; ++i) {
    QueryForm reflection = forms_[i];
    reflection.clip = &made_.emplace_back(mirrored(*reflection.clip));
    reflection.mirrored = true;
    forms_.push_back(reflection);
  }
}

void tell_form(std::span<CopySegment> segments, const QueryForm& form) {
  for (CopySegment& segment : segments) {
    segment.mirrored = form.mirrored;
    segment.negative = form.negative;
  }
}

}  // namespace octavo
