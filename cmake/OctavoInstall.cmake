# Installs the libraries, the headers, the package files and the licence. Other CMake projects use them through
# find_package(octavo), Makefiles through pkg-config. A project takes the wings that it uses (src/CMakeLists.txt): with the
# engine alone it needs no OpenCV.
#
# Static libraries (the default) are one for each room, and a target for each wing. With BUILD_SHARED_LIBS there are two
# libraries in all, made of the same objects: liboctavo.so is the engine, liboctavo_apps.so all other wings. They export the
# names that include/octavo/ declares (octavo/api.h), with a version, so that two versions can be in one process.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/octavo)
set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}) # a minor version changes the interface while the major is 0

# octavo_shared(NAME OUTPUT room...): the shared library libOUTPUT.so of the objects of several rooms. It links what they
# link outside Octavo. It is built if it is used or installed.
function(octavo_shared name output)
  add_library(octavo_shared_${name} SHARED EXCLUDE_FROM_ALL)
  set_target_properties(octavo_shared_${name} PROPERTIES EXPORT_NAME ${name} OUTPUT_NAME ${output} LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${soversion} INSTALL_RPATH $ORIGIN LINK_DEPENDS ${PROJECT_BINARY_DIR}/exports.map)
  target_compile_features(octavo_shared_${name} INTERFACE cxx_std_20)
  target_include_directories(octavo_shared_${name} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_options(octavo_shared_${name} PRIVATE LINKER:--version-script=${PROJECT_BINARY_DIR}/exports.map)
  if(NOT OCTAVO_SANITIZED) # the program has the sanitizer's functions
    target_link_options(octavo_shared_${name} PRIVATE LINKER:--no-undefined)
  endif()
  foreach(room ${ARGN})
    get_target_property(type ${room} TYPE)
    if(type STREQUAL INTERFACE_LIBRARY)
      continue()
    endif()
    target_sources(octavo_shared_${name} PRIVATE $<TARGET_OBJECTS:${room}>)
    get_target_property(libraries ${room} LINK_LIBRARIES)
    list(FILTER libraries EXCLUDE REGEX "octavo")
    target_link_libraries(octavo_shared_${name} PRIVATE ${libraries})
  endforeach()
endfunction()

# octavo_install_export(EXPORT target...): installs the targets, and the package file of the export octavo-EXPORT.
function(octavo_install_export export)
  install(TARGETS ${ARGN} EXPORT octavo-${export} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT octavo-${export} NAMESPACE octavo:: FILE octavo-${export}-targets.cmake DESTINATION ${package_dir})
endfunction()

# octavo_link_flags(VARIABLE target...): -l flags of the static libraries among the targets, dependents first.
function(octavo_link_flags variable)
  set(flags "")
  foreach(target ${ARGN})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      string(PREPEND flags "-l${target} ")
    endif()
  endforeach()
  set(${variable} ${flags} PARENT_SCOPE)
endfunction()

# octavo_install_pc(WING MODULE REQUIRES LIBRARIES DESCRIPTION): installs MODULE.pc for pkg-config. What shared libraries link
# themselves is no concern of a program. The prefix is relative to the file, so that the installed tree can be moved.
function(octavo_install_pc wing module requires libraries description)
  set(pc_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${pc_dir} OUTPUT_VARIABLE pc_prefix)
  list(JOIN requires ", " requires)
  configure_file(${CMAKE_CURRENT_SOURCE_DIR}/cmake/octavo.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${module}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${module}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# Without videos and scenes the other wings are for the program alone.
set(installs_apps OFF)
if(OCTAVO_APPS AND OCTAVO_VIDEO_AND_SCENES)
  set(installs_apps ON)
elseif(OCTAVO_APPS)
  add_library(octavo::jobs ALIAS octavo_wing_jobs)
endif()

# The rooms are in the order of src/CMakeLists.txt: each library stands after those that it uses.
set(installed_wings "")
set(app_rooms "")
if(installs_apps)
  set(installed_wings io multiview video study jobs)
endif()
foreach(wing engine ${installed_wings})
  get_property(${wing}_rooms GLOBAL PROPERTY OCTAVO_ROOMS_${wing})
  if(NOT wing STREQUAL "engine")
    list(APPEND app_rooms ${${wing}_rooms})
  endif()
endforeach()
get_property(headers GLOBAL PROPERTY OCTAVO_HEADERS)

configure_file(cmake/exports.map.in exports.map @ONLY)
octavo_shared(octavo octavo ${engine_rooms})
if(installs_apps)
  octavo_shared(apps octavo_apps ${app_rooms})
  target_link_libraries(octavo_shared_apps PUBLIC octavo_shared_octavo)
endif()

# The targets that programs link, octavo::octavo (the engine) and octavo::WING, and their modules of pkg-config.
if(BUILD_SHARED_LIBS)
  add_library(octavo::octavo ALIAS octavo_shared_octavo)
  set(installed_engine octavo_shared_octavo)
  octavo_install_pc(engine octavo "" -loctavo "extraction and matching")
else()
  add_library(octavo::octavo ALIAS octavo_wing_engine)
  set_target_properties(octavo_wing_engine PROPERTIES EXPORT_NAME octavo)
  set(installed_engine ${engine_rooms} octavo_wing_engine)
  octavo_link_flags(libraries ${engine_rooms})
  octavo_install_pc(engine octavo "tbb;libhwy" "${libraries}" "extraction and matching")
endif()
octavo_install_export(engine ${installed_engine})

set(installed_apps "")
if(installs_apps)
  if(BUILD_SHARED_LIBS)
    set(installed_apps octavo_shared_apps)
  endif()
  get_target_property(opencv_library opencv_core LOCATION)
  get_filename_component(opencv_libdir ${opencv_library} DIRECTORY)
  get_property(optional_modules GLOBAL PROPERTY OCTAVO_OPTIONAL_MODULES)
  set(io_requires octavo libjpeg libpng libtiff-4 libwebp libwebpdemux libzip hdf5 libexif lcms2 sqlite3 fmt ${optional_modules})
  set(io_libraries -L${opencv_libdir} -lopencv_imgproc -lopencv_core)
  set(multiview_requires octavo-io)
  set(multiview_libraries -L${opencv_libdir} -lopencv_stitching -lopencv_calib3d -lopencv_features2d -lceres -lglog)
  set(video_requires octavo-io)
  set(study_requires octavo-multiview)
  set(jobs_requires octavo-video octavo-study)
  set(io_description "files of images and features")
  set(multiview_description "geometry, alignment, mosaics, structure from motion")
  set(video_description "frames of videos, and what repeats among them")
  set(study_description "how good and how fast features and matches are")
  set(jobs_description "jobs over many items")
  foreach(wing ${installed_wings})
    if(BUILD_SHARED_LIBS)
      add_library(octavo_shared_${wing} INTERFACE)
      target_link_libraries(octavo_shared_${wing} INTERFACE octavo_shared_apps)
      set(target octavo_shared_${wing})
      set(${wing}_requires octavo)
      set(libraries -loctavo_apps)
    else()
      set(target octavo_wing_${wing})
      octavo_link_flags(libraries ${${wing}_rooms})
      list(JOIN ${wing}_libraries " " others)
      string(APPEND libraries ${others})
    endif()
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${wing})
    add_library(octavo::${wing} ALIAS ${target})
    list(APPEND installed_apps ${target})
    if(NOT BUILD_SHARED_LIBS)
      list(APPEND installed_apps ${${wing}_rooms})
    endif()
    octavo_install_pc(${wing} octavo-${wing} "${${wing}_requires}" "${libraries}" "${${wing}_description}")
  endforeach()
  octavo_install_export(apps ${installed_apps})
endif()
if(BUILD_SHARED_LIBS OR (OCTAVO_TESTS AND NOT OCTAVO_SANITIZED AND NOT WIN32)) # the tests look at them
  set_target_properties(octavo_shared_octavo PROPERTIES EXCLUDE_FROM_ALL OFF)
  if(installs_apps)
    set_target_properties(octavo_shared_apps PROPERTIES EXCLUDE_FROM_ALL OFF)
  endif()
endif()

# Builds all that is installed and nothing else.
add_custom_target(octavo_installed)
add_dependencies(octavo_installed ${installed_engine} ${installed_apps})
foreach(program octavo_cli octavo_decode octavo_encode)
  if(TARGET ${program})
    add_dependencies(octavo_installed ${program})
  endif()
endforeach()
if(TARGET octavo_man)
  add_dependencies(octavo_installed octavo_man)
endif()

# What CheckInstall.cmake looks for.
set(built "")
foreach(target ${installed_engine} ${installed_apps} octavo_cli octavo_decode octavo_encode)
  if(TARGET ${target})
    get_target_property(type ${target} TYPE)
    if(type MATCHES "STATIC_LIBRARY|SHARED_LIBRARY|EXECUTABLE")
      string(APPEND built "$<TARGET_FILE:${target}>\n")
    endif()
  endif()
endforeach()
if(TARGET octavo_man)
  string(APPEND built "${PROJECT_BINARY_DIR}/cli/man1/octavo.1\n")
endif()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/installed_files.txt CONTENT "${built}")

foreach(header IN LISTS headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES include/octavo/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/octavo/${folder})
endforeach()
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(cmake/octavo-config.cmake.in octavo-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(octavo-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/octavo-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/octavo-config-version.cmake
  DESTINATION ${package_dir})
if(installs_apps)
  install(FILES cmake/FindOpenCV.cmake DESTINATION ${package_dir})
endif()
