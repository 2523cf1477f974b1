#pragma once

#include <span>

#include "io/json/json.h"

namespace octavo {

/// A matrix of three columns, given row by row, as a list of its rows.
inline Json matrix_json(std::span<const double> numbers) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < numbers.size(); i += 3) rows.push_back(numbers.subspan(i, 3));
  return rows;
}

}  // namespace octavo
