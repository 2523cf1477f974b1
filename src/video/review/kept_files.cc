#include "video/review/kept_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <tuple>

#include "video/report/csv_field.h"

namespace octavo::review {
namespace {

using Group = std::vector<std::size_t>;

// The clips of a group, the one to keep first.
Group best_first(Group group, const VideoReport& report) {
  const auto merit = [&](std::size_t i) {
    const ArchivedClip& clip = report.clips[i].clip;
    return std::tuple(std::int64_t{clip.facts.width} * clip.facts.height, clip.facts.seconds, clip.size);
  };
  std::ranges::stable_sort(group, [&](std::size_t i, std::size_t j) {
    if (merit(i) != merit(j)) return merit(i) > merit(j);
    return report.clips[i].clip.files.front() < report.clips[j].clip.files.front();
  });
  return group;
}

bool is_said(const ReportPair& pair, Judgement judgement) {
  return pair.verdict && pair.verdict->judgement == judgement;
}

// The pairs within a group, as indices.
std::vector<std::size_t> pairs_within(const Group& group, const VideoReport& report) {
  std::vector<std::size_t> found;
  const auto has = [&](std::size_t clip) { return std::ranges::find(group, clip) != group.end(); };
  for (std::size_t i = 0; i < report.pairs.size(); ++i) {
    if (has(report.pairs[i].a) && has(report.pairs[i].b)) found.push_back(i);
  }
  return found;
}

// The pair that says of a clip that it is the same as the one that is kept, or as another of the group.
std::optional<std::size_t> pair_of(std::size_t clip, std::size_t kept, const std::vector<std::size_t>& pairs,
                                   const VideoReport& report) {
  std::optional<std::size_t> found;
  for (const std::size_t i : pairs) {
    const ReportPair& pair = report.pairs[i];
    if ((pair.a != clip && pair.b != clip) || (pair.verdict && !is_said(pair, Judgement::same))) continue;
    if (pair.a == kept || pair.b == kept) return i;
    if (!found) found = i;
  }
  return found;
}

std::string name_of_clip(std::size_t clip, const VideoReport& report) {
  return report.clips[clip].clip.files.front().filename().string();
}

std::string reason_of(const ReportPair& pair, std::size_t kept, const VideoReport& report) {
  if (is_said(pair, Judgement::same)) {
    return fmt::format("judged the same as '{}'", name_of_clip(pair.a == kept ? pair.a : pair.b, report));
  }
  return fmt::format("not judged: {:.0f} % and {:.0f} % lie within each other", 100 * pair.a_coverage,
                     100 * pair.b_coverage);
}

void add_group(const Group& group, const VideoReport& report, std::vector<KeptFile>& files) {
  const std::vector<std::size_t> pairs = pairs_within(group, report);
  const auto contradiction =
      std::ranges::find_if(pairs, [&](std::size_t i) { return is_said(report.pairs[i], Judgement::different); });
  const std::size_t kept = group.front();
  for (const std::size_t i : group) {
    const ArchivedClip& clip = report.clips[i].clip;
    const std::filesystem::path& first = clip.files.front();
    if (contradiction != pairs.end()) {
      files.push_back({true, first, clip.size, "verdicts contradict each other: one says that two of these differ",
                       *contradiction});
    } else if (i == kept) {
      files.push_back({true, first, clip.size, "the best of those that are the same", std::nullopt});
    } else {
      const std::optional<std::size_t> pair = pair_of(i, kept, pairs, report);
      files.push_back({false, first, clip.size, pair ? reason_of(report.pairs[*pair], kept, report) : "", pair});
    }
    for (auto twin = clip.files.begin() + 1; twin != clip.files.end(); ++twin) {
      files.push_back({false, *twin, clip.size, fmt::format("the same bytes as '{}'", first.string()), std::nullopt});
    }
  }
}

}  // namespace

std::vector<KeptFile> kept_files(const VideoReport& report, bool by_coverage) {
  VideoReport judged = report;
  if (!by_coverage) judged.same_coverage = 2;  // no share is as great
  std::vector<KeptFile> files;
  for (const Group& group : groups_of(judged)) add_group(best_first(group, report), report, files);
  return files;
}

std::string csv_of(const std::vector<KeptFile>& files) {
  std::string csv = "action,path,size,reason,pair\r\n";
  for (const KeptFile& one : files) {
    csv += fmt::format("{},{},{},{},{}\r\n", one.is_kept ? "keep" : "drop", video_report::csv_field(one.file.string()),
                       one.size, video_report::csv_field(one.reason), one.pair ? std::to_string(*one.pair + 1) : "");
  }
  return csv;
}

std::string shell_word(const std::filesystem::path& path) {
  const std::string text = path.string();
  const bool is_plain = std::ranges::none_of(text, [](unsigned char c) { return std::iscntrl(c) != 0; });
  std::string word = is_plain ? "'" : "$'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::iscntrl(byte) != 0) {
      word += fmt::format("\\{:03o}", byte);
    } else if (c == '\'') {
      word += is_plain ? "'\\''" : "\\'";
    } else if (c == '\\' && !is_plain) {
      word += "\\\\";
    } else {
      word += c;
    }
  }
  return word + "'";
}

std::string script_of(const std::vector<KeptFile>& files, const std::filesystem::path& archive) {
  std::string script = fmt::format(
      "#!/bin/bash\n"
      "# What octavo video review would drop of the archive {}.\n"
      "# Nothing was deleted, and this script deletes nothing: every line is a comment. Read it, and remove the mark\n"
      "# before the calls of rm that you want.\n",
      shell_word(archive));
  for (const KeptFile& one : files) {
    if (one.is_kept) {
      script += fmt::format("\n# keep {}\n", shell_word(one.file));
    } else {
      script += fmt::format("# rm -- {}\n", shell_word(one.file));
    }
  }
  return script;
}

}  // namespace octavo::review
