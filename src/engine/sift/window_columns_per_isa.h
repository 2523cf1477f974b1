// What the circular windows of orientations and descriptors share. Included inside the namespace of an instruction set,
// below its namespace `vector`, which has window_maths.h.

constexpr int vector_lanes = static_cast<int>(vector::hn::MaxLanes(vector::FloatTag()));

// The largest windows: σ0 = 4 and S = 1 give σ ≤ 11.4 [pixel of the octave]. An ellipse is up to twice as high as the
// circle of its area (longest_shape).
constexpr int largest_radius = 128;
constexpr int window_width = 2 * largest_radius + 64;
constexpr int tallest_window = 4 * largest_radius + 64;

// The floats p[0], p[step], p[2·step] …; step is 1 or 2.
HWY_INLINE vector::float_v load_steps(const float* p, int step) {
  using namespace vector;
  const FloatTag d;
  if (step == 1) return hn::LoadU(d, p);
  float_v even, odd;
  hn::LoadInterleaved2(d, p, even, odd);
  return even;
}

// Window weights of the columns −radius … radius, at [radius + column].
inline void column_weights(int radius, float factor, float* weights) {
  using namespace vector;
  const FloatTag d;
  for (int i = 0; i <= 2 * radius; i += static_cast<int>(hn::Lanes(d))) {
    const float_v distance = hn::Iota(d, static_cast<float>(i - radius));
    hn::StoreU(window_weight(distance, splat(factor)), d, weights + i);
  }
}
