// Transcendental functions in double precision from +, −, × and ÷ alone, for tables that the host computes once. Not
// those of <cmath>, whose last bit differs between C libraries: every machine must round the tables to the same floats.

#pragma once

namespace octavo::maths {

inline constexpr double pi = 3.14159265358979323846;

/// e^x for −40 ≤ x ≤ 40, to about 1e-13. Taylor's series at x/256, squared eight times.
inline double exponential(double x) {
  const double y = x / 256;
  double term = 1, sum = 1;
  for (int n = 1; n <= 12; ++n) {
    term *= y / n;
    sum += term;
  }
  for (int i = 0; i < 8; ++i) sum *= sum;
  return sum;
}

/// sin x for |x| ≤ π/2, to about 1e-15. Taylor's series.
inline double sine(double x) {
  double term = x, sum = x;
  for (int n = 3; n <= 25; n += 2) {
    term *= -x * x / (n * (n - 1));
    sum += term;
  }
  return sum;
}

/// cos x for 0 ≤ x ≤ π/2, to about 1e-15.
inline double cosine(double x) { return sine(pi / 2 - x); }

/// log2(1 + f) for 0 ≤ f ≤ 1, to about 1e-15: the series of 2·artanh(f/(2 + f)), without a division for each term.
inline double log2_of_1_plus(double f) {
  constexpr double inverses[] = {1.0 / 31, 1.0 / 29, 1.0 / 27, 1.0 / 25, 1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17,
                                 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};
  const double s = f / (2 + f), square = s * s;
  double sum = 0;
  for (const double inverse : inverses) sum = sum * square + inverse;
  return sum * s * (2 / 0.693147180559945309417);
}

}  // namespace octavo::maths
