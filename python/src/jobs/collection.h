// The options of a job on a collection of photographs.

#pragma once

#include "octavo/jobs/collection_jobs.h"
#include "option_values.h"

namespace octavo::python {

/// The defaults of `octavo colmap`, and the options that are given.
void set_collection(CollectionJob& job, Keywords& keywords);

}  // namespace octavo::python
