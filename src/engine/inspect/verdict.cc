// Names and colours of verdicts. The colours of SIFT's and of the common verdicts are those of Okabe and Ito (2008),
// which people with colour blindness can distinguish, one more colour, and white. Those of FOAGDD's differ from the
// common ones, and from each other also in lightness.

#include "octavo/inspect.h"

namespace octavo {

std::string_view name_of(CandidateVerdict verdict) {
  switch (verdict) {
    case CandidateVerdict::unstable:
      return "unstable";
    case CandidateVerdict::low_contrast:
      return "low contrast";
    case CandidateVerdict::on_edge:
      return "edge";
    case CandidateVerdict::duplicate:
      return "duplicate";
    case CandidateVerdict::below_threshold:
      return "below threshold";
    case CandidateVerdict::not_highest:
      return "not highest";
    case CandidateVerdict::scale_2:
      return "scale 2";
    case CandidateVerdict::scale_3:
      return "scale 3";
    case CandidateVerdict::scale_4:
      return "scale 4";
    case CandidateVerdict::scale_5:
      return "scale 5";
    case CandidateVerdict::outside_mask:
      return "outside mask";
    case CandidateVerdict::no_orientation:
      return "no orientation";
    case CandidateVerdict::over_budget:
      return "over budget";
    case CandidateVerdict::kept:
      break;
  }
  return "kept";
}

std::array<std::uint8_t, 3> colour_of(CandidateVerdict verdict) {
  switch (verdict) {
    case CandidateVerdict::unstable:
      return {204, 121, 167};
    case CandidateVerdict::low_contrast:
      return {86, 180, 233};
    case CandidateVerdict::on_edge:
      return {230, 159, 0};
    case CandidateVerdict::duplicate:
      return {240, 228, 66};
    case CandidateVerdict::below_threshold:
      return {110, 130, 255};
    case CandidateVerdict::not_highest:
      return {185, 150, 220};
    case CandidateVerdict::scale_2:
      return {255, 190, 40};
    case CandidateVerdict::scale_3:
      return {255, 60, 150};
    case CandidateVerdict::scale_4:
      return {255, 250, 170};
    case CandidateVerdict::scale_5:
      return {0, 200, 230};
    case CandidateVerdict::outside_mask:
      return {150, 150, 150};
    case CandidateVerdict::no_orientation:
      return {255, 255, 255};
    case CandidateVerdict::over_budget:
      return {213, 94, 0};
    case CandidateVerdict::kept:
      break;
  }
  return {0, 220, 130};
}

}  // namespace octavo
