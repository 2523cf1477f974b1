// The options of a scale space, of whatever detector. SiftOptions has the same ones, flat among its others.

#pragma once

#include "octavo/choices.h"

namespace octavo {

/// The defaults are Lowe's (2004, §3).
struct ScaleSpaceOptions {
  int first_octave = -1;      ///< −1: the doubled image; 0: the image itself
  int max_octaves = 0;        ///< 0: until the short side is below smallest_octave, or 4 with repeated smoothing
  int layers = 3;             ///< S
  double sigma = 1.6;         ///< σ0 [pixel of its octave]: the blur of each octave's first image
  double assumed_blur = 0.5;  ///< [pixel] the blur that the image has already
  double blur_truncate = 4;   ///< [σ] Gaussian blurs are cut off at ⌈this × σ⌉ pixels
  Border border = Border::mirrored;
  Luma luma = Luma::bt709;
  Smoothing smoothing = Smoothing::gaussian;
  // With Smoothing::trilateral alone.
  SmoothingSchedule trilateral_schedule = SmoothingSchedule::direct;
  TrilateralRange trilateral_range = TrilateralRange::contrast;
  TrilateralWindow trilateral_window = TrilateralWindow::power_of_two;
  double trilateral_truncate = 3;  ///< [σ_c] windows are cut off here
};

}  // namespace octavo
