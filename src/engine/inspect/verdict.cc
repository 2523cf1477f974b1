// Names and colours of verdicts. The colours of SIFT's and of the common verdicts are those of Okabe and Ito (2008),
// which people with colour blindness can distinguish, one more colour, and white. Those of FOAGDD's differ from the
// common ones, and from each other also in lightness.

#include "octavo/inspect.h"

namespace octavo {

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::unstable:
      return "unstable";
    case Verdict::low_contrast:
      return "low contrast";
    case Verdict::on_edge:
      return "edge";
    case Verdict::duplicate:
      return "duplicate";
    case Verdict::below_threshold:
      return "below threshold";
    case Verdict::not_highest:
      return "not highest";
    case Verdict::scale_2:
      return "scale 2";
    case Verdict::scale_3:
      return "scale 3";
    case Verdict::scale_4:
      return "scale 4";
    case Verdict::scale_5:
      return "scale 5";
    case Verdict::outside_mask:
      return "outside mask";
    case Verdict::no_orientation:
      return "no orientation";
    case Verdict::over_budget:
      return "over budget";
    case Verdict::kept:
      break;
  }
  return "kept";
}

std::array<std::uint8_t, 3> colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::unstable:
      return {204, 121, 167};
    case Verdict::low_contrast:
      return {86, 180, 233};
    case Verdict::on_edge:
      return {230, 159, 0};
    case Verdict::duplicate:
      return {240, 228, 66};
    case Verdict::below_threshold:
      return {110, 130, 255};
    case Verdict::not_highest:
      return {185, 150, 220};
    case Verdict::scale_2:
      return {255, 190, 40};
    case Verdict::scale_3:
      return {255, 60, 150};
    case Verdict::scale_4:
      return {255, 250, 170};
    case Verdict::scale_5:
      return {0, 200, 230};
    case Verdict::outside_mask:
      return {150, 150, 150};
    case Verdict::no_orientation:
      return {255, 255, 255};
    case Verdict::over_budget:
      return {213, 94, 0};
    case Verdict::kept:
      break;
  }
  return {0, 220, 130};
}

}  // namespace octavo
