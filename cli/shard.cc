#include "cli/shard.h"

#include "cli/command_line.h"

namespace octavo::cli {

CommandOption& add_shard_option(Command& command, std::optional<Shard>& shard, const std::string& items) {
  return command.add_option("--shard", [&shard](const std::string& text) { shard = shard_of_text(text); }).about(items);
}

}  // namespace octavo::cli
