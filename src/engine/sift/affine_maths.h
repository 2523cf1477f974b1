// The products of gradients that make the second moments of a window (affine.h). Included inside a namespace that has
// the primitives of scalar_primitives.h or vector_primitives.h, and descriptor_maths.h.
//
// Products are integers, in units of 2^−22, so that their order does not matter: pixels are 0…1, so a product is at
// most
// 1. Sums have 64 bits.

/// The products of a pixel's gradient with itself, times the weight of its place.
typedef struct Products {
  int_v xx, xy, yy;
} Products;

/// `across` and `down` are the place in the frame of the shape [pixel], `factor` that of the Gaussian (window_factor).
/// Places beyond the square root of `limit` from the centre have no weight.
OCTAVO_INLINE Products weighted_products(float_v gx, float_v gy, float_v across, float_v down, float_v factor,
                                         float_v limit) {
  const float_v squared = fma(across, across, down * down);
  const float_v weight =
      if_then_else(less_than(squared, limit), exp2_float(squared * factor) * splat(4194304.0f), splat(0.0f));
  const float_v x = gx * weight, y = gy * weight;
  const Products p = {round_to_int(x * gx), round_to_int(x * gy), round_to_int(y * gy)};
  return p;
}
