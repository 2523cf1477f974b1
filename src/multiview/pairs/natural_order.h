#pragma once

#include <string_view>

namespace octavo {

/// Whether one name comes before another in the order in which people count: runs of digits compare as numbers, so that
/// "img2" comes before "img10"; '/' comes before all other bytes, so that files of one folder are together; names that
/// are equal then, such as "1" and "01", compare byte by byte.
bool is_naturally_before(std::string_view one, std::string_view other);

}  // namespace octavo
