// octavo completion: prints scripts that complete command lines. They are made from the tree of commands and options
// that parses command lines, so that they always agree with the program.

#include "cli/completion.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/options.h"
#include "octavo/imageio.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(print a shell's completion script

Prints a script with which the shell completes commands, options and values when
the tab key is pressed. Installed packages contain these scripts already.)";

constexpr auto footer = R"~(Examples:
  eval "$(octavo completion bash)"            bash, this session
  octavo completion zsh > ~/.zfunc/_octavo    zsh, a folder of fpath

Exit codes:
  0  done
  2  the call was wrong)~";

}  // namespace

std::vector<std::string> command_path(const CLI::App& command) {
  std::vector<std::string> path;
  for (const CLI::App* app = &command; app != nullptr; app = app->get_parent()) path.push_back(app->get_name());
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<const CLI::App*> command_tree(const CLI::App& command) {
  std::vector<const CLI::App*> tree = {&command};
  for (const CLI::App* child : command.get_subcommands({})) {
    const auto below = command_tree(*child);
    tree.insert(tree.end(), below.begin(), below.end());
  }
  return tree;
}

ValueKind value_kind(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::string name = option.get_name();
  if (name == "--device") return ValueKind::device;
  if (name == "--isa") return ValueKind::isa;
  if (type == "DIR") return ValueKind::folder;
  if (type != "FILE") return ValueKind::other;
  const bool is_picture = option.get_positional() || name == "--mask" || name == "--image-a" || name == "--image-b";
  return is_picture ? ValueKind::picture : ValueKind::file;
}

std::string endings_of_pictures(const CLI::Option& option) {
  std::string endings =
      option.get_positional() && option.get_description().find(".npz") != std::string::npos ? "npz" : "";
  for (const std::string_view ending : picture_endings()) {
    endings += fmt::format("{}{}", endings.empty() ? "" : "|", ending.substr(1));
  }
  return endings;
}

std::string usual_devices(const CLI::Option& option) {
  const std::string every = option.get_default_str() == "all" ? " all" : "";
  return "auto cpu reference cuda:0 cuda:all opencl:0 opencl:all" + every;
}

void add_completion(CLI::App& program) {
  const auto shell = std::make_shared<std::string>();
  CLI::App& command = add_command(program, "completion", description, footer);
  add_words(
      command, "SHELL", {"bash", "zsh"}, [shell](const std::string& name) { *shell = name; }, "The shell.")
      ->required();
  command.callback(
      [shell, &program] { fmt::print("{}", *shell == "bash" ? bash_completion(program) : zsh_completion(program)); });
}

}  // namespace octavo::cli
