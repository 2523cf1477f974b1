# Installs the libraries, the headers, the package files and the licence. Other CMake projects use them through
# find_package(octavo), Makefiles through pkg-config. The engine and the applications (the parts that need OpenCV) are
# separate exports, so a project that uses only the engine does not need OpenCV. src/CMakeLists.txt assigns each folder to
# a layer.
#
# Static libraries (the default) are one for each folder, and two umbrella targets. With BUILD_SHARED_LIBS there are two
# libraries in all, liboctavo.so and liboctavo_apps.so, made of the same objects. They export the names that
# include/octavo/ declares (octavo/api.h), with a version, so that two versions can be in one process.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/octavo)
set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}) # a minor version changes the interface while the major is 0

# octavo_umbrella(NAME LINK folder...): a target that links the libraries of several folders.
function(octavo_umbrella name)
  add_library(octavo_umbrella_${name} INTERFACE)
  set_target_properties(octavo_umbrella_${name} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(octavo_umbrella_${name} INTERFACE ${ARGN})
endfunction()

# octavo_shared(NAME OUTPUT folder...): the shared library libOUTPUT.so of the objects of several folders. It links what they
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
  foreach(folder ${ARGN})
    get_target_property(type ${folder} TYPE)
    if(type STREQUAL INTERFACE_LIBRARY)
      continue()
    endif()
    target_sources(octavo_shared_${name} PRIVATE $<TARGET_OBJECTS:${folder}>)
    get_target_property(libraries ${folder} LINK_LIBRARIES)
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

# octavo_install_pc(FILE): installs the .pc file made from cmake/FILE.in. Its prefix is relative to the file, so that
# the installed tree can be moved.
function(octavo_install_pc file)
  set(pc_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${pc_dir} OUTPUT_VARIABLE pc_prefix)
  configure_file(${CMAKE_CURRENT_SOURCE_DIR}/cmake/${file}.in ${CMAKE_CURRENT_BINARY_DIR}/${file} @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# Both lists are in the order of src/CMakeLists.txt: each library stands after those that it uses.
get_property(engine_targets GLOBAL PROPERTY OCTAVO_LIBRARIES_engine)
get_property(app_targets GLOBAL PROPERTY OCTAVO_LIBRARIES_apps)
get_property(headers GLOBAL PROPERTY OCTAVO_HEADERS)

configure_file(cmake/exports.map.in exports.map @ONLY)
octavo_umbrella(octavo ${engine_targets})
octavo_shared(octavo octavo ${engine_targets})
if(OCTAVO_APPS)
  octavo_umbrella(apps octavo_umbrella_octavo ${app_targets})
  octavo_shared(apps octavo_apps ${app_targets})
  target_link_libraries(octavo_shared_apps PUBLIC octavo_shared_octavo)
  get_target_property(opencv_library opencv_core LOCATION)
  get_filename_component(opencv_libdir ${opencv_library} DIRECTORY)
  get_property(optional_modules GLOBAL PROPERTY OCTAVO_OPTIONAL_MODULES)
  set(app_modules "libjpeg, libpng, libtiff-4, libwebp, libwebpdemux, libzip, hdf5, libexif, sqlite3, fmt${optional_modules}")
  set(other_libs "-L${opencv_libdir} -lopencv_stitching -lopencv_calib3d -lopencv_features2d -lopencv_imgproc -lopencv_core -lceres -lglog")
endif()

# What the shared libraries link themselves is `private` in the .pc files: pkg-config gives it for static linking alone.
if(BUILD_SHARED_LIBS)
  set(kind octavo_shared)
  set(installed_engine octavo_shared_octavo)
  set(installed_apps octavo_shared_apps)
  set(requires Requires.private)
  set(engine_libs -loctavo)
  set(app_libs -loctavo_apps)
  set(app_private_requires ${app_modules})
  set(app_private_libs ${other_libs})
else()
  set(kind octavo_umbrella)
  set(installed_engine ${engine_targets} octavo_umbrella_octavo)
  set(installed_apps ${app_targets} octavo_umbrella_apps)
  set(requires Requires)
  octavo_link_flags(engine_libs ${engine_targets})
  octavo_link_flags(app_libs ${app_targets})
  set(app_requires ", ${app_modules}")
  string(APPEND app_libs ${other_libs})
endif()

add_library(octavo::octavo ALIAS ${kind}_octavo)
octavo_install_export(engine ${installed_engine})
octavo_install_pc(octavo.pc)
if(OCTAVO_APPS)
  add_library(octavo::apps ALIAS ${kind}_apps)
  octavo_install_export(apps ${installed_apps})
  octavo_install_pc(octavo-apps.pc)
else()
  set(installed_apps "")
endif()
if(BUILD_SHARED_LIBS OR (OCTAVO_TESTS AND NOT OCTAVO_SANITIZED)) # the tests look at them
  set_target_properties(octavo_shared_octavo PROPERTIES EXCLUDE_FROM_ALL OFF)
  if(OCTAVO_APPS)
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
if(TARGET octavo_completion)
  add_dependencies(octavo_installed octavo_completion)
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
if(TARGET octavo_completion)
  foreach(name octavo _octavo)
    string(APPEND built "${PROJECT_BINARY_DIR}/cli/completion/${name}\n")
  endforeach()
endif()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/installed_files.txt CONTENT "${built}")

install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/octavo)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(cmake/octavo-config.cmake.in octavo-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(octavo-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/octavo-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/octavo-config-version.cmake
  DESTINATION ${package_dir})
if(OCTAVO_APPS)
  install(FILES cmake/FindOpenCV.cmake DESTINATION ${package_dir})
endif()
