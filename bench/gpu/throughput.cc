#include "bench/gpu/throughput.h"

#include <utility>

#include "bench/peers/timing.h"
#include "octavo/image.h"

namespace octavo::bench {
namespace {

template <class Collect>
double milliseconds_of_stream(Extractor& extractor, const std::vector<Image>& images, std::size_t in_flight, Keep keep,
                              Pixels pixels, const Collect& collect) {
  std::vector<Ticket> tickets(images.size());
  return milliseconds([&] {
    for (std::size_t i = 0; i < images.size() + in_flight; ++i) {
      if (i >= in_flight) collect(i - in_flight, tickets[i - in_flight]);
      if (i < images.size()) tickets[i] = extractor.submit(images[i].view(), nullptr, keep, pixels);
    }
  });
}

}  // namespace

double stream_milliseconds(Extractor& extractor, const std::vector<Image>& images, std::size_t in_flight, Pixels pixels,
                           const std::function<void(std::size_t index, Features features)>& take) {
  return milliseconds_of_stream(extractor, images, in_flight, Keep::in_host_memory, pixels,
                                [&](std::size_t i, Ticket ticket) { take(i, extractor.collect(ticket)); });
}

double kept_stream_milliseconds(Extractor& extractor, const std::vector<Image>& images, std::size_t in_flight,
                                Pixels pixels) {
  return milliseconds_of_stream(extractor, images, in_flight, Keep::on_device, pixels,
                                [&](std::size_t, Ticket ticket) { extractor.collect_on_device(ticket); });
}

}  // namespace octavo::bench
