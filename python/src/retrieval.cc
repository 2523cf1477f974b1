// Visual words, VLADs, and words and codes of descriptors in Python.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "device_features.h"
#include "features.h"
#include "octavo/error.h"
#include "octavo/retrieval.h"
#include "option_values.h"
#include "watch.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

DeviceOptions device_of(const std::string& owner, const nb::dict& given, Watch& watch) {
  DeviceOptions device;
  Keywords keywords(owner, given);
  keywords.set(device);
  keywords.finish();
  device.progress = watch.sink();
  return device;
}

std::vector<std::uint8_t> copied(nb::handle descriptors, const char* what) {
  const AnyArray array = host_array_of(descriptors, what);
  const auto bytes = descriptors_of(array, what);
  return {bytes.begin(), bytes.end()};
}

nb::bytes bytes_of_file(const Vocabulary& vocabulary) {
  const std::vector<std::byte> bytes = encode_vocabulary(vocabulary);
  return nb::bytes(bytes.data(), bytes.size());
}

Vocabulary from_bytes(const nb::bytes& bytes, const std::string& name) {
  return decode_vocabulary({static_cast<const std::byte*>(bytes.data()), bytes.size()}, name);
}

nb::tuple train(nb::handle descriptors, const nb::dict& given, const std::string& origin, nb::object progress) {
  Watch watch(std::move(progress));
  VocabularyOptions options;
  DeviceOptions device;
  Keywords keywords("train_vocabulary", given);
  keywords.set(options);
  keywords.set(device);
  keywords.finish();
  device.progress = watch.sink();
  const AnyArray array = host_array_of(descriptors, "descriptors");
  const auto bytes = descriptors_of(array, "descriptors");
  VocabularyTraining training =
      watch.run([&] { return train_vocabulary(bytes, options, device, origin, device.progress); });
  const std::size_t words = training.counts.size();
  return nb::make_tuple(std::move(training.vocabulary), training.rounds, training.has_settled, training.distance2,
                        numpy_of(std::move(training.counts), {words}));
}

class PyVladEncoder {
 public:
  PyVladEncoder(const Vocabulary& vocabulary, const nb::dict& given, nb::object progress)
      : watch_(std::move(progress)) {
    const DeviceOptions device = device_of("VladEncoder", given, watch_);
    watch_.run([&] { encoder_.emplace(vocabulary, device); });
  }
  nb::ndarray<nb::numpy, std::int16_t> encode(nb::handle descriptors) {
    const AnyArray array = host_array_of(descriptors, "descriptors");
    const auto bytes = descriptors_of(array, "descriptors");
    return vlad(watch_.run([&] { return encoder_->encode(bytes); }));
  }
  nb::ndarray<nb::numpy, std::int16_t> encode_on_device(const DeviceFeatures& features) {
    return vlad(watch_.run([&] { return encoder_->encode(features); }));
  }
  [[nodiscard]] const VladEncoder& encoder() const { return *encoder_; }
  Watch& watch() { return watch_; }

 private:
  static nb::ndarray<nb::numpy, std::int16_t> vlad(std::vector<std::int16_t> numbers) {
    const std::size_t n = numbers.size();
    return numpy_of(std::move(numbers), {n});
  }

  Watch watch_;
  std::optional<VladEncoder> encoder_;
};

class PyQuantiser {
 public:
  PyQuantiser(std::size_t words, const nb::dict& given, nb::object progress)
      : watch_(std::move(progress)), words_(words) {
    const DeviceOptions device = device_of("FeatureQuantiser", given, watch_);
    watch_.run([&] { quantiser_.emplace(words, device); });
  }
  nb::tuple quantise(nb::handle descriptors) {
    const AnyArray array = host_array_of(descriptors, "descriptors");
    const auto bytes = descriptors_of(array, "descriptors");
    return arrays(watch_.run([&] { return quantiser_->quantise(bytes); }));
  }
  nb::tuple quantise_on_device(const DeviceFeatures& features) {
    return arrays(watch_.run([&] { return quantiser_->quantise(features); }));
  }
  [[nodiscard]] const FeatureQuantiser& quantiser() const { return *quantiser_; }
  Watch& watch() { return watch_; }

 private:
  nb::tuple arrays(QuantisedFeatures quantised) const {
    const std::size_t n = quantised.codes.size();
    std::vector<std::uint64_t> codes;
    codes.reserve(2 * n);
    for (const FeatureCode& code : quantised.codes) codes.insert(codes.end(), code.begin(), code.end());
    return nb::make_tuple(numpy_of(std::move(quantised.words), {n, words_}), numpy_of(std::move(codes), {n, 2}));
  }

  Watch watch_;
  std::size_t words_;
  std::optional<FeatureQuantiser> quantiser_;
};

using Vlad = nb::ndarray<const std::int16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const std::int16_t> numbers_of(const Vlad& vlad) { return {vlad.data(), vlad.size()}; }

// For each VLAD of the matrix up to `count` rows of (index, product).
nb::list similar(const nb::ndarray<const std::int16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>& vlads,
                 std::size_t count, const nb::dict& given, nb::object progress) {
  Watch watch(std::move(progress));
  const DeviceOptions device = device_of("most_similar_images", given, watch);
  std::vector<std::vector<std::int16_t>> rows;
  for (std::size_t i = 0; i < vlads.shape(0); ++i) {
    const std::int16_t* const row = vlads.data() + i * vlads.shape(1);
    rows.emplace_back(row, row + vlads.shape(1));
  }
  const auto found = watch.run([&] { return most_similar_images(rows, count, device); });
  nb::list lists;
  for (const std::vector<SimilarImage>& images : found) {
    std::vector<std::int64_t> indices, products;
    for (const SimilarImage& one : images) {
      indices.push_back(static_cast<std::int64_t>(one.image));
      products.push_back(one.product);
    }
    const std::size_t n = images.size();
    lists.append(nb::make_tuple(numpy_of(std::move(indices), {n}), numpy_of(std::move(products), {n})));
  }
  return lists;
}

}  // namespace

void bind_retrieval(nb::module_& m) {
  nb::class_<Vocabulary>(m, "Vocabulary", "See octavo.Vocabulary.")
      .def(
          "__init__",
          [](Vocabulary* self, nb::handle centres, std::string origin) {
            new (self) Vocabulary(copied(centres, "centres"), std::move(origin));
          },
          nb::arg("centres").none(), nb::arg("origin"))
      .def("__len__", &Vocabulary::size)
      .def(
          "equals", [](const Vocabulary& a, const Vocabulary& b) { return a == b; }, nb::arg("other"))
      .def_prop_ro("origin", &Vocabulary::origin)
      .def_prop_ro(
          "centres",
          [](const Vocabulary& v) {
            return numpy_of(std::vector<std::uint8_t>(v.centres().begin(), v.centres().end()),
                            {v.size(), descriptor_length});
          },
          nb::rv_policy::automatic)
      .def("encode", &bytes_of_file);
  m.def("decode_vocabulary", &from_bytes, nb::arg("bytes"), nb::arg("name"));
  m.def("general_vocabulary", [] { return general_vocabulary(); });
  m.def("train_vocabulary", &train, nb::arg("descriptors").none(), nb::arg("options"), nb::arg("origin"),
        nb::arg("progress").none());

  nb::class_<PyVladEncoder>(m, "VladEncoder", nb::type_slots(collectable<PyVladEncoder>), "See octavo.VladEncoder.")
      .def(nb::init<const Vocabulary&, const nb::dict&, nb::object>(), nb::arg("vocabulary"), nb::arg("options"),
           nb::arg("progress").none())
      .def("encode", &PyVladEncoder::encode, nb::arg("descriptors").none())
      .def("encode_on_device", &PyVladEncoder::encode_on_device, nb::arg("features"))
      .def_prop_ro("vocabulary", [](const PyVladEncoder& e) { return e.encoder().vocabulary(); })
      .def_prop_ro("device", [](const PyVladEncoder& e) { return e.encoder().device(); });
  m.def(
      "vlad_product", [](const Vlad& a, const Vlad& b) { return vlad_product(numbers_of(a), numbers_of(b)); },
      nb::arg("a"), nb::arg("b"));
  m.def(
      "vlad_similarity", [](const Vlad& a, const Vlad& b) { return vlad_similarity(numbers_of(a), numbers_of(b)); },
      nb::arg("a"), nb::arg("b"));
  m.def("most_similar_images", &similar, nb::arg("vlads"), nb::arg("count"), nb::arg("options"),
        nb::arg("progress").none());

  nb::class_<PyQuantiser>(m, "FeatureQuantiser", nb::type_slots(collectable<PyQuantiser>),
                          "See octavo.FeatureQuantiser.")
      .def(nb::init<std::size_t, const nb::dict&, nb::object>(), nb::arg("words"), nb::arg("options"),
           nb::arg("progress").none())
      .def("quantise", &PyQuantiser::quantise, nb::arg("descriptors").none())
      .def("quantise_on_device", &PyQuantiser::quantise_on_device, nb::arg("features"))
      .def_prop_ro("device", [](const PyQuantiser& q) { return q.quantiser().device(); });
}

}  // namespace octavo::python
