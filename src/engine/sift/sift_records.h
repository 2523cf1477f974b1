// The records that SIFT's kernels and the host exchange, beside the pyramid's layout. Included inside a namespace.

/// Counters of the kernels: the first words of the tallies. SiftOfKernel gives the places of those that follow: counts
/// of keypoints for each row, for each 32 and each 1024 rows; the count of keypoints put in place for each row; a bit
/// for each grid point that an extremum has claimed; with a budget for the whole image, the extrema by the first digit
/// of their ranks; and, with a budget, the words that selection_records.h describes.
OCTAVO_CONSTANT int extrema_counter = 0;
OCTAVO_CONSTANT int keypoint_counter = 1;
OCTAVO_CONSTANT int candidate_counter = 2;
OCTAVO_CONSTANT int topmost_counter = 3;  ///< candidates of layer S, if image S + 2 is missing; on a list of their own
OCTAVO_CONSTANT int point_counter = 4;    ///< for another detector: the number of points it found
OCTAVO_CONSTANT int best_counter = 5;     ///< extrema that a budget may keep
OCTAVO_CONSTANT int counters = 32;        // 128 bytes

/// Rows are counted singly, by 2^5 and by 2^10.
OCTAVO_CONSTANT int row_count_shift = 5;

/// Threads of a work-group.
enum {
  extrema_threads = 128,  ///< the group processes one tile
  refine_threads = 32,    ///< each thread processes one candidate, the group one of the topmost layer
  shape_threads = 64,     ///< the group processes one extremum at a time
  window_threads = 64,    ///< each thread makes one window
  orient_threads = 64,    ///< the group processes one extremum at a time
  rank_threads = 64,      ///< place and rank: each thread processes one keypoint
  describe_threads = 128  ///< the group processes one keypoint at a time, each thread one element of its descriptor
};

/// A grid point where D is extreme.
typedef struct CandidateRecord {
  int octave, layer, row, column;
} CandidateRecord;

/// The key of the canonical order within an octave and layer, and the number of the keypoint.
typedef struct PlaceRecord {
  float y, x, turns;
  int keypoint;
} PlaceRecord;

/// Extremum, Shape, Oriented and Keypoint (extremum.h, oriented.h, octavo/keypoint.h) as kernels see them.
typedef struct ExtremumRecord {
  int layer, row, column;
  float layer_offset, row_offset, column_offset;
  float value;
} ExtremumRecord;

typedef struct ShapeRecord {
  float xx, xy, yy;
} ShapeRecord;

typedef struct OrientedRecord {
  int octave;
  ExtremumRecord extremum;
  float scale, turns;
  ShapeRecord shape;
} OrientedRecord;

typedef struct KeypointRecord {
  float x, y, scale, orientation, response;
  int octave, layer;
  float a11, a12, a21, a22;
} KeypointRecord;

/// The options that kernels need.
typedef struct SiftOfKernel {
  int octaves;
  int first_octave;  ///< −1 or 0
  int max_orientations;
  int upright;
  int affine;
  int has_mask;
  int image_width, image_height;  ///< [pixel] of the mask
  int candidate_capacity, extrema_capacity, keypoint_capacity;
  int row_counts_at[3], row_fill_at, claims_at, best_bins_at;  ///< [word] in the tallies
  int list_counter;  ///< of the list whose extrema get shapes and orientations: extrema_counter or best_counter
  int budget;        ///< N, with best_counter
  int rank;          ///< octavo::Rank
  float sigma;
  int rootsift;     ///< descriptors are RootSIFT
  int last_radius;  ///< of the filter that makes image S + 2 where it is needed; 0: the image is there
} SiftOfKernel;
