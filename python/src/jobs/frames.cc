// The frames of videos, and what a file says of its video.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gil.h"
#include "jobs/bindings.h"
#include "jobs/job_options.h"
#include "jobs/record.h"
#include "jobs/work.h"
#include "octavo/error.h"
#include "octavo/jobs/video_jobs.h"
#include "octavo/video/video.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

namespace fs = std::filesystem;

// An image, of which Python's type checkers know what it is.
class Pixels : public nb::object {
  NB_OBJECT(Pixels, nb::object, "numpy.typing.NDArray[numpy.uint8]", nb::ndarray_check)
};

struct Frame {
  Pixels image;
  std::int64_t index;
  double seconds;
  bool is_key, is_damaged;
};

// A video that is read frame by frame. Threads that use it wait for each other.
class Frames {
 public:
  Frames(const fs::path& file, bool grey, const nb::dict& given) : file_(file), grey_(grey) {
    VideoOptions options;
    Keywords keywords("frames", given);
    keywords.set(options);
    keywords.finish();
    options.colour = !grey;
    const WithoutGil release;
    video_.emplace(file, options);
  }
  ~Frames() { close(); }
  Frames(const Frames&) = delete;
  Frames& operator=(const Frames&) = delete;

  Frame next() {
    std::optional<VideoFrame> frame;
    {
      const WithoutGil release;
      const std::lock_guard lock(mutex_);
      if (video_) frame = video_->next();
    }
    if (!frame) throw nb::stop_iteration();
    auto image = nb::borrow<Pixels>(nb::cast(numpy_of(std::move(grey_ ? frame->grey : frame->colour))));
    return {std::move(image), frame->index, frame->seconds, frame->key, frame->damaged};
  }

  [[nodiscard]] VideoFacts facts() const {
    return of_open([](const Video& video) { return video.facts(); });
  }
  [[nodiscard]] double seconds() const {
    return of_open([](const Video& video) { return video.seconds_done(); });
  }
  [[nodiscard]] std::vector<std::string> warnings() const {
    return of_open([](const Video& video) {
      std::vector<std::string> sentences;
      for (const VideoWarning& warning : video.warnings()) sentences.push_back(warning.sentence);
      return sentences;
    });
  }
  // "Frames('a.mp4', 1920 x 1080, h264)", or that it is closed.
  [[nodiscard]] std::string describe() const {
    const WithoutGil release;
    const std::lock_guard lock(mutex_);
    const std::string name = file_.string();
    if (!video_) return "Frames('" + name + "', closed)";
    const VideoFacts& facts = video_->facts();
    return "Frames('" + name + "', " + std::to_string(facts.width) + " x " + std::to_string(facts.height) + ", " +
           facts.codec + ")";
  }
  void close() {
    const WithoutGil release;
    const std::lock_guard lock(mutex_);
    video_.reset();
  }

 private:
  // What `get` gives of the video, which another thread may read or close meanwhile.
  template <class Get>
  std::invoke_result_t<const Get&, const Video&> of_open(const Get& get) const {
    const WithoutGil release;
    const std::lock_guard lock(mutex_);
    if (!video_) throw Error(ErrorCode::invalid_argument, "the video is closed");
    return get(*video_);
  }

  fs::path file_;
  bool grey_;
  mutable std::mutex mutex_;
  std::optional<Video> video_;
};

nb::object itself(nb::handle frames) { return nb::borrow(frames); }

Told<TakenFrames> export_frames(const fs::path& clip, const std::optional<fs::path>& output,
                                const std::optional<fs::path>& contact_sheet, bool grey, const nb::dict& given,
                                nb::object progress) {
  FramesJob job{.clips = {clip.string()}, .grey = grey};
  Keywords keywords("export_frames", given);
  keywords.set(job.video);
  keywords.finish();
  if (output) job.output = *output;
  if (contact_sheet) job.contact_sheet = *contact_sheet;
  return Work(std::move(progress)).tell([&](const JobContext& context) {
    TakenFrames taken{.clip = clip.string(), .facts = {}};
    job.take = [&](const TakenFrames& frames) { taken = frames; };
    take_frames(job, context);
    return taken;
  });
}

Told<FilmReport> draw_film(const fs::path& clip, const std::optional<fs::path>& output, bool tracks,
                           const std::string& codec, bool grey, const nb::dict& given, nb::object progress) {
  KeypointFilm film{.clip = clip.string(), .tracks = tracks, .grey = grey};
  Keywords keywords("keypoints", given);
  if (!keywords.has("fps")) film.video.every = 1;
  film.video.size = 0;
  film.video.live = is_live(clip);
  film.codec = choice_of<VideoCodec>("codec", codec, std::array<std::string_view, 3>{"auto", "h264", "mpeg4"});
  keywords.set(film.track);
  keywords.set(film.video, {"engine"});
  set_detector(film.detector, keywords);
  keywords.set(film.device);
  keywords.finish();
  if (output) film.output = output->string();
  return Work(std::move(progress), Work::Stop::after_step).tell([&](const JobContext& context) {
    return make_film(film, context);
  });
}

}  // namespace

void bind_frames(nb::module_& m) {
  Record<VideoFacts>(m, "VideoFacts", "What a file says of its video.")
      .with("container", &VideoFacts::container, "FFmpeg's name.")
      .with("codec", &VideoFacts::codec, "FFmpeg's name, e.g. h264.")
      .with("decoder", &VideoFacts::decoder, "What decodes it, and its version.")
      .with("pixel_format", &VideoFacts::pixel_format, "FFmpeg's name, e.g. yuv420p.")
      .with("width", &VideoFacts::width, "[pixel] as stored.")
      .with("height", &VideoFacts::height, "[pixel] as stored.")
      .with("rotation", &VideoFacts::rotation, "[degree] clockwise, from the stored to the shown image.")
      .with(
          "pixel_aspect", [](const VideoFacts& f) { return fraction_of(f.pixel_aspect); }, "Fraction: width by height.")
      .with(
          "frame_rate", [](const VideoFacts& f) { return fraction_of(f.frame_rate); },
          "Fraction: [1/second] by the file; 0: unknown.")
      .with("frames", &VideoFacts::declared_frames, "Their number by the file; 0: unknown.")
      .with("seconds", &VideoFacts::declared_seconds, "[second] by the file; 0: unknown.")
      .with("time_code", &VideoFacts::time_code, "Of the first frame, 01:00:00:00; empty: the file has none.");
  Record<Frame>(m, "Frame", "A frame of a video.")
      .with(
          "image", [](const Frame& f) { return f.image; }, "H x W x 3 in uint8: red, green, blue; or grey, H x W.")
      .with("index", &Frame::index, "Among all frames of the video, from 0.")
      .with("seconds", &Frame::seconds, "[second] The time by the file.")
      .with("is_key", &Frame::is_key, "Decoded without other frames.")
      .with("is_damaged", &Frame::is_damaged, "The decoder had to guess parts of it.");
  nb::class_<Frames>(m, "Frames", "The frames of a video: an iterator, and a context that ends the decoder.")
      .def(nb::init<const fs::path&, bool, const nb::dict&>(), nb::arg("file"), nb::arg("grey"), nb::arg("options"))
      .def("__iter__", &itself, nb::sig("def __iter__(self) -> Frames"))
      .def("__next__", &Frames::next)
      .def("__enter__", &itself, nb::sig("def __enter__(self) -> Frames"))
      .def(
          "__exit__", [](Frames& self, const nb::args&) { self.close(); },
          nb::sig("def __exit__(self, *raised: object) -> None"))
      .def("__repr__", [](const Frames& frames) { return nb::str(text_of(frames.describe())); })
      .def("close", &Frames::close, "Ends the decoder.")
      .def_prop_ro("facts", &Frames::facts, "VideoFacts.")
      .def_prop_ro("seconds", &Frames::seconds,
                   "[second] The time of the last frame that was decoded; at the end the length.")
      .def_prop_ro("warnings", &Frames::warnings, "list[str]: what is wrong with the file, as far as it was read.");
  Record<Told<TakenFrames>> taken(m, "TakenFrames", "What was taken of a video.");
  taken.with("facts", &TakenFrames::facts, "VideoFacts.")
      .with("decoded", &TakenFrames::decoded, "Frames that were decoded.")
      .with("taken", &TakenFrames::taken, "Those that were taken.")
      .with("black", &TakenFrames::black, "Of these.")
      .with("flat", &TakenFrames::flat, "Of these.")
      .with("titles", &TakenFrames::titles, "Of these.")
      .with("bars", &TakenFrames::bars, "Of these.")
      .with("repeats", &TakenFrames::repeats, "Of these.");
  add_told(taken);
  Record<Told<FilmReport>> film(m, "FilmReport", "A video whose keypoints were followed.");
  film.with("facts", &FilmReport::facts, "VideoFacts.")
      .with("device", &FilmReport::device, "Where the keypoints were found.")
      .with("codec", &FilmReport::codec, "Of the output; empty without one.")
      .with("frames", &FilmReport::frames, "Their number.")
      .with("keypoints", &FilmReport::keypoints, "Of all frames.")
      .with("clip_seconds", &FilmReport::clip_seconds, "[second] of the video.")
      .with("seconds", &FilmReport::seconds, "[second] that the work took.")
      .with("error", &FilmReport::error, "Why the video was not read to its end; empty: it was.");
  add_told(film);
  m.def("export_frames", &export_frames, nb::arg("clip"), nb::arg("output").none(), nb::arg("contact_sheet").none(),
        nb::arg("grey"), nb::arg("options"), nb::arg("progress").none());
  m.def("keypoints", &draw_film, nb::arg("clip"), nb::arg("output").none(), nb::arg("tracks"), nb::arg("codec"),
        nb::arg("grey"), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace octavo::python
