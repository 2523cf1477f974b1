// The page of `octavo evaluate corners`.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include "io/drawing/page_image.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "study/evaluate/configurations_table.h"
#include "study/evaluate/evaluation_json.h"
#include "study/evaluate/evaluation_page.h"
#include "study/evaluate/metric_tables.h"

namespace octavo {
namespace {

using namespace evaluation;

constexpr std::size_t most_drawn = 40;  // images
constexpr std::size_t few_bars = 20;    // images, of which each has bars

// Marks the best of the shares and of the localisation error. More corners are not better by themselves.
Table marked(Table table, std::size_t first_number) {
  mark_best_of_column(table, first_number + 5, Better::higher);
  mark_best_of_column(table, first_number + 6, Better::higher);
  mark_best_of_column(table, first_number + 7, Better::lower);
  return table;
}

// Small images are enlarged by a whole factor, large ones are reduced, so that marks and pixels can be told apart.
double zoom_of(const ImageView& image) {
  constexpr double usual_side = 800, longest_side = 1400;
  const double longest = std::max(image.width, image.height);
  return longest > longest_side ? longest_side / longest : std::max(1.0, std::floor(usual_side / longest));
}

// The image with the corners of each configuration, or none if it cannot be read any more.
std::vector<PageImage> images_of_corners(const CornerEvaluation& evaluation, const ComparedCorners& compared) {
  std::vector<PageImage> images;
  try {
    const Image image = read_image(evaluation.root / compared.image, evaluation.read);
    for (std::size_t i = 0; i < evaluation.configurations.size(); ++i) {
      const CornerScores& scores = compared.scores[i];
      const Image drawn = draw_corners(image.view(), compared.labelled, compared.detected[i], evaluation.tolerance,
                                       zoom_of(image.view()));
      images.push_back(io::page_image(
          drawn.view(),
          fmt::format("{}, {}: {} found, {} missed, {} false", compared.image.string(),
                      evaluation.configurations[i].name, scores.matched, scores.missed(), scores.false_corners())));
    }
  } catch (const Error&) {
    return {};
  }
  return images;
}

PageSection drawn_section(const CornerEvaluation& evaluation) {
  const std::vector<ComparedCorners>& compared = evaluation.comparison.images;
  PageSection section{
      .heading = "Corners in the images",
      .id = "corners",
      .paragraphs = {"A green circle is a corner that was found, with a line to its label; an orange "
                     "square is a labelled corner that was missed; a magenta cross is a false corner."}};
  for (std::size_t i = 0; i < std::min(compared.size(), most_drawn); ++i) {
    std::vector<PageImage> images = images_of_corners(evaluation, compared[i]);
    std::move(images.begin(), images.end(), std::back_inserter(section.images));
  }
  if (compared.size() > most_drawn) {
    section.paragraphs.push_back(fmt::format("These are the first {} of {} images.", most_drawn, compared.size()));
  }
  return section;
}

PageSection plot_section(std::size_t images) {
  PageSection section{.heading = "Plots", .id = "plots"};
  section.plots.push_back({"precision_recall", "images", "Precision and recall", "A mark for each image."});
  std::vector<PagePlot> bars{
      {"precision", "images", "Precision", "Matched corners over detected corners, for each image."},
      {"recall", "images", "Recall", "Matched corners over labelled corners, for each image."},
      {"localisation_error", "images", "Localisation error",
       "The root of the mean squared distance of the matched pairs, for each image."}};
  if (images > few_bars) {
    section.details.push_back({.summary = fmt::format("Plots of {} images", images), .plots = std::move(bars)});
  } else {
    section.plots.insert(section.plots.end(), bars.begin(), bars.end());
  }
  return section;
}

std::vector<PageDefinition> definitions_of_corners(double tolerance) {
  return {{"labelled, detected", "Corners that a person has labelled, and those of the configuration."},
          {"matched", fmt::format("Pairs of a labelled and a detected corner that are at most {} pixels apart, one to "
                                  "one, the nearest first. (Zhang and Sun 2020: 4 pixels)",
                                  tolerance)},
          {"missed, false", "Labelled and detected corners without a partner."},
          {"precision", "Matched over detected corners, in percent."},
          {"recall", "Matched over labelled corners, in percent."},
          {"error", "Localisation error: the root of the mean squared distance of the matched pairs, in pixels."},
          {"★", "The best number of its column as it is printed."}};
}

}  // namespace

ReportPage corner_page(const CornerEvaluation& evaluation) {
  const CornerComparison& comparison = evaluation.comparison;
  ReportPage page{.subject = PageSubject::corners,
                  .title = "Corners of " + evaluation.root.string(),
                  .json = corner_json(evaluation)};
  PageSection overview{
      .heading = "Overview",
      .id = "overview",
      .paragraphs = {fmt::format("{}, {}. Corners match within {} pixels. Numbers are those of all "
                                 "images together.",
                                 counted(comparison.images.size(), "image"),
                                 counted(evaluation.configurations.size(), "configuration"), evaluation.tolerance)},
      .tables = {marked(corner_table(evaluation.configurations, comparison), 1)}};
  add_notes(overview, comparison.problems, {});
  page.sections.push_back(std::move(overview));
  if (!comparison.images.empty()) {
    page.sections.push_back(drawn_section(evaluation));
    page.sections.push_back(plot_section(comparison.images.size()));
    page.sections.push_back({.heading = "Every image",
                             .id = "images",
                             .tables = {corner_image_table(evaluation.configurations, comparison)}});
  }
  std::string options;
  for (const Configuration& configuration : evaluation.configurations) {
    options += json_text(evaluation::as_json(configuration)) + "\n";
  }
  page.sections.push_back({.heading = "Configurations",
                           .id = "configurations",
                           .tables = {configurations_table(evaluation.configurations)},
                           .details = {{.summary = "Options", .text = options}}});
  page.sections.push_back(
      {.heading = "Definitions", .id = "definitions", .definitions = definitions_of_corners(evaluation.tolerance)});
  return page;
}

}  // namespace octavo
