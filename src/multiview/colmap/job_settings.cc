#include "multiview/colmap/job_settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "io/files/content_digest.h"
#include "io/json/json.h"
#include "octavo/error.h"

namespace octavo::colmap {

namespace {

OptionValue value_of(const OptionFacts& option, const Json& json) {
  switch (option.kind) {
    case OptionKind::flag:
      return json.get<bool>();
    case OptionKind::integer:
      return json.get<std::int64_t>();
    case OptionKind::number:
      return json.is_null() ? std::numeric_limits<double>::infinity() : json.get<double>();
    default:
      return json.get<std::string>();
  }
}

template <class Options>
void take(Options& options, const Json& values) {
  const OptionTable<Options>& table = option_table<Options>();
  for (const Option<Options>& option : table.options) {
    if (const Json* const value = values.find(option.name)) table.set(options, option, value_of(option, *value));
  }
}

// Whether a group of options has the values of `now`, or those of `defaults` where it lacks an option.
bool are_equal_options(const Json& stored, const Json& now, const Json& defaults) {
  const auto is_known = [&](const JsonMember& option) { return now.contains(option.name); };
  return std::ranges::all_of(stored.items(), is_known) &&
         std::ranges::all_of(now.items(), [&](const JsonMember& option) {
           const Json* const before = stored.find(option.name);
           if (before != nullptr) return *before == option.value;
           const Json* const usual = defaults.find(option.name);
           return usual != nullptr && *usual == option.value;
         });
}

}  // namespace

void check(const ColmapJob& job) {
  validate(job.options);
  validate(job.robust);
  validate(job.match);
  validate(job.read);
  const auto refuse = [](const std::string& why) { throw Error(ErrorCode::invalid_argument, why); };
  if (const auto same = same_name(job.images)) {
    refuse(fmt::format("{} and {} have the same name in the database, '{}'", same->first.file.string(),
                       same->second.file.string(), same->first.name.string()));
  }
  if (job.features && job.features_rule.empty()) refuse("given features need the rule by which they were made");
  const std::size_t wanted = parameter_count(job.options.camera_model);
  if (!job.camera_params.empty() && job.camera_params.size() != wanted) {
    refuse(
        fmt::format("there are {} camera parameters, but the camera model has {}", job.camera_params.size(), wanted));
  }
  for (const auto& [a, b] : job.pairs) {
    if (std::max(a, b) >= job.images.size() || a == b) refuse("a pair does not name two images of the job");
  }
}

std::string settings_of(const ColmapJob& job) { return settings_of(job, job.features_rule); }

std::string settings_of(const ColmapJob& job, const std::string& features_rule) {
  ColmapOptions options = job.options;
  options.feature_memory = ColmapOptions().feature_memory;  // these two change nothing
  options.gpu_feature_memory = ColmapOptions().gpu_feature_memory;
  std::string settings = features_rule.empty() ? fmt::format("{{\"detector\":{}", json_of(described(job.detector)))
                                               : fmt::format("{{\"features\":{}", json_text(Json(features_rule)));
  settings += fmt::format(",\"match\":{},\"colmap\":{}", json_of(option_table<MatchOptions>(), job.match),
                          json_of(option_table<ColmapOptions>(), options));
  if (options.verify != ColmapOptions::Verify::none) {
    settings += fmt::format(",\"robust\":{}", json_of(option_table<RobustOptions>(), job.robust));
  }
  if (range_text(job.read) != range_text({})) settings += fmt::format(",\"range\":\"{}\"", range_text(job.read));
  if (!job.mask.empty()) {
    settings += fmt::format(",\"mask\":\"{}\"",
                            std::filesystem::is_directory(job.mask) ? "of each image" : content_digest(job.mask));
  }
  std::string params;
  for (const double number : job.camera_params) params += fmt::format("{}{}", params.empty() ? "" : ",", number);
  return settings + fmt::format(",\"camera_params\":[{}]}}", params);
}

std::string features_rule_in(const std::string& settings) {
  return settings.empty() ? "" : parse_json(settings).value("features", std::string());
}

void take_settings(ColmapJob& job, const std::string& settings) {
  const Json known = parse_json(settings);
  const Json& detector = known.at("detector");
  job.detector = detector_options(detector.at("detector").string());
  for (const OptionFacts& option : detector_of(job.detector).options) {
    if (const Json* const value = detector.find(option.name)) {
      set_option(job.detector, option.name, value_of(option, *value));
    }
  }
  take(job.match, known.at("match"));
  take(job.options, known.at("colmap"));
  if (const Json* const robust = known.find("robust")) take(job.robust, *robust);
  job.camera_params = known.at("camera_params").get<std::vector<double>>();
}

bool are_equal_settings(const std::string& stored, const std::string& now) {
  if (stored == now) return true;
  const Json before = shallow_json(stored), after = shallow_json(now);
  if (!before.is_object() || !after.is_object() || before.size() != after.size()) return false;
  ColmapJob usual;
  if (const Json* const detector = after.find("detector")) {
    usual.detector = detector_options(detector->at("detector").string());
  }
  Json defaults = parse_json(settings_of(usual));
  defaults["robust"] = parse_json(json_of(option_table<RobustOptions>(), usual.robust));
  return std::ranges::all_of(after.items(), [&](const JsonMember& group) {
    const Json *const known = before.find(group.name), *const usual_group = defaults.find(group.name);
    if (known == nullptr) return false;
    if (!known->is_object() || !group.value.is_object() || usual_group == nullptr) return *known == group.value;
    return are_equal_options(*known, group.value, *usual_group);
  });
}

std::string range_of_settings(const std::string& settings) {
  return parse_json(settings).value("range", range_text({}));
}

}  // namespace octavo::colmap
