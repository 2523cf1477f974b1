# Installs the library of each folder, two umbrella targets, the headers, the package files and the licence. Other CMake
# projects use them through find_package(octavo), Makefiles through pkg-config. The engine and the applications (the
# parts that need OpenCV) are separate exports, so a project that uses only the engine does not need OpenCV.
# src/CMakeLists.txt assigns each folder to a layer.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/octavo)

# octavo_umbrella(NAME LINK folder...): a target that links the libraries of several folders, and its alias in this
# build.
function(octavo_umbrella name)
  add_library(octavo_umbrella_${name} INTERFACE)
  add_library(octavo::${name} ALIAS octavo_umbrella_${name})
  set_target_properties(octavo_umbrella_${name} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(octavo_umbrella_${name} INTERFACE ${ARGN})
endfunction()

# octavo_install_export(EXPORT target...): installs the targets, and the package file of the export octavo-EXPORT.
function(octavo_install_export export)
  install(TARGETS ${ARGN} EXPORT octavo-${export} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
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

octavo_umbrella(octavo ${engine_targets})
octavo_install_export(engine ${engine_targets} octavo_umbrella_octavo)
octavo_link_flags(engine_libs ${engine_targets})
octavo_install_pc(octavo.pc)

if(OCTAVO_APPS)
  octavo_umbrella(apps octavo_umbrella_octavo ${app_targets})
  octavo_install_export(apps ${app_targets} octavo_umbrella_apps)
  octavo_link_flags(app_libs ${app_targets})
  get_target_property(opencv_library opencv_core LOCATION)
  get_filename_component(opencv_libdir ${opencv_library} DIRECTORY)
  get_property(optional_modules GLOBAL PROPERTY OCTAVO_OPTIONAL_MODULES)
  octavo_install_pc(octavo-apps.pc)
endif()

# Builds all that is installed and nothing else.
add_custom_target(octavo_installed)
add_dependencies(octavo_installed ${engine_targets} ${app_targets})
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
foreach(target ${engine_targets} ${app_targets} octavo_cli octavo_decode octavo_encode)
  if(TARGET ${target})
    get_target_property(type ${target} TYPE)
    if(type MATCHES "STATIC_LIBRARY|EXECUTABLE")
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
