#include "bench/gpu/throughput.h"

#include <utility>

#include "bench/peers/timing.h"

namespace octavo::bench {

double stream_milliseconds(Extractor& extractor, const std::vector<Image>& images, std::size_t in_flight,
                           const std::function<void(std::size_t index, Features features)>& take) {
  std::vector<Ticket> tickets(images.size());
  return milliseconds([&] {
    for (std::size_t i = 0; i < images.size() + in_flight; ++i) {
      if (i >= in_flight) take(i - in_flight, extractor.collect(tickets[i - in_flight]));
      if (i < images.size()) tickets[i] = extractor.submit(images[i].view());
    }
  });
}

}  // namespace octavo::bench
