#include "octavo/keypoint.h"

namespace octavo {

std::string sentence_of(NotDescribed reason) {
  switch (reason) {
    case NotDescribed::not_finite:
      return "has a number that is not finite";
    case NotDescribed::outside:
      return "lies outside the image";
    case NotDescribed::scale_too_small:
      return "has a scale below those of the finest level of the scale space";
    case NotDescribed::scale_too_large:
      return "has a scale above those of the coarsest level of the scale space";
    case NotDescribed::no_level:
      return "lies in an image that is too small for a scale space";
    case NotDescribed::no_orientation:
      return "has no gradient around it that would give an orientation";
    case NotDescribed::shape_too_long:
      return "has an ellipse that is more than 4 times as long as it is wide";
  }
  return "";
}

}  // namespace octavo
