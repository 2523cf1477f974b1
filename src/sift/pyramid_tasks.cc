// Blur after blur, each image of an octave would go out to memory and come back. Row of tiles after row of tiles, a
// level follows the one before at the distance its filter needs, and finds what it reads in the cache; extrema are
// sought while all levels around them are there. The next octave starts as soon as it has rows to read, so that the
// small octaves, which cannot fill a GPU, are made beside the large ones.
//
// Every row of tiles gets a time: that of the last row it reads, and some slack, so that what it reads is done when its
// turn comes and nobody has to wait. Times only grow along what depends on what, so their order is an order of work.

#include "sift/pyramid_tasks.h"

#include <algorithm>
#include <tuple>

#include "sift/extremum.h"

namespace octavo {

namespace {

// Rows of tiles of the first octave are made at times 0, 1, 2 …; a GPU has about three of them at work.
constexpr int slack = 4;

int pieces(int whole, int piece) { return (whole + piece - 1) / piece; }

// Tasks of one row of tiles.
struct TaskRow {
  int time;
  int tiles;
  PyramidTask first;
};

class Planner {
 public:
  Planner(const ScaleSpacePlan& plan, const std::vector<OctaveLayout>& layout) : plan_(plan), layout_(layout) {
    for (int o = 0; o < static_cast<int>(layout.size()); ++o) {
      for (int level = o == 0 ? 0 : 1; level < plan.levels(); ++level) add_level(o, level);
      add_extrema(o);
    }
  }

  PyramidTasks tasks() {
    // At one time the coarser octave goes first: more waits for it.
    std::stable_sort(rows_.begin(), rows_.end(), [](const TaskRow& a, const TaskRow& b) {
      return std::tuple(a.time, -a.first.octave) < std::tuple(b.time, -b.first.octave);
    });
    PyramidTasks tasks{{}, static_cast<int>(times_.size())};
    for (const TaskRow& row : rows_) {
      for (int x = 0; x < row.tiles; ++x) {
        tasks.order.push_back(row.first);
        tasks.order.back().tile_x = x;
      }
    }
    return tasks;
  }

 private:
  // The rows of tiles of one image, made or to be read.
  struct Level {
    int first_counter = 0;
    int tiles_across = 0;
    std::vector<int> times;
  };

  [[nodiscard]] const OctaveLayout& octave(int o) const { return layout_[static_cast<std::size_t>(o)]; }
  [[nodiscard]] int rows(int o) const { return pieces(octave(o).height, blur_rows); }
  Level& level(int o, int l) { return levels_[static_cast<std::size_t>(o * plan_.levels() + l)]; }

  // What a row of tiles must wait for that reads the pixel rows y0…y1 of an image.
  PyramidTask waiting_for(int o, int l, int y0, int y1) {
    if (o > 0 && l == 0) return waiting_for(o - 1, plan_.layers, 2 * y0, 2 * y1);  // every second row of it
    const Level& made = level(o, l);
    PyramidTask task{};
    const int last_row = static_cast<int>(made.times.size()) - 1;
    task.first_awaited = made.first_counter + std::max(y0, 0) / blur_rows;
    task.last_awaited = made.first_counter + std::min(y1 / blur_rows, last_row);
    task.awaited = made.tiles_across;
    return task;
  }
  int time_of(int counter) { return times_[static_cast<std::size_t>(counter)]; }

  void add_level(int o, int l) {
    const bool base = o == 0 && l == 0;
    const int radius = base ? plan_.base.radius() : plan_.step[static_cast<std::size_t>(l) - 1].radius();
    levels_.resize(layout_.size() * static_cast<std::size_t>(plan_.levels()));
    Level made{static_cast<int>(times_.size()), pieces(octave(o).width, columns_of_blur(radius)), {}};
    for (int t = 0; t < rows(o); ++t) {
      const int y0 = t * blur_rows;
      PyramidTask task{};
      task.last_awaited = -1;
      if (!base) task = waiting_for(o, l - 1, y0 - radius, std::min(y0 + blur_rows - 1 + radius, octave(o).height - 1));
      task.octave = o;
      task.level = l;
      task.tile_y = t;
      task.counter = made.first_counter + t;
      const int time = base ? t : time_of(task.last_awaited) + slack;
      made.times.push_back(time);
      times_.push_back(time);
      rows_.push_back({time, made.tiles_across, task});
    }
    level(o, l) = made;
  }

  // They read a pixel more than refinement can wander.
  void add_extrema(int o) {
    constexpr int reach = refinement_reach + 1;
    for (int t = 0; t < rows(o); ++t) {
      const int y0 = t * blur_rows;
      PyramidTask task = waiting_for(o, plan_.levels() - 1, y0 - reach,
                                     std::min(y0 + blur_rows - 1 + reach, octave(o).height - 1));
      task.octave = o;
      task.level = plan_.levels();
      task.tile_y = t;
      task.counter = -1;
      rows_.push_back({time_of(task.last_awaited) + slack, pieces(octave(o).width, tile_columns), task});
    }
  }

  const ScaleSpacePlan& plan_;
  const std::vector<OctaveLayout>& layout_;
  std::vector<Level> levels_;
  std::vector<int> times_;  // by counter
  std::vector<TaskRow> rows_;
};

static_assert(tile_rows == blur_rows, "a row of tiles is the same to blurs and extrema");

}  // namespace

PyramidTasks plan_tasks(const ScaleSpacePlan& plan, const std::vector<OctaveLayout>& layout) {
  return Planner(plan, layout).tasks();
}

}  // namespace octavo
