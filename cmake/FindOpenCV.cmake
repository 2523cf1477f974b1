# Finds the parts of OpenCV that are asked for. OpenCV's own package file wants all of them: Debian puts it into
# libopencv-dev, which needs VTK. Where that file is missing, the parts are found by their names: targets opencv_PART.

find_package(OpenCV ${OpenCV_FIND_VERSION} CONFIG QUIET COMPONENTS ${OpenCV_FIND_COMPONENTS})
if(OpenCV_FOUND)
  return()
endif()

find_path(OPENCV_INCLUDE_DIR opencv2/core/version.hpp PATH_SUFFIXES opencv4)
mark_as_advanced(OPENCV_INCLUDE_DIR)
set(OpenCV_VERSION "")
if(OPENCV_INCLUDE_DIR)
  file(STRINGS ${OPENCV_INCLUDE_DIR}/opencv2/core/version.hpp numbers REGEX "define CV_VERSION_(MAJOR|MINOR|REVISION) ")
  string(REGEX MATCHALL "[0-9]+" numbers "${numbers}")
  list(JOIN numbers . OpenCV_VERSION)
endif()
foreach(part IN LISTS OpenCV_FIND_COMPONENTS)
  find_library(OPENCV_${part}_LIBRARY opencv_${part})
  mark_as_advanced(OPENCV_${part}_LIBRARY)
  if(OPENCV_INCLUDE_DIR AND OPENCV_${part}_LIBRARY)
    set(OpenCV_${part}_FOUND TRUE)
    if(NOT TARGET opencv_${part})
      add_library(opencv_${part} SHARED IMPORTED)
      set_target_properties(opencv_${part} PROPERTIES IMPORTED_LOCATION ${OPENCV_${part}_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${OPENCV_INCLUDE_DIR})
      if(NOT part STREQUAL "core") # the headers of every part call it
        set_target_properties(opencv_${part} PROPERTIES INTERFACE_LINK_LIBRARIES opencv_core)
      endif()
    endif()
  endif()
endforeach()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenCV REQUIRED_VARS OPENCV_INCLUDE_DIR VERSION_VAR OpenCV_VERSION HANDLE_COMPONENTS)
