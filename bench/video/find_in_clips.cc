// Finds clips in several others: signs the others once, then reads names of clips from the standard input, a line each,
// and prints a line of JSON for each: its length, the time it took, and the segments with the index of the other clip
// and their ends before and after refinement, which is null where it finds that a segment is false. grid.py drives it.
//
// usage: bench_find_in_clips CLIP...

#include <chrono>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "octavo/video/clip_signature.h"
#include "octavo/video/copy_segment.h"

namespace {

using Json = nlohmann::ordered_json;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Json as_json(const octavo::CopySegment& s) {
  const octavo::Similarity& t = s.other_from_query;
  return {{"query_in", s.query_in}, {"query_out", s.query_out},
          {"other_in", s.other_in}, {"other_out", s.other_out},
          {"speed", s.speed},       {"mirrored", s.mirrored},
          {"frames", s.frames},     {"inliers", s.inliers},
          {"score", s.score},       {"similarity", {t.a, t.b, t.tx, t.ty}}};
}

}  // namespace

int main(int count, char** arguments) {
  using octavo::CopySegment;
  const std::vector<std::string> names(arguments + 1, arguments + count);
  const octavo::VideoOptions patient{.patience = 3600};  // measurements may be paused
  std::vector<octavo::ClipSignature> others;
  for (const std::string& name : names) others.push_back(octavo::sign_clip(name, {}, patient));
  octavo::SignatureOptions options = octavo::query_signature_options();
  options.words = 1;
  std::string query;
  while (std::getline(std::cin, query)) {
    Json line{{"query", query}};
    auto begin = std::chrono::steady_clock::now();
    const octavo::ClipSignature signature = octavo::sign_clip(query, options, patient);
    const octavo::ClipSignature reflection = octavo::mirrored(signature);
    line["query_seconds"] = signature.seconds;
    line["signing"] = seconds_since(begin);
    begin = std::chrono::steady_clock::now();
    line["segments"] = Json::array();
    double refining = 0;
    for (std::size_t k = 0; k < others.size(); ++k) {
      std::vector<CopySegment> found = find_copies(signature, others[k], all_hits(signature, others[k]));
      for (CopySegment& one : find_copies(reflection, others[k], all_hits(reflection, others[k]))) {
        one.mirrored = true;
        found.push_back(one);
      }
      for (const CopySegment& one : octavo::without_reflections(std::move(found))) {
        const auto start = std::chrono::steady_clock::now();
        const std::vector<CopySegment> refined = refine_ends(std::span(&one, 1), query, names[k], patient);
        line["segments"].push_back(
            {{"other", k}, {"coarse", as_json(one)}, {"refined", refined.empty() ? Json() : as_json(refined[0])}});
        refining += seconds_since(start);
      }
    }
    line["refining"] = refining;
    line["comparing"] = seconds_since(begin) - refining;
    std::cout << line.dump() << std::endl;
  }
}
