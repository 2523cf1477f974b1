// One end of a segment, found to the frame.

#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "video/signature/cell_products.h"
#include "video/signature/frame_cells.h"
#include "video/signature/place_offset.h"

namespace octavo {

/// [second] by which the coarse line may be wrong: half a second, the distance of the frames of an archive's signature,
/// and a margin. This and the next two were chosen with the rule of ends (docs/video-search.md, Ends).
constexpr double most_shift = 0.7;
/// [second] of one image, that is a freeze. Clips of two frames a second repeat frames for as long.
constexpr double shortest_freeze = 0.5;
/// A smaller overlap, in cells of 560, says nothing.
constexpr std::size_t least_places = 40;
/// A speed that differs from 1 by less may be 1.
constexpr double near_one = 0.1;
/// Of a correlation: coding alone changes it by so much.
constexpr double least_noise = 0.001;

/// What moves in both clips: nothing, or too little is visible; the same; not the same; or the other clip moves, but
/// where the query hides it.
enum class Motion { none, alike, different, hidden };

/// What moves in time at the places that both clips show.
struct MovingBlocks {
  /// The blocks in which one clip moves.
  struct OfClip {
    Products together;        ///< their sum: those that change most count most
    double correlations = 0;  ///< the sum of theirs: each counts alike
    std::size_t count = 0;

    void add(const Products& block);
  };
  OfClip where_query_moves, where_other_moves;

  void add(const MovingBlocks& more);
};

/// One end of a segment: where the line passes it by the coarse search, and the frames around it. Both lists of frames
/// and `blocks` must outlive it.
class SegmentEnd {
 public:
  struct Times {
    double query = 0, other = 0;
  };

  /// `blocks`: the block of each cell. `coarse`: where the line of this speed passes the end. `is_in`: the segment
  /// begins here.
  SegmentEnd(const std::vector<FrameCells>& query, const std::vector<FrameCells>& other,
             const std::vector<std::size_t>& blocks, const Times& coarse, double speed, bool is_in);

  /// The frames from `end` on, or up to it, are those of the segment. [second] of the query
  void keep_inside(double end);

  /// Whether next to nothing is the same, at no shift.
  [[nodiscard]] bool is_elsewhere() const;

  /// Whether so few blocks are the same that they decide nothing, and most have texture.
  [[nodiscard]] bool is_hardly_visible() const;

  /// What the motion of both clips says of the line that is corrected by `shift`. Captions may move in one clip alone,
  /// so the clip decides whose motion the other one has. If only the query moves where both are visible, a caption over
  /// a still image does, or the time is wrong: it is wrong if the other clip moves elsewhere.
  [[nodiscard]] Motion motion(double speed, double shift) const;

  /// What moves on the line that is corrected by `shift`.
  [[nodiscard]] MovingBlocks moving_blocks(double speed, double shift) const;

  [[nodiscard]] const Times& coarse() const { return coarse_; }

  /// By how much a line of this speed through the coarse end passes later in the other clip. [second]
  [[nodiscard]] double lag(double speed) const { return coarse_.other - speed * coarse_.query; }

  /// The mean correlation of the frames within the segment, which the line of this speed meets `shift` seconds later
  /// than the coarse one. A frame without a partner counts as one that differs: otherwise shifts beyond the end of the
  /// clip would leave out the frames that do not fit.
  [[nodiscard]] double mean_correlation(double speed, double shift) const;

  /// How well these frames agree on that line: the mean of −log10 of what their correlation leaves unexplained, 0
  /// to 3.5. A few frames that are the same agree better than many that are alike, and others hardly count.
  [[nodiscard]] double agreement(double speed, double shift) const;

  /// The usual length of the other clip's frames; 0 without any. [second]
  [[nodiscard]] double frame() const;

  /// The mean time of the frames that tell the line; the coarse end without any. [second] of the query
  [[nodiscard]] double told_at() const;

  /// Adds the frames that tell the line, with their partners on it.
  void add_to(PlaceFit& fit, double speed, double shift) const;

  /// Their correlations, if the cells of the other clip lie elsewhere by this offset; 0 without a partner.
  [[nodiscard]] std::vector<double> correlations(double speed, double shift, const PlaceOffset& offset) const;

  struct Found {
    Times at;
    double within = 0;  ///< [second] so far off it may be on the line: frames there are neither surely the same nor not
  };

  /// Where one clip stands from a frame on, up to the outermost one, and the other one moves on: only that frame is the
  /// same. None where both stand or move.
  [[nodiscard]] std::optional<Found> freeze(double speed, double shift) const;

  /// The end, by freeze() or else by the last frames that are the same. None if the frames do not tell.
  [[nodiscard]] std::optional<Found> find(double speed, double shift) const;

 private:
  // The correlation of the segment's frames with their partners, by how much it varies, the least of a frame that is
  // the same, and how far other frames are below.
  struct SameFrames {
    double level, noise, limit, gap;
  };
  [[nodiscard]] std::optional<SameFrames> same_frames(double speed, double shift) const;

  // The frames that tell the line, with their partners, without the outermost ones that show something else: a coarse
  // end may lie outside the segment.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> surely_same(double speed, double shift) const;

  // The frames that lie within the segment even if its coarse end is wrong by half a second; all within it where these
  // are few, and at other speeds than 1: these are known to some percent, and only frames near the end tell the line
  // there.
  void keep_surely_inside(double speed);

  // The greatest root mean square of the differences within a block, at the places that count. [grey value]
  [[nodiscard]] double change(const FrameCells& a, const FrameCells& b) const;

  // Frames that show one image: the innermost of them, the outermost, and the first one beyond, if the window has it.
  struct Still {
    std::size_t first, last;
    std::optional<std::size_t> next;
  };

  // All freezes of a clip, the innermost first.
  [[nodiscard]] std::vector<Still> freezes(const std::vector<FrameCells>& frames) const;

  // Where a freeze of one clip ends the segment; none if the other clip stands as long, or if the clip goes on along
  // the line afterwards, as one of few frames a second does.
  [[nodiscard]] std::optional<Found> freeze_end(const Still& still, bool is_query, double speed, double shift) const;

  // Whether frame k of a clip lies farther outwards than frame `last`.
  [[nodiscard]] bool is_beyond(std::size_t k, std::size_t last) const { return is_in_ ? k < last : k > last; }

  // What stands may be the beginning of something else: whether two frames differ more than those of the segment.
  [[nodiscard]] bool is_something_else(std::size_t i, std::size_t j, double speed, double shift) const;

  // The frame of a moving clip that another one shows on, and how far off it may be.
  struct Shown {
    std::size_t frame;
    double within;  // [second]
  };

  // By the correlation of a frame that stands with those around the one that its first frame meets on the line: coding
  // and slow scenes let a freeze begin too late or too early. None if the window of the moving clip ends before.
  [[nodiscard]] std::optional<Shown> shown_frames(std::size_t still, std::size_t meets, bool is_query) const;

  // How alike frame i of the query and its partner are; none where one of them is missing.
  [[nodiscard]] std::optional<double> likeness_at(std::ptrdiff_t i, double speed, double shift) const;

  // For how long the frames from the last one inwards may be others. [second] `least`: the correlation of one that is
  // surely the same.
  [[nodiscard]] double doubtful_time(std::size_t last, double least, double speed, double shift) const;

  // The last frame that is the same, from the middle of the inside outwards; two bad frames do not end it.
  struct LastAlike {
    std::optional<std::size_t> frame;
    bool others_follow = false;
  };
  [[nodiscard]] LastAlike last_alike(const SameFrames& same, double speed, double shift) const;

  // The outermost frame that may be the same. Something that changes over the image, such as a clock, makes frames of
  // the segment less alike. So what follows the last one may be the same up to a cut, which changes more than that; and
  // without a cut as long as it is as alike as the segment's own frames.
  struct Outermost {
    std::size_t frame;
    bool is_cut;  // another scene follows in one of the clips
  };
  [[nodiscard]] Outermost outermost_alike(std::size_t last, const SameFrames& same, double speed, double shift) const;

  // Whether frames cease to be the same little by little at the last one: no cut ends the segment there.
  [[nodiscard]] bool fades_at(std::size_t last, double speed, double shift) const;

  // From the last frame to another one, to the middle of the last one. [second]
  [[nodiscard]] double seconds_apart(std::size_t last, std::size_t other) const;

  // Whether a clip that stood goes on along the line from frame `next` on outwards, and not from frame `last` of the
  // other one, where it stood: by all frames that its window has.
  [[nodiscard]] bool goes_on(std::size_t next, std::size_t last, bool is_query, double speed, double shift) const;

  // The frame of the query during which frame j of the other clip is shown.
  [[nodiscard]] std::optional<std::size_t> query_partner(std::size_t j, double speed, double shift) const;

  [[nodiscard]] Times times_of(std::size_t i, std::size_t j) const;

  // Whether two frames of the other clip lie so far apart that a moving image has changed.
  [[nodiscard]] bool is_another(std::size_t j, std::size_t k) const;

  // Whether frame i of the query is more like frame j than like frames half a second away, by half of what this is
  // within the segment (`gap`). So the frames of a shot with more noise than the others belong to the segment.
  [[nodiscard]] bool stands_out(std::size_t i, std::size_t j, double gap) const;

  // Whether the other clip moves where the query hides it.
  [[nodiscard]] bool moves_elsewhere(double speed, double shift) const;

  [[nodiscard]] FramePairs pairs_inside(double speed, double shift) const;

  // The cells of blocks that correlate count; all if there are too few. Of blocks that something hides some correlate
  // by chance, but less, and not all at one shift: the one at which the blocks correlate best tells which are visible.
  void find_visible_places(double speed);

  // The frame of the other clip that is shown in the middle of this frame of the query.
  [[nodiscard]] std::optional<std::size_t> partner(std::size_t i, double speed, double shift) const;

  const std::vector<FrameCells>& query_;
  const std::vector<FrameCells>& other_;
  const std::vector<std::size_t>& blocks_;
  Times coarse_;
  bool is_in_;
  std::vector<std::size_t> places_;  // the cells that count
  std::vector<double> weights_;      // and by how much
  std::ptrdiff_t textured_ = 0;      // the number of blocks with texture
  std::ptrdiff_t visible_ = 0;       // the number of those that show the same in both clips
  std::array<bool, CellGrid::block_count> is_visible_{};
  std::vector<std::vector<double>> correlations_;
  std::vector<std::size_t> inside_;   // frames of the query within the segment,
  std::vector<std::size_t> telling_;  // and those of them that are near enough to the end to tell the line
};

}  // namespace octavo
