// hloc's matches in HDF5. A score is (1 + c)/2 with the cosine c = 1 − d²/2 of descriptors of length 1, as hloc's
// matcher of nearest neighbours gives it. Octavo's descriptors have the length 512 but for rounding.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>

#include "io/features/hdf5_file.h"
#include "io/features/hdf5_output.h"
#include "io/features/hdf5_trial.h"
#include "io/features/hloc.h"
#include "octavo/error.h"

namespace octavo {
namespace {

using io::Hdf5File;

constexpr double length2 = 512.0 * 512.0;

std::string group_of(const std::string& a, const std::string& b, char between = '/') {
  std::string left = a, right = b;
  std::replace(left.begin(), left.end(), '/', '-');
  std::replace(right.begin(), right.end(), '/', '-');
  return left + between + right;
}

// The groups in which the matches of a pair may stand, in the order in which hloc looks for them. Its first versions
// put _ between the names.
struct PairGroup {
  std::string path;
  bool is_turned;  // its matches0 is of b
};
std::array<PairGroup, 4> groups_of(const std::string& a, const std::string& b) {
  return {{{group_of(a, b), false}, {group_of(b, a), true}, {group_of(a, b, '_'), false}, {group_of(b, a, '_'), true}}};
}

float score_of(std::uint32_t distance2, double length) {
  return static_cast<float>(std::clamp(1 - distance2 / (4 * length * length), 0.0, 1.0));
}

std::uint32_t distance2_of(float score) {
  return static_cast<std::uint32_t>(std::lround(std::clamp(1 - double{score}, 0.0, 1.0) * 4 * length2));
}

std::vector<Match> matches_of(const Hdf5File& file, const std::string& name_a, const std::string& name_b) {
  const std::array<PairGroup, 4> groups = groups_of(name_a, name_b);
  const auto found =
      std::find_if(groups.begin(), groups.end(), [&](const PairGroup& group) { return file.has(group.path); });
  if (found == groups.end()) file.refuse("it has no matches of '" + name_a + "' and '" + name_b + "'");
  const auto& [group, is_turned] = *found;
  const std::string of_partners = group + "/matches0", of_scores = group + "/matching_scores0";
  if (file.shape(of_partners, 1) != file.shape(of_scores, 1)) file.refuse("'" + group + "' has not a score for each");
  const std::vector<std::int32_t> partners = file.read_integers(of_partners);
  const std::vector<float> scores = file.read_floats(of_scores);
  std::vector<Match> matches;
  for (std::size_t i = 0; i < partners.size(); ++i) {
    if (partners[i] < 0) continue;
    if (!std::isfinite(scores[i])) file.refuse("'" + of_scores + "' holds a number that is not finite");
    const auto index = static_cast<std::int32_t>(i);
    const std::uint32_t distance2 = distance2_of(scores[i]);
    matches.push_back(is_turned ? Match{partners[i], index, distance2} : Match{index, partners[i], distance2});
  }
  std::sort(matches.begin(), matches.end(),
            [](const Match& one, const Match& other) { return std::tie(one.a, one.b) < std::tie(other.a, other.b); });
  return matches;
}

}  // namespace

class HlocMatchesWriter::Impl : public io::Hdf5Output {
 public:
  Impl(const std::filesystem::path& file, double length) : Hdf5Output(file), unit_length(length) {}
  double unit_length;
};

HlocMatchesWriter::HlocMatchesWriter(const std::filesystem::path& file, double unit_length)
    : impl_(std::make_unique<Impl>(file, unit_length)) {}
HlocMatchesWriter::~HlocMatchesWriter() = default;
HlocMatchesWriter::HlocMatchesWriter(HlocMatchesWriter&&) noexcept = default;
HlocMatchesWriter& HlocMatchesWriter::operator=(HlocMatchesWriter&&) noexcept = default;

void HlocMatchesWriter::write(const std::string& name_a, const std::string& name_b, std::size_t keypoints_a,
                              std::span<const Match> matches, std::span<const std::uint8_t> inliers) {
  if (!inliers.empty() && inliers.size() != matches.size()) {
    throw Error(ErrorCode::invalid_argument, "the inlier mask has " + std::to_string(inliers.size()) + " entries for " +
                                                 std::to_string(matches.size()) + " matches");
  }
  std::vector<std::int32_t> partners(keypoints_a, -1);
  std::vector<float> scores(keypoints_a);
  for (std::size_t i = 0; i < matches.size(); ++i) {
    if (!inliers.empty() && inliers[i] == 0) continue;
    const Match& match = matches[i];
    if (match.a < 0 || static_cast<std::size_t>(match.a) >= keypoints_a) {
      throw Error(ErrorCode::invalid_argument,
                  "a match has the keypoint " + std::to_string(match.a) + " of " + std::to_string(keypoints_a));
    }
    partners[static_cast<std::size_t>(match.a)] = match.b;
    scores[static_cast<std::size_t>(match.a)] = score_of(match.distance2, impl_->unit_length);
  }
  const Hdf5File& file = impl_->file();
  for (const PairGroup& group : groups_of(name_a, name_b)) {
    if (file.has(group.path)) file.remove(group.path);
  }
  const std::string group = group_of(name_a, name_b);
  const std::array<std::size_t, 1> column{keypoints_a};
  file.write(group + "/matches0", column, partners);
  file.write(group + "/matching_scores0", column, scores);
}

void HlocMatchesWriter::finish() { impl_->finish(); }

std::vector<Match> read_hloc_matches(const std::filesystem::path& path, const std::string& name_a,
                                     const std::string& name_b) {
  const auto read = [&] { return matches_of(Hdf5File(path, path.string(), Hdf5File::Mode::read), name_a, name_b); };
  io::try_hdf5(path, path.string(), read);
  return read();
}

}  // namespace octavo
