// A mosaic as text.

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "io/files/one_line.h"
#include "octavo/jobs/mosaic_jobs.h"

namespace octavo {
namespace jobs {
namespace {

std::string mosaic_pair_text(const MosaicPlan& plan, const MosaicPair& pair) {
  const auto name = [&](int image) { return io::on_one_line(plan.images[static_cast<std::size_t>(image)].name); };
  const std::string_view remark = pair.status == MosaicPairStatus::inconsistent ? ", contradicts the others: not used"
                                  : pair.by_hand                                ? ", set by hand"
                                                                                : "";
  const std::string places = pair.inliers == 0 && pair.patches > 0 ? fmt::format("{} patches agree", pair.patches)
                                                                   : fmt::format("{} matches", pair.inliers);
  return fmt::format("pair         {} - {}: {}, {:.2f} px{}\n", name(pair.a), name(pair.b), places, pair.residual,
                     remark);
}

std::string found_text(const MosaicPlan& plan) {
  const auto placed = std::ranges::count(plan.images, MosaicImageStatus::placed, &MosaicImage::status);
  std::string text =
      fmt::format("images       {} of {}\n", placed, plan.images.size()) +
      fmt::format("model        {}{}\n", word(plan.model), plan.distortion ? " with lens distortion" : "") +
      fmt::format("why          {}\n", plan.why) + fmt::format("projection   {}\n", word(plan.projection)) +
      fmt::format("canvas       {} x {}\n", plan.width, plan.height) +
      fmt::format("residual     {:.2f} px, of held-out matches {:.2f} px\n", plan.residual, plan.held_out);
  if (plan.loop_error) text += fmt::format("loop error   {:.2f} px before the adjustment\n", *plan.loop_error);
  for (const MosaicPair& pair : plan.pairs) {
    const bool is_placed = pair.residual > 0;
    if (pair.status != MosaicPairStatus::unrelated && is_placed) text += mosaic_pair_text(plan, pair);
  }
  return text;
}

}  // namespace
}  // namespace jobs

std::string text_of(const MosaicResult& result) {
  const MosaicPlan& plan = result.plan;
  std::string text = plan.found ? jobs::found_text(plan) : "";
  for (const MosaicImage& image : plan.images) {
    if (image.status != MosaicImageStatus::placed)
      text += fmt::format("left out     {}: {}\n", io::on_one_line(image.name), io::on_one_line(image.reason));
  }
  for (const std::string& warning : plan.warnings) text += fmt::format("warning      {}\n", io::on_one_line(warning));
  return text;
}

}  // namespace octavo
