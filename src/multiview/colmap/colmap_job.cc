// The job in two steps: features of the images that the database lacks, then matches of the pairs that it lacks.

#include "octavo/multiview/colmap_job.h"

#include "multiview/colmap/feature_source.h"
#include "multiview/colmap/filling.h"
#include "multiview/colmap/job_settings.h"

namespace octavo {

ColmapSummary fill_colmap_database(const std::filesystem::path& database, const ColmapJob& job,
                                   const JobContext& context) {
  colmap::check(job);
  ColmapDatabase filled(database, job.settings.empty() ? colmap::settings_of(job) : job.settings);
  colmap::Filling filling(job, filled, context);
  filling.extract(job.images, colmap::Filling::Cameras::shared);
  if (!filling.is_stopped()) {
    const colmap::FeatureSource source = colmap::features_in(filled);
    filling.match(filling.pairs_in(source), source);
  }
  return filling.finish();
}

}  // namespace octavo
