#include "io/results/part_items.h"

#include <fmt/core.h>

#include <cstdint>
#include <fstream>
#include <system_error>
#include <utility>

#include "io/files/output_file.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// Calls `take` with the name and the content of every item in a file, which it may move.
template <class Take>
void for_each_item(const fs::path& file, const Take& take) {
  std::ifstream in(file, std::ios::binary);
  std::error_code unknown;
  const std::uintmax_t bytes = fs::file_size(file, unknown);
  const auto read = [&](std::size_t length) {
    std::string text(length, '\0');
    in.read(text.data(), static_cast<std::streamsize>(length));
    return text;
  };
  std::string note;
  std::size_t items = 0;
  std::getline(in, note) >> items;
  bool is_good = in.get() == '\n';
  for (; is_good && items > 0; --items) {
    std::size_t name_length = 0, length = 0;
    in >> name_length >> length;
    // A damaged length must not ask for any amount of memory.
    is_good = in.get() == '\n' && name_length <= bytes && length <= bytes;
    if (!is_good) break;
    std::string name = read(name_length), content = read(length);
    is_good = in.good();
    if (is_good) take(std::move(name), std::move(content));
  }
  if (!is_good || in.peek() != std::ifstream::traits_type::eof()) refuse_part(file);
}

}  // namespace

std::string placed_name(std::size_t place, std::string_view name) { return fmt::format("{:010} {}", place, name); }

void write_part(const fs::path& file, const PartNote& note, const PartItems& items) {
  OutputFile out(file);
  out.write(fmt::format("{}\n{}\n", json_of(note), items.size()));
  for (const auto& [name, content] : items) {
    out.write(fmt::format("{} {}\n{}", name.size(), content.size(), name));
    out.write(content);
  }
  out.finish();
}

Part part_in_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string line;
  if (!std::getline(in, line) || in.eof()) refuse_part(file);
  return {file.string(), part_note(line, file.string())};
}

PartItems items_in(std::span<const Part> parts) {
  PartItems items;
  std::map<std::string_view, const Part*> owners;
  for (const Part& part : parts) {
    for_each_item(part.place, [&](std::string name, std::string content) {
      const auto [known, is_new] = items.try_emplace(std::move(name), std::move(content));
      const auto owner = owners.emplace(known->first, &part).first;
      if (!is_new && known->second != content) refuse_other_content(owner->second->place, part.place, known->first);
    });
  }
  return items;
}

}  // namespace octavo
