// Makes options of the command line from the rows of the option tables. A few options have another form on the command
// line than in the library.

#include "cli/options.h"

#include <fmt/core.h>

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace octavo::cli {
namespace {

template <typename Number>
Number number_of(const std::string& text) {
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool is_option_name(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::islower(c) || c == '_'; });
}

std::string manual_of(const OptionFacts& option) {
  std::string text = with_flags(option.sentence);
  if (!option.is_bounded) return text;
  text += " Range: " + option_text(option.low) + " to " + option_text(option.high);
  if (option.special) text += ", or " + option_text(*option.special);
  return text + ".";
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

std::string sentence_of(const CLI::App& command, const Error& error) {
  const std::string flag = flag_of(error.option());
  if (error.option().empty() || command.get_option_no_throw(flag) == nullptr) return error.what();
  return fmt::format("{} is {}, but {}", flag, error.value(), error.reason());
}

CLI::Option* add_preset(CLI::App& command, const std::vector<std::string_view>& names,
                        const std::function<void(const std::string&)>& choose) {
  return command
      .add_option_function<std::string>(
          "--preset", choose, "Start from the options of a published system. Options given besides it override it.")
      ->check(CLI::IsMember(std::vector<std::string>(names.begin(), names.end())));
}

CLI::Option* add_option(CLI::App& command, const OptionFacts& option, const std::string& default_value,
                        const std::function<void(const OptionValue&)>& set) {
  const std::string flag = flag_of(option.name), manual = manual_of(option), symbol(option.symbol);
  const auto add = [&](const std::function<void(const std::string&)>& take) {
    return command.add_option_function<std::string>(flag, take, manual)->default_str(default_value);
  };
  CLI::Option* added = nullptr;
  switch (option.kind) {
    case OptionKind::flag:
      added = command.add_flag_callback(
          flag, [set] { set(true); }, manual);
      break;
    case OptionKind::integer:
      added = add([set](const std::string& text) { set(number_of<std::int64_t>(text)); })
                  ->type_name(symbol)
                  ->check(is_number<std::int64_t>());
      break;
    case OptionKind::number:
      added = add([set](const std::string& text) { set(number_of<double>(text)); })
                  ->type_name(symbol)
                  ->check(is_number<double>());
      break;
    case OptionKind::choice:
      added = add([set](const std::string& text) {
                set(text);
              })->check(CLI::IsMember(std::vector<std::string>(option.words.begin(), option.words.end())));
      break;
    case OptionKind::text:
      added = add([set](const std::string& text) { set(text); })->type_name(symbol);
      break;
  }
  return added->group(std::string(option.group));
}

void add_sift_options(CLI::App& command, SiftOptions& options) {
  const OptionTable<SiftOptions>& table = option_table<SiftOptions>();
  std::vector<std::string_view> presets;
  for (const OptionPreset<SiftOptions>& one : table.presets) presets.push_back(one.name);
  add_preset(command, presets, [&table, &options](const std::string& name) {
    options = table.preset(name);
  })->group(std::string(table.options.front().group));
  add_options(command, table, options);
}

void add_trilateral_options(CLI::App& command, TrilateralOptions& options) {
  add_options(command, option_table<TrilateralOptions>(), options);
}

void add_device_options(CLI::App& command, DeviceOptions& options) {
  const OptionTable<DeviceOptions>& table = option_table<DeviceOptions>();
  add_options(command, table, options, {"gpu_memory"});
  // The library counts a GPU's memory in bytes, the command line in MiB.
  constexpr std::size_t bytes_of_mib = std::size_t{1} << 20, most = std::numeric_limits<std::int32_t>::max();
  command
      .add_option_function<std::size_t>(
          "--gpu-memory", [&options](std::size_t mib) { options.gpu_memory = mib * bytes_of_mib; },
          "Memory of a GPU to use at most, in MiB; 0 uses what it has. Range: 0 to 2147483647.")
      ->type_name("MIB")
      ->check(CLI::Range(std::size_t{0}, most).description(""))
      ->default_str("0")
      ->group(std::string(table.find("gpu_memory")->group));
}

void add_match_options(CLI::App& command, MatchOptions& options) {
  const OptionTable<MatchOptions>& table = option_table<MatchOptions>();
  const std::string group(table.options.front().group);
  add_options(command, table, options, {"mutual", "max_distance2"});
  command
      .add_flag_callback(
          "--no-mutual", [&options] { options.mutual = false; },
          "Keep a match even if its point of A is not the nearest of its point of B.")
      ->group(group);
  // The library compares squared distances, which are whole numbers. The command line takes distances.
  static constexpr OptionFacts distance{
      .name = "max_distance",
      .sentence = "Drop matches whose descriptors are farther apart than D.",
      .symbol = "D",
      .low = 0,
      .high = 2886,
      .kind = OptionKind::number,
      .is_bounded = true,
  };
  add_option(command, distance, "no limit", [&options](const OptionValue& value) {
    check_value(distance, value);
    const double limit = std::get<double>(value);
    options.max_distance2 = static_cast<std::uint32_t>(limit * limit);
  })->group(group);
}

void add_robust_options(CLI::App& command, RobustOptions& options) {
  add_options(command, option_table<RobustOptions>(), options);
}

void add_read_options(CLI::App& command, ReadOptions& options) {
  const OptionTable<ReadOptions>& table = option_table<ReadOptions>();
  command
      .add_flag_callback(
          "--no-exif-rotation", [&options] { options.apply_exif_rotation = false; },
          "Take the pixels as they are stored, whatever rotation the camera noted.")
      ->group(std::string(table.options.front().group));
  add_options(command, table, options, {"apply_exif_rotation"});
}

}  // namespace octavo::cli
