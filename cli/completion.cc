// octavo completion: prints scripts that complete command lines. They ask the program what may follow a line, which it
// tells from the tree of commands and options that parses command lines. So they always agree with it.

#include "cli/completion.h"

#include <set>

#include "cli/command.h"
#include "cli/manual.h"
#include "jobs/machine_report.h"
#include "octavo/io/image_formats.h"

namespace octavo {

extern const std::string_view bash_completion_txt, fish_completion_txt, zsh_completion_txt;

namespace cli {
namespace {

// Where the last word of a line stands.
struct Place {
  const Command* command;
  const CommandOption* option = nullptr;   // of which it is the value
  std::vector<std::string> operands{};     // of the command, before it
  std::set<const CommandOption*> given{};  // options before it
  bool may_be_option = true;               // no -- stands before it
};

// Adds a word that other words follow.
void add_word(Place& place, const std::string& word) {
  if (place.option != nullptr) {
    place.option = nullptr;
  } else if (place.may_be_option && word == "--") {
    place.may_be_option = false;
  } else if (place.may_be_option && looks_like_option(word)) {
    const std::size_t equals = word.find('=');
    const CommandOption* const option = place.command->find_option(word.substr(0, equals));
    if (option != nullptr && !option->takes_several()) place.given.insert(option);
    const bool value_follows = option != nullptr && !option->is_flag() && equals == std::string::npos;
    if (value_follows) place.option = option;
  } else if (const Command* const child = place.command->find_command(word); child && place.operands.empty()) {
    place = {.command = child};
  } else {
    place.operands.push_back(word);
  }
}

std::string line_of(std::string_view word, std::string_view meaning = "") {
  return fmt::format("{}\t{}\n", word, meaning);
}

std::string lines_of(const std::vector<std::string>& words) {
  std::string lines;
  for (const std::string& word : words) lines += line_of(word);
  return lines;
}

std::string commands_below(const Command* command, std::span<const std::string> names = {}) {
  for (const std::string& name : names) command = command == nullptr ? nullptr : command->find_command(name);
  std::string lines;
  if (command == nullptr) return lines;
  for (const auto& child : command->commands()) lines += line_of(child->name(), summary(*child));
  return lines;
}

// The endings of the files to offer first. Those of `octavo match` include that of features.
std::string endings_of_images(const CommandOption& option) {
  std::string endings = option.is_argument() && option.description.find(".npz") != std::string::npos ? " npz" : "";
  for (const std::string_view ending : image_endings()) endings += fmt::format(" {}", ending.substr(1));
  return endings;
}

// To ask the drivers for their devices would take too long.
std::vector<std::string> usual_devices(const CommandOption& option) {
  std::vector<std::string> names{"auto", "cpu", "reference", "cuda:0", "cuda:all", "opencl:0", "opencl:all"};
  if (option.shown_default == "all") names.emplace_back("all");
  return names;
}

// The files and words that may be the option's value.
std::string values_of(const CommandOption& option, const Place& place) {
  if (!option.choices.empty()) return "none\n" + lines_of(option.choices);
  switch (value_kind(option)) {
    case ValueKind::command:
      return "none\n" + commands_below(place.command->parent(), place.operands);
    case ValueKind::file:
      return "files\n";
    case ValueKind::image:
      return "files" + endings_of_images(option) + "\n";
    case ValueKind::folder:
      return "folders\n";
    case ValueKind::device:
      return "none\n" + lines_of(usual_devices(option));
    case ValueKind::isa:
      return "none\n" + line_of("auto") + lines_of(list_isas());
    case ValueKind::other:
      break;
  }
  return "none\n";
}

std::string options_of(const Place& place) {
  std::string lines = "none\n";
  for (const auto& option : place.command->options()) {
    if (place.given.contains(option.get())) continue;
    const std::string& text = option->description;
    for (const std::string& flag : option->flags) lines += line_of(flag, text.substr(0, text.find_first_of(".;:")));
  }
  return lines;
}

// The argument in whose place the next word is, and in place of the first one also the commands below.
std::string operands_of(const Place& place) {
  const std::vector<const CommandOption*> arguments = place.command->arguments();
  const std::size_t before = place.operands.size();
  const bool repeats = before >= arguments.size() && !arguments.empty() && arguments.back()->takes_several();
  const CommandOption* const argument = before < arguments.size() ? arguments[before]
                                        : repeats                 ? arguments.back()
                                                                  : nullptr;
  const std::string values = argument == nullptr ? "none\n" : values_of(*argument, place);
  return before == 0 ? values + commands_below(place.command) : values;
}

}  // namespace

ValueKind value_kind(const CommandOption& option) {
  const std::string& type = option.type_name;
  const std::string& name = option.name();
  if (name == "--device") return ValueKind::device;
  if (name == "--isa") return ValueKind::isa;
  if (type == "COMMAND") return ValueKind::command;
  if (type == "DIR") return ValueKind::folder;
  if (type != "FILE") return ValueKind::other;
  const bool is_image = option.is_argument() || name == "--mask" || name == "--image-a" || name == "--image-b";
  return is_image ? ValueKind::image : ValueKind::file;
}

std::string completions_of(const Command& program, std::span<const std::string> words) {
  const std::string last = words.empty() ? "" : words.back();
  Place place{.command = &program};
  for (const std::string& word : words.first(words.empty() ? 0 : words.size() - 1)) add_word(place, word);
  const bool is_unknown = !place.operands.empty() && place.command->arguments().empty();
  if (is_unknown) return "none\n";
  if (place.option != nullptr) return values_of(*place.option, place);
  if (!place.may_be_option || !last.starts_with('-')) return operands_of(place);
  const std::size_t equals = last.find('=');
  if (equals == std::string::npos) return options_of(place);
  const CommandOption* const option = place.command->find_option(last.substr(0, equals));
  return option == nullptr ? "none\n" : values_of(*option, place);
}

void define_completion(Command& command) {
  const auto shell = std::make_shared<std::string>();
  add_words(command, "SHELL", {"bash", "zsh", "fish"}, [shell](const std::string& name) { *shell = name; }).required();
  command.action = [shell] {
    fmt::print("{}", *shell == "bash"  ? bash_completion_txt
                     : *shell == "zsh" ? zsh_completion_txt
                                       : fish_completion_txt);
    return exit_done;
  };
}

}  // namespace cli
}  // namespace octavo
