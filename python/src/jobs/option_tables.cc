// The option tables of the jobs, for documentation and types.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "jobs/bindings.h"
#include "octavo/jobs/archive_jobs.h"
#include "octavo/jobs/collection_jobs.h"
#include "octavo/jobs/mosaic_jobs.h"
#include "octavo/jobs/video_jobs.h"
#include "option_values.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

nb::dict option_tables() {
  nb::dict tables;
  tables["affinity"] = dict_of_table<AffinityOptions>();
  tables["blend"] = dict_of_table<BlendOptions>();
  tables["colmap"] = dict_of_table<ColmapOptions>();
  tables["mosaic"] = dict_of_table<MosaicOptions>();
  tables["pairs"] = dict_of_table<PairOptions>();
  tables["panorama"] = dict_of_table<PanoramaOptions>();
  tables["places"] = dict_of_table<PlaceOptions>();
  tables["read"] = dict_of_table<ReadOptions>();
  tables["recurring"] = dict_of_table<RecurringOptions>();
  tables["report"] = dict_of_table<ReportOptions>();
  tables["review"] = dict_of_table<ReviewOptions>();
  tables["robust"] = dict_of_table<RobustOptions>();
  tables["segment"] = dict_of_table<CopyOptions>();
  tables["sfm"] = dict_of_table<SfmOptions>();
  tables["signature"] = dict_of_table<SignatureOptions>();
  tables["takes"] = dict_of_table<TakeOptions>();
  tables["track"] = dict_of_table<TrackOptions>();
  tables["video"] = dict_of_table<VideoOptions>();
  return tables;
}

}  // namespace

void bind_option_tables_of_jobs(nb::module_& m) {
  m.def("option_tables", &option_tables, "The tables of options of the jobs, by name.");
}

}  // namespace octavo::python
