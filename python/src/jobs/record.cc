#include "jobs/record.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace octavo::python {

std::string describe_record(nb::handle self, const std::vector<const char*>& names) {
  constexpr std::size_t longest = 60;  // of a value
  std::string text = nb::cast<std::string>(self.type().attr("__name__")) + "(";
  for (const char* const name : names) {
    const nb::object value = self.attr(name);
    auto shown =
        nb::cast<std::string>(nb::hasattr(value, "shape") ? nb::str("array of {}").attr("format")(value.attr("shape"))
                                                          : nb::object(nb::repr(value)));
    if (shown.size() > longest) {
      shown =
          nb::hasattr(value, "__len__") ? "<" + std::to_string(nb::len(value)) + ">" : shown.substr(0, longest) + "…";
    }
    text += (text.back() == '(' ? "" : ", ") + std::string(name) + "=" + shown;
  }
  return text + ")";
}

Fraction fraction_of(const Ratio& ratio) {
  return nb::borrow<Fraction>(nb::module_::import_("fractions").attr("Fraction")(ratio.numerator, ratio.denominator));
}

}  // namespace octavo::python
