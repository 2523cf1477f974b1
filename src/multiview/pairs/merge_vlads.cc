#include "multiview/pairs/merge_vlads.h"

#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/files/output_file.h"
#include "io/json/json.h"
#include "io/results/part_items.h"
#include "octavo/error.h"
#include "octavo/multiview/choose_pairs.h"
#include "octavo/retrieval.h"

namespace octavo {

static_assert(std::endian::native == std::endian::little, "parts have the machine's numbers");

std::string bytes_of_vlad(std::span<const std::int16_t> vlad) {
  return {reinterpret_cast<const char*>(vlad.data()), vlad.size_bytes()};
}

namespace {

// The list of pairs that the items of all parts make.
std::string list_of(std::span<const Part> parts) try {
  const Json settings = parse_json(parts.front().note.settings);
  const auto neighbours = settings.at("neighbours").get<std::size_t>(),
             augment = settings.at("augment").get<std::size_t>();
  std::vector<std::string> names;
  std::vector<std::vector<std::int16_t>> vlads;
  for (PartItems items = items_in(parts); !items.empty();) {
    const auto item = items.extract(items.begin());
    names.push_back(item.key().substr(placed_name(0, "").size()));
    std::vector<std::int16_t>& vlad = vlads.emplace_back(item.mapped().size() / sizeof(std::int16_t));
    if (vlad.empty() || vlad.size() != vlads.front().size()) refuse_part(parts.front().place);
    std::memcpy(vlad.data(), item.mapped().data(), vlad.size() * sizeof(std::int16_t));
  }
  return pair_list(names, pairs_of_similar(most_similar_images(augmented_vlads(vlads, augment), neighbours)));
} catch (...) {
  rethrow_named(parts.front().place);
}

}  // namespace

void merge_vlads(const std::filesystem::path& to, std::span<const Part> parts) {
  require_ending(std::span(&to, 1), std::array<std::string_view, 1>{".txt"});
  const std::string list = list_of(parts);
  if (list.empty()) throw Error(ErrorCode::file_error, "there are no pairs: fewer than two images have features");
  write_file(to, list);
}

}  // namespace octavo
