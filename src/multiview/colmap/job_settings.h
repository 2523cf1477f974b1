#pragma once

#include <string>

#include "octavo/multiview/colmap_job.h"

namespace octavo::colmap {

/// Throws what fill_colmap_database throws for a job that cannot be done.
void check(const ColmapJob& job);

/// All that determines the content of the database besides images and pairs, as JSON.
std::string settings_of(const ColmapJob& job);
/// The same with features of this rule, ColmapJob::features_rule.
std::string settings_of(const ColmapJob& job, const std::string& features_rule);

/// The rule of the features with which a database of such settings was made; empty: a detector made them. Throws
/// Json::exception for another text.
std::string features_rule_in(const std::string& settings);

/// Gives a job the options of such a text, but for those of reading. Throws Json::exception for another text, also
/// without a detector, and Error(invalid_option) or Error(invalid_argument) for options that are not known.
void take_settings(ColmapJob& job, const std::string& settings);

/// Whether a database of settings `stored` holds what a job of settings `now` makes. An option that `stored` lacks is
/// newer than its build and counts as its default, which does what was done before (CONTRIBUTING.md).
bool are_equal_settings(const std::string& stored, const std::string& now);

/// The text of `range_text` for which the settings were made.
std::string range_of_settings(const std::string& settings);

}  // namespace octavo::colmap
