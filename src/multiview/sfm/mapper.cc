#include "multiview/sfm/mapper.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/process/program.h"
#include "multiview/sfm/child_program.h"
#include "octavo/error.h"

namespace octavo {

extern const std::string_view pycolmap_job_py;

namespace sfm {
namespace {

namespace fs = std::filesystem;
using Kind = SfmMapper::Kind;

constexpr auto how_to_get_one =
    "install COLMAP (apt install colmap, brew install colmap, conda install colmap), or pycolmap (pip install "
    "pycolmap)";

std::string python() {
  const std::string python3 = find_program("python3");
  return python3.empty() ? find_program("python") : python3;
}

bool runs(const std::string& program, const char* statement) {
  return !program.empty() && run_program({program, "-c", statement}, {}, {}, {}).is_success();
}

bool has_pycolmap(const std::string& program) { return runs(program, "import pycolmap"); }

std::string manual_of(const std::string& program, const std::string& command) {
  std::string manual;
  run_program({program, command, "-h"}, {}, [&](std::string_view line) { manual.append(line) += '\n'; }, {});
  return manual;
}

// How a program is called, by its name.
Kind called_as(const std::string& program) {
  const std::string name = fs::path(program).filename().string();
  if (name.find("python") != std::string::npos) return Kind::pycolmap;
  return name.find("glomap") != std::string::npos ? Kind::glomap : Kind::colmap;
}

// The program that holds GLOMAP: its own, or COLMAP 4 or pycolmap 4, which took it in.
std::string find_glomap() {
  for (const char* name : {"glomap", "colmap"}) {
    std::string program = find_program(name);
    if (program.empty()) continue;
    if (called_as(program) == Kind::glomap || manual_of(program, "help").find("global_mapper") != std::string::npos)
      return program;
  }
  const std::string program = python();
  return runs(program, "import pycolmap; pycolmap.global_mapping") ? program : std::string();
}

// Refuses a Python without pycolmap.
SfmMapper with_pycolmap(SfmMapper mapper) {
  if (mapper.kind == Kind::pycolmap && !has_pycolmap(mapper.program)) {
    refuse_mapper(fmt::format("the Python '{}' has no module pycolmap", mapper.program));
  }
  return mapper;
}

SfmMapper any_mapper() {
  for (const Kind kind : {Kind::colmap, Kind::glomap}) {
    const std::string program = find_program(std::string(name_of(kind)));
    if (!program.empty()) return {kind, program};
  }
  const std::string program = python();
  if (has_pycolmap(program)) return {Kind::pycolmap, program};
  refuse_mapper("no mapper is installed: neither colmap nor glomap is in PATH, and python3 has no pycolmap");
}

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

// Threads as COLMAP counts them.
int threads_of(const MapperJob& job) { return job.threads == 0 ? -1 : job.threads; }

std::vector<std::string> colmap_verify(const std::string& program, const MapperJob& job) {
  std::vector<std::string> words{program,
                                 "matches_importer",
                                 "--database_path",
                                 job.database.string(),
                                 "--match_list_path",
                                 job.pairs.string(),
                                 "--match_type",
                                 "pairs"};
  // Pairs that have matches are only verified. The GPU would match, for which COLMAP would open a display.
  append(words, known_options(manual_of(program, "matches_importer"), {{"SiftMatching.use_gpu", 0},
                                                                       {"FeatureMatching.use_gpu", 0},
                                                                       {"SiftMatching.num_threads", threads_of(job)},
                                                                       {"FeatureMatching.num_threads", threads_of(job)},
                                                                       {"TwoViewGeometry.random_seed", job.seed},
                                                                       {"default_random_seed", job.seed},
                                                                       {"random_seed", job.seed}}));
  return words;
}

std::vector<std::string> program_map(const std::string& program, const char* command, const MapperJob& job) {
  std::vector<std::string> words{program,           command,
                                 "--database_path", job.database.string(),
                                 "--image_path",    job.photographs.string(),
                                 "--output_path",   job.output.string()};
  append(words, known_options(manual_of(program, command), {{"Mapper.num_threads", threads_of(job)},
                                                            {"Mapper.random_seed", job.seed},
                                                            {"GlobalMapper.num_threads", threads_of(job)},
                                                            {"GlobalMapper.random_seed", job.seed},
                                                            {"default_random_seed", job.seed},
                                                            {"random_seed", job.seed},
                                                            {"log_to_stderr", 1}}));
  return words;
}

std::vector<std::string> colmap_register(const std::string& program, const MapperJob& job) {
  constexpr auto command = "image_registrator";
  std::vector<std::string> words{program,           command,
                                 "--database_path", job.database.string(),
                                 "--input_path",    job.input.string(),
                                 "--output_path",   job.output.string()};
  append(words, known_options(manual_of(program, command), {{"Mapper.num_threads", threads_of(job)},
                                                            {"Mapper.random_seed", job.seed},
                                                            {"default_random_seed", job.seed},
                                                            {"random_seed", job.seed},
                                                            {"log_to_stderr", 1}}));
  return words;
}

std::vector<std::string> pycolmap_words(const std::string& program, const char* what, const MapperJob& job) {
  return {program, "-u", "-c", std::string(pycolmap_job_py), what, job.database.string()};
}

}  // namespace

void refuse_mapper(const std::string& sentence) {
  throw Error(ErrorCode::file_error, fmt::format("{}: {}", sentence, how_to_get_one));
}

std::vector<std::string> known_options(std::string_view manual,
                                       const std::vector<std::pair<std::string, int>>& wanted) {
  std::vector<std::string> words;
  for (const auto& [name, value] : wanted) {
    if (manual.find(fmt::format("--{} ", name)) == std::string_view::npos) continue;
    append(words, {"--" + name, std::to_string(value)});
  }
  return words;
}

SfmMapper beside_glomap(const SfmMapper& mapper) {
  if (called_as(mapper.program) != Kind::glomap) return {called_as(mapper.program), mapper.program};
  if (const std::string colmap = find_program("colmap"); !colmap.empty()) return {Kind::colmap, colmap};
  if (const std::string program = python(); has_pycolmap(program)) return {Kind::pycolmap, program};
  refuse_mapper("GLOMAP makes models alone, and neither COLMAP nor pycolmap is there");
}

std::vector<std::string> verify_command(const SfmMapper& mapper, const MapperJob& job) {
  const auto& [kind, program] = beside_glomap(mapper);
  if (kind == Kind::colmap) return colmap_verify(program, job);
  std::vector<std::string> words = pycolmap_words(program, "verify", job);
  append(words, {job.pairs.string(), std::to_string(job.threads), std::to_string(job.seed)});
  return words;
}

namespace {

std::vector<std::string> register_command(const SfmMapper& mapper, const MapperJob& job) {
  const auto& [kind, program] = beside_glomap(mapper);
  if (kind == Kind::colmap) return colmap_register(program, job);
  std::vector<std::string> words = pycolmap_words(program, "register", job);
  append(words, {job.input.string(), job.output.string(), std::to_string(job.threads), std::to_string(job.seed)});
  return words;
}

}  // namespace

std::vector<std::string> map_command(const SfmMapper& mapper, const MapperJob& job) {
  if (!job.input.empty()) return register_command(mapper, job);
  const Kind program = called_as(mapper.program);
  const bool is_guest = mapper.kind == Kind::glomap && program != Kind::glomap;
  if (program != Kind::pycolmap) return program_map(mapper.program, is_guest ? "global_mapper" : "mapper", job);
  std::vector<std::string> words = pycolmap_words(mapper.program, is_guest ? "map_global" : "map", job);
  append(words, {job.photographs.string(), job.output.string(), std::to_string(job.threads), std::to_string(job.seed)});
  return words;
}

// COLMAP 3 prints "Registering image #7 (3)", COLMAP 4 "Registering image #7 (num_reg_frames=3)".
std::size_t registered_by(std::string_view line) {
  constexpr std::string_view words = "Registering image #";
  const std::size_t at = line.find(words);
  if (at == std::string_view::npos) return 0;
  const std::size_t open = line.find('(', at), close = line.find(')', at);
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return 0;
  std::string_view inside = line.substr(open + 1, close - open - 1);
  inside.remove_prefix(std::min(inside.find_first_of("0123456789"), inside.size()));
  std::size_t count = 0;
  std::from_chars(inside.data(), inside.data() + inside.size(), count);
  return count;
}

}  // namespace sfm

std::string_view name_of(SfmMapper::Kind kind) {
  constexpr std::array<std::string_view, 3> names{"colmap", "glomap", "pycolmap"};
  return names.at(static_cast<std::size_t>(kind));
}

SfmMapper find_mapper(const SfmOptions& options) {
  using Kind = SfmMapper::Kind;
  const std::string& wanted = options.mapper;
  if (wanted == "auto") return sfm::any_mapper();
  if (wanted == name_of(Kind::glomap)) {
    const std::string program = sfm::find_glomap();
    if (!program.empty()) return {Kind::glomap, program};
    sfm::refuse_mapper(
        "the mapper glomap is not in a folder of PATH, and there is neither COLMAP 4 nor pycolmap 4, which have it");
  }
  if (wanted == name_of(Kind::pycolmap)) {
    const std::string program = sfm::python();
    if (program.empty()) sfm::refuse_mapper("the mapper pycolmap needs python3, which is not in a folder of PATH");
    return sfm::with_pycolmap({Kind::pycolmap, program});
  }
  const std::string program = find_program(wanted);
  if (!program.empty()) return sfm::with_pycolmap({sfm::called_as(program), program});
  sfm::refuse_mapper(wanted == name_of(Kind::colmap)
                         ? "the mapper colmap is not in a folder of PATH"
                         : fmt::format("the mapper '{}' is not a program that can be started", wanted));
}

}  // namespace octavo
