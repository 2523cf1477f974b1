// The trilateral filter tile by tile, with windows from a copy of the tile (near) and from the image itself (far).
// Included by trilateral_schedules.cl.h more than once, each time with TILE_WIDTH, TILE_HEIGHT, TILE_THREADS,
// LIST_TILE, the function that lists its pixels, and NAMED(name), the names of the two kernels. groups:
// ⌈width/TILE_WIDTH⌉ × ⌈height/TILE_HEIGHT⌉.

KERNEL WORK_GROUP_SIZE(TILE_THREADS) void NAMED(near)(FILTER_PARAMETERS) {
  await_previous_kernel();
  LOCAL float exponents[2 * near_reach + 1];
  LOCAL float row_weights[near_reach + 1];
  LOCAL int discs[near_reach + 1];
  LOCAL float pixels[(TILE_WIDTH + 2 * near_reach) * (TILE_HEIGHT + 2 * near_reach)];
  LOCAL int order[TILE_WIDTH * TILE_HEIGHT];
  LOCAL uint places[level_counts];
  const FilterImages images = FILTER_IMAGES;
  const Tile tile = tile_of_group(TILE_WIDTH, TILE_HEIGHT, TILE_THREADS);
  const WindowTables tables = load_tables(exponents, row_weights, discs, shape.reach, exponent, row_weight, disc, tile);
  load_tile(images, tile, pixels);
  const int ordered = LIST_TILE(images, tile, places, order);
  filter_tile_near(images, tables, tile, pixels, order, ordered);
}

KERNEL WORK_GROUP_SIZE(TILE_THREADS) void NAMED(far)(FILTER_PARAMETERS) {
  await_previous_kernel();
  LOCAL float exponents[2 * most_reach + 1];
  LOCAL float row_weights[most_reach + 1];
  LOCAL int discs[most_reach + 1];
  LOCAL int order[TILE_WIDTH * TILE_HEIGHT];
  LOCAL uint places[level_counts];
  const FilterImages images = FILTER_IMAGES;
  const Tile tile = tile_of_group(TILE_WIDTH, TILE_HEIGHT, TILE_THREADS);
  const WindowTables tables = load_tables(exponents, row_weights, discs, shape.reach, exponent, row_weight, disc, tile);
  const int ordered = LIST_TILE(images, tile, places, order);
  filter_tile_far(images, tables, tile, order, ordered);
}
