// octavo completion: prints scripts that complete command lines. They are made from the tree of commands and options
// that parses command lines, so that they always agree with the program.

#include "cli/completion.h"

#include "cli/command.h"
#include "octavo/io/image_formats.h"

namespace octavo::cli {

std::string filled(std::string_view text, std::initializer_list<std::pair<std::string_view, std::string_view>> values) {
  std::string script(text);
  for (const auto& [name, value] : values) {
    const std::string place = fmt::format("@{}@", name);
    script.replace(script.find(place), place.size(), value);
  }
  return script;
}

std::vector<const Command*> command_tree(const Command& command) {
  std::vector<const Command*> tree = {&command};
  for (const auto& child : command.commands()) {
    const auto below = command_tree(*child);
    tree.insert(tree.end(), below.begin(), below.end());
  }
  return tree;
}

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

std::string first_sentence(const std::string& text) { return text.substr(0, text.find_first_of(".;:")); }

std::string endings_of_images(const CommandOption& option) {
  std::string endings = option.is_argument() && option.description.find(".npz") != std::string::npos ? "npz" : "";
  for (const std::string_view ending : image_endings()) {
    endings += fmt::format("{}{}", endings.empty() ? "" : "|", ending.substr(1));
  }
  return endings;
}

std::string usual_devices(const CommandOption& option) {
  const std::string every = option.shown_default == "all" ? " all" : "";
  return "auto cpu reference cuda:0 cuda:all opencl:0 opencl:all" + every;
}

void define_completion(Command& command) {
  const auto shell = std::make_shared<std::string>();
  add_words(command, "SHELL", {"bash", "zsh", "fish"}, [shell](const std::string& name) { *shell = name; }).required();
  command.action = [shell, &command] {
    const auto script = *shell == "bash" ? bash_completion : *shell == "zsh" ? zsh_completion : fish_completion;
    fmt::print("{}", script(*command.parent()));
    return exit_done;
  };
}

}  // namespace octavo::cli
