# How Octavo's targets are made: one static library per folder of src/, all with the same language level, the same
# warnings, and the floating-point rules that docs/numerics.md promises.

add_library(octavo_build_rules INTERFACE)
target_compile_features(octavo_build_rules INTERFACE cxx_std_20)
target_compile_options(octavo_build_rules INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -ffp-contract=off -fno-math-errno) # one answer on every device: no operation is fused or reordered behind our back
# Which instruction sets Highway compiles: those of docs/numerics.md, the same in every file.
target_compile_definitions(octavo_build_rules INTERFACE
  HWY_WANT_AVX3_DL "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SVE|HWY_SVE_256|HWY_SVE2|HWY_SVE2_128|HWY_RVV)")

# octavo_library(NAME [SOURCES file...] [DEPENDS target...] [PRIVATE_DEPENDS target...])
# Defines octavo_NAME (alias octavo::NAME) from the files of the current folder, and NAME_test from its *_test.cc.
function(octavo_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS;TESTS" ${ARGN})
  if(ARG_SOURCES)
    add_library(octavo_${name} STATIC ${ARG_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(octavo_${name} PRIVATE $<BUILD_INTERFACE:octavo_build_rules> ${ARG_PRIVATE_DEPENDS})
    set_target_properties(octavo_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  else()
    add_library(octavo_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(octavo::${name} ALIAS octavo_${name})
  set_target_properties(octavo_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(octavo_${name} ${scope} cxx_std_20)
  target_include_directories(octavo_${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(octavo_${name} ${scope} ${ARG_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY OCTAVO_LIBRARIES octavo_${name})
  if(OCTAVO_TESTS AND ARG_TESTS)
    octavo_test(${name}_test SOURCES ${ARG_TESTS} DEPENDS octavo::${name})
  endif()
endfunction()

# octavo_test(NAME SOURCES file... [DEPENDS target...]): a GoogleTest program, every case of it known to ctest.
function(octavo_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  include(GoogleTest)
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE octavo_build_rules ${ARG_DEPENDS} GTest::gtest GTest::gtest_main)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 900)
endfunction()
