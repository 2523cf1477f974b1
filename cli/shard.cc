#include "cli/shard.h"

#include <fmt/core.h>

#include "cli/command_line.h"

namespace octavo::cli {

CommandOption& add_shard_option(Command& command, std::optional<Shard>& shard, const std::string& items) {
  return command
      .add_option(
          "--shard", [&shard](const std::string& text) { shard = shard_of_text(text); },
          fmt::format(
              "Do the part I of N of {} alone, such as 3/8. octavo merge joins the parts: the result is that of "
              "one process.",
              items))
      .type_name("I/N")
      .group("Shard options");
}

}  // namespace octavo::cli
