#pragma once

#include <optional>
#include <string>

#include "octavo/io/shard.h"

namespace octavo::cli {

class Command;
class CommandOption;

/// Adds --shard. `items` are what the shards divide, such as "the images". None: the call has no --shard.
CommandOption& add_shard_option(Command& command, std::optional<Shard>& shard, const std::string& items);

}  // namespace octavo::cli
