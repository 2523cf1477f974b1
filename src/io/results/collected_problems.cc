// What fails is told at once, and stands in the note of a shard.

#include "io/results/collected_problems.h"

namespace octavo::shards {

JobContext collecting(const JobContext& context, std::vector<std::string>& problems) {
  JobContext collecting = context;
  collecting.fail = [&context, &problems](const std::string& sentence) {
    problems.push_back(sentence);
    report_failure(context, sentence);
  };
  return collecting;
}

}  // namespace octavo::shards
