# What is installed, so that somebody else's CMake project can write find_package(octavo) and anybody's Makefile can
# ask pkg-config: the library of each folder, two umbrellas over them, the headers, the package files, the licence.
# The engine (sift, foagdd, trilateral, match, selftest) and the applications (what needs OpenCV) are separate exports: who asks for the
# engine alone needs neither OpenCV nor its package.
include(CMakePackageConfigHelpers)

set(app_pattern "(geometry|imageio|evaluate|dataset|distortion|align|inspect)") # the folders, and the public headers, of the applications
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/octavo)

# octavo_umbrella(NAME LINK folder...): a target, and an alias inside this build, that stands for several.
function(octavo_umbrella name)
  add_library(octavo_umbrella_${name} INTERFACE)
  add_library(octavo::${name} ALIAS octavo_umbrella_${name})
  set_target_properties(octavo_umbrella_${name} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(octavo_umbrella_${name} INTERFACE ${ARGN})
endfunction()

# octavo_install_export(EXPORT FILE target...)
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

# octavo_install_pc(FILE): the .pc file that cmake/FILE.in describes. Its prefix follows the file, so that the
# installed tree can be moved.
function(octavo_install_pc file)
  set(pc_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${pc_dir} OUTPUT_VARIABLE pc_prefix)
  configure_file(${CMAKE_CURRENT_SOURCE_DIR}/cmake/${file}.in ${CMAKE_CURRENT_BINARY_DIR}/${file} @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# OCTAVO_LIBRARIES is in the order of src/CMakeLists.txt: each library after those it uses.
get_property(engine_targets GLOBAL PROPERTY OCTAVO_LIBRARIES)
set(app_targets ${engine_targets})
list(FILTER app_targets INCLUDE REGEX ${app_pattern})
list(FILTER engine_targets EXCLUDE REGEX ${app_pattern})

octavo_umbrella(octavo octavo_sift octavo_foagdd octavo_trilateral octavo_match octavo_selftest)
octavo_install_export(engine ${engine_targets} octavo_umbrella_octavo)
octavo_link_flags(engine_libs ${engine_targets})
octavo_install_pc(octavo.pc)

if(OCTAVO_APPS)
  octavo_umbrella(apps octavo_umbrella_octavo ${app_targets})
  octavo_install_export(apps ${app_targets} octavo_umbrella_apps)
  octavo_link_flags(app_libs ${app_targets})
  get_target_property(opencv_library opencv_core LOCATION)
  get_filename_component(opencv_libdir ${opencv_library} DIRECTORY)
  octavo_install_pc(octavo-apps.pc)
else()
  set(without_app_headers REGEX "${app_pattern}\\.h$" EXCLUDE)
endif()

install(DIRECTORY include/octavo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${without_app_headers})
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(cmake/octavo-config.cmake.in octavo-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(octavo-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/octavo-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/octavo-config-version.cmake
  DESTINATION ${package_dir})
