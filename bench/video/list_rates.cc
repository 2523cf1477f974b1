// Size and time of the inverted lists of large archives, and whether they still name the right clip, which needs no
// such archive. The lists have the key frames of the clips of one archive, and beside them those of another, drawn at
// random until the hours are full. A drawn frame has its own words, scales and orientations, and its codes with some
// random bits flipped, so that codes under a word are as near to each other as real ones. Queries are copies of clips
// of the first archive. Usage:
//
//     bench_list_rates ARCHIVE BACKGROUND FLIPS HOURS... < QUERIES
//
// QUERIES has a line for each query: the file of the copy, and after tabulators the files, as the archive has them, of
// the clips that it shows. Files of both archives must show nothing in common. FLIPS is the number of bits that are
// flipped at most, or −1 for random codes. Prints a line of JSON for each number of hours: bytes, milliseconds of one
// core for a frame that asks and for each frame of a query, where a search asks as it is and mirrored; and how many of
// the clips are among the best 10 and the best 200 by the sum of scores, where each hour of drawn frames counts as a
// clip. The lists are in memory.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "engine/retrieval/inverted_lists.h"
#include "octavo/video/clip_signature.h"
#include "octavo/video/video_archive.h"
#include "video/archive/key_frames.h"
#include "video/archive/list_query.h"

namespace {

using Features = std::vector<octavo::ListedFeature>;

constexpr std::uint32_t images_of_hour = 1800;  // a key frame in 2 s

// The key frames of all clips of an archive, and of each the file of its clip.
struct KeyFrames {
  explicit KeyFrames(const octavo::VideoArchive& archive) {
    for (const octavo::ArchivedClip& clip : archive.clips()) {
      const octavo::ClipSignature signature = archive.signature(clip);
      for (const std::uint32_t key : octavo::key_frames(signature)) {
        features.push_back(octavo::listed_features(signature.frames[key]));
        files.push_back(clip.files.empty() ? std::string() : clip.files.front().string());
      }
    }
  }
  std::vector<Features> features;
  std::vector<std::string> files;
};

struct Query {
  octavo::ClipSignature plain, mirrored;
  std::vector<std::string> shows;
};

std::vector<Query> read_queries(std::istream& lines) {
  std::vector<Query> queries;
  std::string line, word;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::getline(words, word, '\t');
    Query& query = queries.emplace_back();
    query.plain = octavo::sign_clip(word, octavo::query_signature_options(), {.patience = 3600});
    query.mirrored = octavo::mirrored(query.plain);
    while (std::getline(words, word, '\t')) query.shows.push_back(word);
  }
  return queries;
}

std::uint64_t random_bits(int flips, std::mt19937_64& random) {
  if (flips < 0) return random();
  std::uint64_t bits = 0;
  for (int i = 0; i < flips; ++i) bits |= std::uint64_t{1} << (random() % 64);
  return bits;
}

class LargeLists {
 public:
  LargeLists(const KeyFrames& real, const KeyFrames& background, int flips, double hours)
      : real_(real),
        background_(background),
        flips_(flips),
        images_(static_cast<std::uint32_t>(real.features.size()) + static_cast<std::uint32_t>(hours * images_of_hour)) {
    octavo::InvertedListsWriter writer;
    draw([&](std::uint32_t image, const octavo::ListedFeature& one) { writer.count(image, one.word); });
    bytes_ = writer.bytes(images_);
    storage_.resize((bytes_ + 7) / 8);
    writer.begin(bytes(), images_);
    draw([&](std::uint32_t image, const octavo::ListedFeature& one) { writer.add(image, one); });
  }

  [[nodiscard]] std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(storage_)).first(bytes_); }
  // The file of the clip of an image, or a number for an hour of drawn ones.
  [[nodiscard]] std::string clip_of(std::uint32_t image) const {
    const std::size_t real = real_.files.size();
    return image < real ? real_.files[image] : std::to_string((image - real) / images_of_hour);
  }

 private:
  // The same at each call.
  template <class Take>
  void draw(const Take& take) const {
    std::mt19937_64 random(1);
    for (std::uint32_t image = 0; image < images_; ++image) {
      if (image < real_.features.size()) {
        for (const octavo::ListedFeature& one : real_.features[image]) take(image, one);
        continue;
      }
      for (octavo::ListedFeature one : background_.features[random() % background_.features.size()]) {
        one.code ^= random_bits(flips_, random);
        take(image, one);
      }
    }
  }

  const KeyFrames& real_;
  const KeyFrames& background_;
  int flips_;
  std::uint32_t images_;
  std::size_t bytes_ = 0;
  std::vector<std::uint64_t> storage_;
};

// What queries of lists take and find.
class Answers {
 public:
  Answers(LargeLists& large, const std::vector<Query>& queries) : large_(large), lists_(large.bytes()) {
    counts_.add(lists_);
    for (const Query& query : queries) ask(query);
  }

  [[nodiscard]] nlohmann::ordered_json json(double hours) {
    const double ms = 1000 * seconds_;
    const auto each = [](double sum, std::size_t count) { return count > 0 ? sum / static_cast<double>(count) : 0; };
    return {{"hours", hours},
            {"images", lists_.images()},
            {"features", lists_.features()},
            {"bytes", large_.bytes().size()},
            {"query_frames", frames_},
            {"asks", asks_},
            {"ms_an_ask", each(ms, asks_)},
            {"ms_a_query_frame", each(ms, frames_)},
            {"clips", clips_},
            {"among_10", among_10_},
            {"among_200", among_200_}};
  }

 private:
  void ask(const Query& query) {
    std::map<std::string, double> scores;
    for (const octavo::ClipSignature* clip : {&query.plain, &query.mirrored}) {
      for (const std::int32_t frame : octavo::asking_frames(*clip)) ask(clip->frames[frame], scores);
    }
    frames_ += query.plain.frames.size();
    for (const std::string& clip : query.shows) {
      const double score = scores.contains(clip) ? scores[clip] : 0;
      const auto better = std::ranges::count_if(scores, [&](const auto& of_clip) { return of_clip.second > score; });
      ++clips_;
      among_10_ += score > 0 && better < 10;
      among_200_ += score > 0 && better < 200;
    }
  }

  // Adds the best score of each clip, as a search does.
  void ask(const octavo::FrameSignature& frame, std::map<std::string, double>& scores) {
    const octavo::FrameQuestion question(frame);
    const std::clock_t begin = std::clock();  // time of the process alone, whatever else the machine does
    const std::vector<octavo::ImageVote> votes = lists_.vote(question.features(), counts_);
    seconds_ += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    ++asks_;
    std::map<std::string, double> best;
    for (const octavo::ImageVote& vote : votes) {
      double& score = best[large_.clip_of(vote.image)];
      score = std::max(score, static_cast<double>(vote.score));
    }
    for (const auto& [clip, score] : best) scores[clip] += score;
  }

  LargeLists& large_;
  octavo::InvertedLists lists_;
  octavo::WordCounts counts_;
  double seconds_ = 0;
  std::size_t frames_ = 0, asks_ = 0, clips_ = 0, among_10_ = 0, among_200_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
  if (count < 5) {
    std::cerr << "usage: bench_list_rates ARCHIVE BACKGROUND FLIPS HOURS... < QUERIES\n";
    return 2;
  }
  const KeyFrames real{octavo::VideoArchive{arguments[1]}}, background{octavo::VideoArchive{arguments[2]}};
  const std::vector<Query> queries = read_queries(std::cin);
  for (int i = 4; i < count; ++i) {
    const double hours = std::stod(arguments[i]);
    LargeLists large(real, background, std::stoi(arguments[3]), hours);
    std::cout << Answers(large, queries).json(hours).dump() << std::endl;
  }
}
