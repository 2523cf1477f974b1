#pragma once

// libjpeg ends at an error by a function of the caller, which must not return: it jumps back to the code that called
// libjpeg.

#include <csetjmp>
#include <cstdio>  // jpeglib.h uses FILE

#include <jpeglib.h>

namespace octavo::io {

struct JpegErrors {
  // The first member, so that libjpeg's pointer to it is also a pointer to this struct.
  jpeg_error_mgr base;
  std::jmp_buf jump;
};

[[noreturn]] inline void on_jpeg_error(j_common_ptr info) {
  std::longjmp(reinterpret_cast<JpegErrors*>(info->err)->jump, 1);
}

}  // namespace octavo::io
