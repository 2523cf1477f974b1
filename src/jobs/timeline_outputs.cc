#include "jobs/timeline_outputs.h"

#include "io/files/output_file.h"

namespace octavo::jobs {

void write_timelines(const timelines::Timelines& timelines, const TimelineOutputs& outputs, const JobContext& context) {
  if (!outputs.otio.empty()) write_file(outputs.otio, otio_of(timelines));
  if (!outputs.fcpxml.empty()) write_file(outputs.fcpxml, fcpxml_of(timelines));
  if (outputs.edl.empty()) return;
  make_folder(outputs.edl);
  const timelines::EditLists found = edit_lists_of(timelines);
  for (const timelines::EditList& list : found.lists) write_file(outputs.edl / list.file, list.text);
  for (const std::string& sentence : found.left_out) report_failure(context, sentence);
}

}  // namespace octavo::jobs
