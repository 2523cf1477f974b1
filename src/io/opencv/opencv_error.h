#pragma once

#include <opencv2/core.hpp>
#include <string>

#include "octavo/error.h"

namespace octavo {

/// Throws the error that an exception of OpenCV stands for: Error(out_of_memory) or Error(invalid_argument). Its
/// sentence begins with `task`, which says what cannot be done. OpenCV's own texts have several lines, for its
/// developers.
[[noreturn]] inline void throw_error_of(const cv::Exception& exception, const std::string& task) {
  if (exception.code == cv::Error::StsNoMem) {
    throw Error(ErrorCode::out_of_memory, task + ": there is not enough memory");
  }
  throw Error(ErrorCode::invalid_argument, task + ": OpenCV's function " + exception.func + " fails");
}

}  // namespace octavo
