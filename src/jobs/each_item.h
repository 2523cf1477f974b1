#pragma once

#include <cstddef>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include "octavo/error.h"
#include "octavo/progress.h"

namespace octavo::jobs {

/// Does `work` for each item of a list, which has its name as `file`, until it returns false or a stop is requested.
/// What it throws is the failure of that item. Returns whether all had their turn, which `done` counts, with those that
/// `failed`.
template <class Item, class Work>
bool do_each(const std::vector<Item>& items, const JobContext& context, std::size_t& done, std::size_t& failed,
             const Work& work) {
  for (const Item& item : items) {
    if (context.stop.stop_requested()) return false;
    const std::string name = item.file.string();
    report_item(context.progress, name, done, items.size());
    bool goes_on = true;
    try {
      goes_on = work(item);
    } catch (const std::bad_alloc&) {
      ++failed;
      report_failure(context, name + ": out of memory");
    } catch (const std::exception& error) {
      ++failed;
      const auto* const known = dynamic_cast<const Error*>(&error);
      const bool names_file = known != nullptr && known->code() == ErrorCode::file_error;
      report_failure(context, names_file ? error.what() : name + ": " + error.what());
    }
    ++done;
    if (!goes_on) return false;
  }
  return true;
}

}  // namespace octavo::jobs
