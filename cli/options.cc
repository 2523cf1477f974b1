// Makes options of the command line from the rows of the option tables. A few options have another form on the command
// line than in the library.

#include "cli/options.h"

#include <fmt/core.h>

#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <set>
#include <system_error>

#include "cli/complaint.h"
#include "cli/system.h"
#include "octavo/device.h"
#include "octavo/error.h"
#include "octavo/io/image_formats.h"
#include "octavo/matcher.h"
#include "octavo/multiview/geometry.h"
#include "octavo/sift_options.h"
#include "octavo/trilateral.h"

namespace octavo::cli {
namespace {

[[noreturn]] void refuse_value(const OptionFacts& option, const std::string& value, const std::string& reason) {
  throw Error(ErrorCode::invalid_option, InvalidOption{std::string(option.name), value, reason});
}

bool is_option_name(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::islower(c) || c == '_'; });
}

// The sentence, that of the command's manual before that of the table, the needs and the range. A need is left out
// where the command does not have the needed option.
std::string manual_of(const Command& command, const OptionFacts& option) {
  const std::string own = command.text_of(flag_of(option.name)).sentence;
  std::string text = with_flags(own.empty() ? option.sentence : own);
  for (const OptionNeed& need : option.needs) {
    if (command.find_option(flag_of(need.option)) == nullptr) continue;
    const std::string circumstance = circumstance_of(need);
    constexpr std::string_view without = "without ";
    text += circumstance.starts_with(without) ? " Only with " + circumstance.substr(without.size()) + "."
                                              : " Not " + circumstance + ".";
  }
  if (option.is_bounded) {
    text += " Range: " + option_text(option.low) + " to " + option_text(option.high);
    if (option.special) text += ", or " + option_text(*option.special);
    text += ".";
  }
  return text;
}

// Whether all devices in the list ("cuda:0,cuda:1") are GPUs.
bool are_gpus(const std::string& devices) {
  return std::ranges::all_of(
      split(devices), [](const std::string& name) { return name.starts_with("cuda:") || name.starts_with("opencl:"); });
}

bool is_host(const std::string& device) { return device == "cpu" || device == "reference"; }

// Refuses an option that does nothing on the device.
void refuse_if_unused(std::string_view option, const std::string& device) {
  const bool is_unused = (option == "isa" && (are_gpus(device) || device == "reference")) ||
                         (option == "threads" && device == "reference") || (option == "gpu_memory" && is_host(device));
  if (is_unused) refuse_without_effect(flag_of(option), "with --device " + device);
}

}  // namespace

std::string flag_of(std::string_view option) {
  std::string flag = "--" + std::string(option);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string with_flags(std::string_view sentence) {
  std::string text;
  for (;;) {
    const std::size_t open = sentence.find('`'), close = sentence.find('`', open + 1);
    if (close == std::string_view::npos) return text.append(sentence);
    const std::string_view quoted = sentence.substr(open + 1, close - open - 1);
    text.append(sentence.substr(0, open));
    text += is_option_name(quoted) ? flag_of(quoted) : "`" + std::string(quoted) + "`";
    sentence.remove_prefix(close + 1);
  }
}

std::string sentence_of(const Command& command, const Error& error) {
  const std::string flag = flag_of(error.option());
  if (error.option().empty() || command.find_option(flag) == nullptr) return error.what();
  return fmt::format("{} is {}, but {}", flag, error.value(), error.reason());
}

void refuse_without_effect(std::string_view flag, const std::string& circumstance) {
  throw WrongCall(fmt::format("{} has no effect {}", flag, circumstance));
}

void refuse_if_given(const Command& command, std::string_view flag, const std::string& circumstance) {
  if (command.is_given(flag)) refuse_without_effect(flag, circumstance);
}

void refuse_if_given(const Command& command, std::initializer_list<std::string_view> flags,
                     const std::string& circumstance) {
  for (const std::string_view flag : flags) refuse_if_given(command, flag, circumstance);
}

void refuse_without_gpu(const Command& command, std::string_view flag, const DeviceOptions& options) {
  if (is_host(options.name)) refuse_if_given(command, flag, "with --device " + options.name);
}

void refuse_read_options(const Command& command, const std::string& circumstance) {
  refuse_if_given(command, "--no-exif-rotation", circumstance);
  refuse_options<ReadOptions>(command, circumstance);
}

void require_folder_to_recurse(const Command& command, std::span<const std::string> places) {
  const bool may_have_folders = std::ranges::any_of(places, [](const std::string& place) {
    std::error_code unknown;
    return std::filesystem::is_directory(place, unknown) || place.find_first_of("*?[") != std::string::npos;
  });
  if (!may_have_folders) refuse_if_given(command, "--recursive", "without a folder");
}

std::string circumstance_of(const OptionNeed& unmet) {
  const std::string flag = flag_of(unmet.option);
  if (unmet.is_any_other && unmet.value != "0") return fmt::format("with {} {}", flag, unmet.value);
  if (unmet.is_any_other || unmet.value == "true") return "without " + flag;
  if (unmet.value == "false" || unmet.value == "0") return "with " + flag;  // its value for "not asked for"
  return fmt::format("without {} {}", flag, unmet.value);
}

OptionValue value_of(const OptionFacts& option, const std::string& text) {
  const bool is_integer = option.kind == OptionKind::integer;
  if (!is_integer && option.kind != OptionKind::number) return text;
  char* end = nullptr;
  errno = 0;
  auto number = is_integer ? OptionValue(std::int64_t{std::strtoll(text.c_str(), &end, 10)})
                           : OptionValue(std::strtod(text.c_str(), &end));
  if (text.empty() || std::isspace(static_cast<unsigned char>(text.front())) != 0 || *end != '\0') {
    refuse_value(option, "\"" + text + "\"", is_integer ? "must be a whole number" : "must be a number");
  }
  const bool is_tiny = !is_integer && std::isfinite(std::get<double>(number));
  if (errno != ERANGE || is_tiny) return number;
  // Too large for the type. The nearest number of the type says why it is refused, if the option has a range.
  try {
    check_value(option, number);
  } catch (const Error& error) {
    refuse_value(option, text, std::string(error.reason()));
  }
  refuse_value(option, text, "must be closer to 0");
}

CommandOption& add_words(Command& command, const std::string& name, const std::vector<std::string>& words,
                         const std::function<void(const std::string&)>& choose) {
  const auto take = [=](const std::string& word) {
    if (std::find(words.begin(), words.end(), word) == words.end()) {
      const std::string option = name.starts_with("--") ? name.substr(2) : name;
      refuse_word(option, word, std::vector<std::string_view>(words.begin(), words.end()));
    }
    choose(word);
  };
  CommandOption& added = command.add_option(name, take);
  added.choices = words;
  return added;
}

CommandOption& add_option(Command& command, const OptionFacts& option, const std::string& default_value,
                          const std::function<void(const OptionValue&)>& set) {
  const std::string flag = flag_of(option.name);
  CommandOption& added =
      option.kind == OptionKind::flag
          ? command.add_flag(flag, [set] { set(true); })
          : command.add_option(flag, [option, set](const std::string& text) { set(value_of(option, text)); });
  if (!added.is_flag()) added.default_str(default_value);
  added.choices.assign(option.words.begin(), option.words.end());
  if (!option.symbol.empty()) added.type_name = option.symbol;
  if (!option.group.empty()) added.group = option.group;
  added.description = manual_of(command, option);
  return added;
}

CommandOption& add_mebibytes(Command& command, OptionFacts option, std::uint64_t bytes,
                             const std::function<void(std::uint64_t)>& take) {
  constexpr int bits = 20;
  option.kind = OptionKind::integer;
  option.is_bounded = true;
  return add_option(command, option, std::to_string(bytes >> bits), [option, take](const OptionValue& value) {
    check_value(option, value);
    take(static_cast<std::uint64_t>(std::get<std::int64_t>(value)) << bits);
  });
}

void add_sift_options(Command& command, SiftOptions& options, std::initializer_list<std::string_view> left_out) {
  const OptionTable<SiftOptions>& table = option_table<SiftOptions>();
  std::vector<std::string> presets;
  for (const OptionPreset<SiftOptions>& one : table.presets) presets.emplace_back(one.name);
  add_words(command, "--preset", presets,
            [&table, &options](const std::string& name) { options = table.preset(name); });
  add_options(command, options, left_out);
  command.check = [&command, &options] { require_effects(command, options); };
}

void add_device_options(Command& command, DeviceOptions& options) {
  const OptionTable<DeviceOptions>& table = option_table<DeviceOptions>();
  // The device is set before the others, since it stands before them in the table.
  for (const Option<DeviceOptions>& option : table.options) {
    if (option.name == "gpu_memory") continue;
    add_option(command, option, option_text(option.read(options, option)),
               [&table, &option, &options](const OptionValue& value) {
                 refuse_if_unused(option.name, options.name);
                 table.set(options, option, value);
               });
  }
  const auto take_memory = [&options](std::uint64_t bytes) {
    refuse_if_unused("gpu_memory", options.name);
    options.gpu_memory = bytes;
  };
  add_mebibytes(command, {.name = "gpu_memory", .low = 0, .high = std::numeric_limits<std::int32_t>::max()}, 0,
                take_memory);
}

void add_match_options(Command& command, MatchOptions& options) {
  add_options(command, options, {"mutual"});
  command.add_flag("--no-mutual", [&options] { options.mutual = false; });
}

void print_warnings(ReadOptions& options) {
  struct Told {
    std::mutex mutex;
    std::set<std::string> sentences;  // a file may be read several times
  };
  options.warning.tell = [told = std::make_shared<Told>()](const std::string& sentence) {
    const std::lock_guard lock(told->mutex);
    if (!told->sentences.insert(sentence).second) return;
    if (is_terminal(stderr)) fmt::print(stderr, "\r\033[K");  // over the line of progress
    complain("warning: " + sentence);
  };
}

void add_read_options(Command& command, ReadOptions& options) {
  print_warnings(options);
  command.add_flag("--no-exif-rotation", [&options] { options.apply_exif_rotation = false; });
  add_options(command, options, {"apply_exif_rotation"});
}

}  // namespace octavo::cli
