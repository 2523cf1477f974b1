// The table of the options of signatures, and the options of queries.

#include "engine/core/option_rows.h"
#include "octavo/video/clip_signature.h"
#include "video/frames/sampling_facts.h"

namespace octavo {

template <>
const OptionTable<SignatureOptions>& option_table<SignatureOptions>() {
  constexpr std::string_view group = "Signature options";
  static const OptionTable<SignatureOptions> table{
      .name = "signature",
      .title = "Signatures of clips",
      .options = {
          option<&SignatureOptions::every>(video::every_facts(group)),
          option<&SignatureOptions::fps>(video::fps_facts(group)),
          option<&SignatureOptions::max_features>({.name = "max_features",
                                                   .group = group,
                                                   .sentence = "Keep at most N features of a frame.",
                                                   .symbol = "N",
                                                   .low = 16,
                                                   .high = 8192}),
          option<&SignatureOptions::doubled>({.name = "doubled",
                                              .group = group,
                                              .sentence = "Search features in the doubled frame too, for small images "
                                                          "in images."}),
          option<&SignatureOptions::words>({.name = "words",
                                            .group = group,
                                            .sentence = "Look each feature up under its W nearest words.",
                                            .symbol = "W",
                                            .low = 1,
                                            .high = 256}),
      }};
  return table;
}

void validate(const SignatureOptions& options) { option_table<SignatureOptions>().validate(options); }

SignatureOptions query_signature_options() { return {.fps = 5, .max_features = 512, .doubled = true, .words = 8}; }

}  // namespace octavo
