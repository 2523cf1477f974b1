#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>

#include "octavo/shard.h"

namespace octavo::cli {

/// Adds --shard. `items` are what the shards divide, such as "the pictures". None: the call has no --shard.
CLI::Option* add_shard_option(CLI::App& command, std::optional<Shard>& shard, const std::string& items);

}  // namespace octavo::cli
