#include "video/signature/query_forms.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace octavo {
namespace {

ClipSignature reversed(ClipSignature clip) {
  std::ranges::reverse(clip.frames);
  std::int64_t index = 0;
  for (FrameSignature& frame : clip.frames) {
    frame.index = index++;
    frame.seconds = std::exchange(frame.until, clip.seconds - frame.seconds);
    frame.seconds = clip.seconds - frame.seconds;
  }
  return clip;
}

}  // namespace

template <class Change>
void QueryForms::double_forms(const Change& change) {
  for (std::size_t i = 0, count = forms_.size(); i < count; ++i) {
    QueryForm form = forms_[i];
    form.clip = &made_.emplace_back(change(form));
    forms_.push_back(form);
  }
}

QueryForms::QueryForms(const ClipSignature& query, const ClipSignature* negative, bool in_mirror, bool backwards) {
  forms_.push_back({.clip = &query});
  if (negative != nullptr) forms_.push_back({.clip = negative, .negative = true});
  if (in_mirror) {
    double_forms([](QueryForm& form) {
      form.mirrored = true;
      return mirrored(*form.clip);
    });
  }
  if (backwards && !is_image(query)) {
    double_forms([](QueryForm& form) {
      form.reversed = true;
      return reversed(*form.clip);
    });
  }
}

void tell_form(std::span<CopySegment> segments, const QueryForm& form) {
  for (CopySegment& segment : segments) {
    segment.mirrored = form.mirrored;
    segment.negative = form.negative;
    if (!form.reversed) continue;
    segment.query_in = form.clip->seconds - std::exchange(segment.query_out, form.clip->seconds - segment.query_in);
    segment.change_in = form.clip->seconds - std::exchange(segment.change_out, form.clip->seconds - segment.change_in);
    segment.speed = -segment.speed;
  }
}

}  // namespace octavo
