// The host places the keypoints (placement.h). The device makes the scale space, orientations and descriptors. All else
// is the same for all devices. Keypoints are processed in portions, so that the lists on a device stay small.

#include "engine/sift/sift_describer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/sift/placement.h"

namespace octavo {

namespace {

// More than the work-groups of the largest GPU.
constexpr std::size_t portion = std::size_t{1} << 16;

// A keypoint that has a place.
struct Subject {
  std::size_t input;
  Placed placed;
};

class SiftDescriber : public Describer {
 public:
  SiftDescriber(const SiftParts& parts, std::unique_ptr<SiftEngine> engine, LevelNames names)
      : parts_(parts), engine_(std::move(engine)), names_(names) {}

  Description describe(const ImageView& image, std::span<const Keypoint> keypoints, OrientationFrom from) override {
    const Placement placement(parts_, image.width, image.height);
    Description result;
    std::vector<Subject> subjects;
    subjects.reserve(keypoints.size());
    for (std::size_t i = 0; i < keypoints.size(); ++i) {
      const std::variant<Placed, NotDescribed> place = placement.place(keypoints[i], from);
      if (const auto* placed = std::get_if<Placed>(&place)) {
        subjects.push_back({i, *placed});
      } else {
        result.left_out.push_back({i, std::get<NotDescribed>(place)});
      }
    }
    if (subjects.empty()) return result;

    engine_->smooth(image);
    result.features.keypoints.reserve(subjects.size());
    result.features.descriptors.reserve(subjects.size() * descriptor_length);
    result.inputs.reserve(subjects.size());
    for (std::size_t begin = 0; begin < subjects.size(); begin += portion) {
      std::span<Subject> some = std::span(subjects).subspan(begin, std::min(portion, subjects.size() - begin));
      std::vector<Oriented> oriented;
      std::vector<std::size_t> inputs;
      const auto add = [&](std::size_t input, const Oriented& at) {
        oriented.push_back(at);
        inputs.push_back(input);
      };
      if (from == OrientationFrom::image && parts_.description.affine) fit_shapes(some);
      if (from == OrientationFrom::keypoint) {
        decide_ambiguous(some, keypoints);
        for (const Subject& s : some) add(s.input, s.placed.at);
      } else if (parts_.description.upright) {
        for (const Subject& s : some) add(s.input, s.placed.at);
      } else {
        turn(some, add, result.left_out);
      }
      append(oriented, inputs, keypoints, placement, from, result);
    }
    std::sort(result.left_out.begin(), result.left_out.end(),
              [](const LeftOut& a, const LeftOut& b) { return a.input < b.input; });
    return result;
  }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, std::size_t keypoints) const override {
    MemoryNeed need = engine_->memory_for_description(image, std::min(keypoints, portion));
    need.least.host += keypoints * bytes_of_keypoint;
    need.usual.host +=
        keypoints * (bytes_of_keypoint + 2 * bytes_of_row) + std::min(keypoints, portion) * bytes_in_portion;
    return need;
  }

 private:
  // [byte] of each keypoint: its place and its description; the latter in vectors that doubled, if there are several
  // orientations; and the lists of a portion.
  static constexpr std::size_t bytes_of_row = sizeof(Keypoint) + descriptor_length + sizeof(std::size_t);
  static constexpr std::size_t bytes_of_keypoint = sizeof(Subject) + bytes_of_row;
  static constexpr std::size_t bytes_in_portion =
      4 * (sizeof(Oriented) + sizeof(std::size_t)) + 3 * sizeof(Oriented) + 2 * sizeof(Orientations);

  // Calls `work` for each portion of a list, with its place in the list.
  template <class Work>
  static void for_each_portion(const std::vector<Oriented>& list, const Work& work) {
    for (std::size_t begin = 0; begin < list.size(); begin += portion) {
      const auto first = list.begin() + static_cast<std::ptrdiff_t>(begin);
      work(begin, std::vector(first, first + static_cast<std::ptrdiff_t>(std::min(portion, list.size() - begin))));
    }
  }

  void fit_shapes(std::span<Subject> subjects) {
    std::vector<Oriented> points;
    points.reserve(subjects.size());
    for (const Subject& s : subjects) points.push_back(s.placed.at);
    engine_->fit_shapes(points);
    for (std::size_t i = 0; i < points.size(); ++i) subjects[i].placed.at.shape = points[i].shape;
  }

  std::vector<Orientations> orientations_at(const std::vector<Oriented>& pixels) {
    std::vector<Orientations> orientations;
    orientations.reserve(pixels.size());
    for_each_portion(pixels, [&](std::size_t, const std::vector<Oriented>& some) {
      const std::vector<Orientations> found = engine_->orient(some);
      orientations.insert(orientations.end(), found.begin(), found.end());
    });
    return orientations;
  }

  // Decides by the gradients around the possible pixels.
  void decide_ambiguous(std::span<Subject> subjects, std::span<const Keypoint> keypoints) {
    std::vector<Oriented> pixels;
    std::vector<Subject*> of_pixel;
    for (Subject& s : subjects) {
      if (!s.placed.is_ambiguous) continue;
      for (const Oriented& o : possible_pixels(s.placed)) {
        pixels.push_back(o);
        of_pixel.push_back(&s);
      }
    }
    if (pixels.empty()) return;
    const std::vector<Orientations> orientations = orientations_at(pixels);
    for (std::size_t i = pixels.size(); i-- > 0;) {  // the last decision is for the first pixel
      const float angle = keypoints[of_pixel[i]->input].orientation;
      const std::optional<float> turns = turns_that_give(angle, orientations[i]);
      if (!turns) continue;
      of_pixel[i]->placed.at = pixels[i];
      of_pixel[i]->placed.at.turns = *turns;
    }
  }

  // Calls `add` for each orientation of each keypoint.
  template <class Add>
  void turn(std::span<const Subject> subjects, const Add& add, std::vector<LeftOut>& left_out) {
    std::vector<Oriented> pixels;
    pixels.reserve(subjects.size());
    for (const Subject& s : subjects) pixels.push_back(s.placed.at);
    const std::vector<Orientations> orientations = orientations_at(pixels);
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      if (orientations[i].count == 0) left_out.push_back({subjects[i].input, NotDescribed::no_orientation});
      for (int k = 0; k < orientations[i].count; ++k) {
        pixels[i].turns = orientations[i].turns[static_cast<std::size_t>(k)];
        add(subjects[i].input, pixels[i]);
      }
    }
  }

  // Describes keypoints and appends them to the result.
  void append(const std::vector<Oriented>& oriented, const std::vector<std::size_t>& inputs,
              std::span<const Keypoint> keypoints, const Placement& placement, OrientationFrom from,
              Description& result) {
    for (std::size_t i = 0; i < oriented.size(); ++i) {
      Keypoint k = placement.reported(keypoints[inputs[i]], oriented[i], from);
      if (names_ == LevelNames::none) k.octave = k.layer = 0;
      result.features.keypoints.push_back(k);
    }
    result.inputs.insert(result.inputs.end(), inputs.begin(), inputs.end());
    std::vector<std::uint8_t>& bytes = result.features.descriptors;
    const std::size_t before = bytes.size();
    bytes.resize(before + oriented.size() * descriptor_length);
    for_each_portion(oriented, [&](std::size_t at, const std::vector<Oriented>& some) {
      engine_->describe(some, bytes.data() + before + at * descriptor_length);
    });
  }

  SiftParts parts_;
  std::unique_ptr<SiftEngine> engine_;
  LevelNames names_;
};

}  // namespace

std::unique_ptr<Describer> make_sift_describer(const SiftParts& parts, std::unique_ptr<SiftEngine> engine,
                                               LevelNames names) {
  return std::make_unique<SiftDescriber>(parts, std::move(engine), names);
}

}  // namespace octavo
