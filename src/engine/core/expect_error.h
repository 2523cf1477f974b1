#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "octavo/error.h"

namespace octavo {

/// Expects that `call` throws an Error with that code, whose message contains `part`.
inline void expect_error(ErrorCode code, const std::string& part, const std::function<void()>& call) {
  try {
    call();
    ADD_FAILURE() << "no error with \"" << part << "\"";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), code);
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

}  // namespace octavo
