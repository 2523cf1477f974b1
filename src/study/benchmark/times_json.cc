// Times as programs read them: in seconds.

#include "study/benchmark/times_json.h"

#include "study/benchmark/benchmark.h"

namespace octavo {

Json times_json(const std::vector<double>& milliseconds, const std::vector<StageTime>& stages) {
  std::vector<double> seconds;
  for (const double time : milliseconds) seconds.push_back(time / 1000);
  Json of_stages = Json::object();
  for (const StageTime& stage : stages) of_stages[stage.stage] = stage.milliseconds / 1000;
  const Quartiles of_runs = quartiles(seconds);
  return {{"median_seconds", of_runs.median},
          {"q1_seconds", of_runs.q1},
          {"q3_seconds", of_runs.q3},
          {"run_seconds", seconds},
          {"stage_seconds", of_stages}};
}

}  // namespace octavo
