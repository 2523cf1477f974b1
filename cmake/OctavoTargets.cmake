# Functions that define Octavo's targets: wings, and a static library for each of their rooms. All have the same language level, the
# same warnings, and the floating-point rules of docs/numerics.md.

# What differs between systems stands in files of one system: x_posix.cc and x_windows.cc beside x.h.
set(OCTAVO_PLATFORM posix)
if(WIN32)
  set(OCTAVO_PLATFORM windows)
endif()

add_library(octavo_build_rules INTERFACE)
target_compile_features(octavo_build_rules INTERFACE cxx_std_20)
target_compile_options(octavo_build_rules INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -ffp-contract=off -fno-math-errno) # the compiler fuses and reorders no operation: every device gives the same result
# GCC 12 warns of the standard library's own strings, vectors and stop sources,
# where nothing is wrong.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(octavo_build_rules INTERFACE -Wno-array-bounds -Wno-maybe-uninitialized -Wno-stringop-overflow
    -Wno-stringop-overread)
endif()
# The instruction sets that Highway compiles: those of docs/numerics.md, the same in every file. For a sanitizer there is
# one of each vector width.
set(without_isas HWY_SSSE3 HWY_SVE HWY_SVE_256 HWY_SVE2 HWY_SVE2_128 HWY_RVV)
if(OCTAVO_SANITIZED)
  list(APPEND without_isas HWY_SSE4 HWY_AVX3_DL)
endif()
get_target_property(highway_headers hwy::hwy INTERFACE_INCLUDE_DIRECTORIES)
# Those that came after Highway 1.0.3 are left out where they are known.
find_file(OCTAVO_HIGHWAY_ISAS hwy/detect_targets.h HINTS ${highway_headers})
mark_as_advanced(OCTAVO_HIGHWAY_ISAS)
if(OCTAVO_HIGHWAY_ISAS)
  file(STRINGS ${OCTAVO_HIGHWAY_ISAS} known_isas REGEX "^#define HWY_[A-Z0-9_]+ \\(1LL <<")
  foreach(isa HWY_SSE2 HWY_AVX3_ZEN4 HWY_AVX3_SPR HWY_AVX10_2 HWY_NEON_BF16 HWY_NEON_WITHOUT_AES)
    if(known_isas MATCHES "#define ${isa} ")
      list(APPEND without_isas ${isa})
    endif()
  endforeach()
endif()
# Highway 1.0.3 compiles AVX3_DL for AVX-VNNI in place of AVX-512 VNNI. Clang then makes dot products of loops with AVX-VNNI's
# encoding, which Ice Lake and Zen 4 have not: an illegal instruction. GCC makes none of them (./dev portability).
find_file(OCTAVO_HIGHWAY_TARGETS hwy/ops/set_macros-inl.h HINTS ${highway_headers})
mark_as_advanced(OCTAVO_HIGHWAY_TARGETS)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang AND OCTAVO_HIGHWAY_TARGETS)
  file(STRINGS ${OCTAVO_HIGHWAY_TARGETS} avx_vnni REGEX ",vaes,avxvnni,")
  if(avx_vnni)
    list(APPEND without_isas HWY_AVX3_DL)
  endif()
endif()
list(JOIN without_isas | without_isas)
target_compile_definitions(octavo_build_rules INTERFACE HWY_WANT_AVX3_DL "HWY_DISABLED_TARGETS=(${without_isas})")

# The rules of the tests' own code, which computes little: with -O1 its compilation takes a third longer than with -Og, with
# -O3 twice as long. The sanitizers examine the library; in GoogleTest's macros the checks for undefined behaviour would double
# the time of compilation.
add_library(octavo_test_rules INTERFACE)
target_link_libraries(octavo_test_rules INTERFACE octavo_build_rules)
target_compile_options(octavo_test_rules INTERFACE $<$<CONFIG:Release>:-Og>)
if(OCTAVO_SANITIZED)
  target_compile_options(octavo_test_rules INTERFACE -O1 -fno-sanitize=undefined)
endif()

# A library exports what its public headers declare (octavo/api.h). Its objects are the same for static and for shared
# libraries.
set(octavo_hidden_symbols CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)

# octavo_precompiled(NAME HEADERS header... [LINK target...] [PIC]): defines octavo_precompiled_NAME, whose precompiled
# headers the targets of one kind share. They are compiled with the flags of those targets, since the compiler refuses
# others. Each file still includes what it uses: the preset `core` and clang-tidy compile without precompiled headers.
# PIC is that of the libraries, which hide their symbols too.
function(octavo_precompiled name)
  cmake_parse_arguments(ARG "PIC" "" "HEADERS;LINK" ${ARGN})
  set(source ${PROJECT_BINARY_DIR}/precompiled_${name}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(octavo_precompiled_${name} OBJECT EXCLUDE_FROM_ALL ${source})
  target_link_libraries(octavo_precompiled_${name} PRIVATE ${ARG_LINK})
  set_target_properties(octavo_precompiled_${name} PROPERTIES POSITION_INDEPENDENT_CODE ${ARG_PIC})
  if(ARG_PIC)
    set_target_properties(octavo_precompiled_${name} PROPERTIES ${octavo_hidden_symbols})
  endif()
  target_precompile_headers(octavo_precompiled_${name} PRIVATE ${ARG_HEADERS})
endfunction()

set(octavo_standard_headers <algorithm> <array> <cmath> <cstddef> <cstdint> <cstring> <functional> <limits> <memory>
  <optional> <span> <stdexcept> <string> <string_view> <utility> <vector>)
octavo_precompiled(library PIC HEADERS ${octavo_standard_headers} LINK octavo_build_rules)
if(OCTAVO_TESTS)
  include(OctavoCases)
  find_package(GTest REQUIRED)
  octavo_precompiled(test HEADERS ${octavo_standard_headers} <gtest/gtest.h> LINK octavo_test_rules GTest::gtest)
endif()

# Many small files cost the compiler more for the headers than for their own code. So it reads those of a folder together,
# OCTAVO_UNITY at a time: the whole compiles in less than half the time. Each file still includes what it uses:
# `./dev lint` reads it alone. Files of Highway, which compile themselves once for each instruction set, and
# those of the arithmetic (x_maths.h), which has a meaning for each kind of number, stay alone; so does what reads the
# large headers of Ceres, so that an edit of a neighbour does not read them again, and what reads <windows.h>, whose macros
# are for no neighbour.
set(OCTAVO_UNITY 12 CACHE STRING "The number of files of a folder that are compiled together; 1: each alone")

# octavo_readers(HEADER): sets OCTAVO_READERS to a regular expression of the includes from which a file reads this header of
# ours, be it through others.
function(octavo_readers header)
  file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.h
    ${PROJECT_SOURCE_DIR}/src/*.h)
  set(readers "\"${header}\"")
  set(before "")
  while(NOT before STREQUAL headers)
    set(before "${headers}")
    foreach(other IN LISTS headers)
      file(STRINGS ${PROJECT_SOURCE_DIR}/${other} reads REGEX "^#include (${readers})" LIMIT_COUNT 1)
      if(reads)
        list(REMOVE_ITEM headers ${other})
        string(REGEX REPLACE "^(include|src)/(.*)$" "\"\\2\"" include ${other})
        string(APPEND readers "|${include}")
      endif()
    endforeach()
  endwhile()
  set(OCTAVO_READERS "^#include (${readers})" PARENT_SCOPE)
endfunction()

# An image is what most rooms have in common, and few of their files hold one.
octavo_readers(octavo/image.h)

# octavo_unity(TARGET [APART expression]): reads the files of a target together. Those with a line that matches the expression
# are read apart from the others where these are many, so that an edit of what the line includes leaves the others as they are.
function(octavo_unity target)
  if(OCTAVO_UNITY EQUAL 1)
    return()
  endif()
  cmake_parse_arguments(ARG "" "APART" "" ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # Read with others a file is no longer a main file, so that GCC warns of its own types in its own classes.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  set(apart "")
  set(others "")
  foreach(source IN LISTS sources)
    set(file ${CMAKE_CURRENT_SOURCE_DIR}/${source})
    file(STRINGS ${file} stays_alone REGEX "HWY_TARGET_INCLUDE|_maths\\.h\"|<ceres/|<windows\\.h>" LIMIT_COUNT 1)
    if(ARG_APART)
      file(STRINGS ${file} is_apart REGEX "${ARG_APART}" LIMIT_COUNT 1)
    endif()
    if(stays_alone)
      continue()
    elseif(is_apart)
      list(APPEND apart ${source})
    else()
      list(APPEND others ${source})
    endif()
  endforeach()
  list(LENGTH others count)
  if(count LESS 4)
    set(apart ${apart} ${others})
    set(others "")
  endif()
  foreach(kind apart others)
    list(LENGTH ${kind} count)
    math(EXPR batches "(${count} + ${OCTAVO_UNITY} / 2) / ${OCTAVO_UNITY}")
    set(index 0)
    foreach(source IN LISTS ${kind})
      math(EXPR batch "${index} * ${batches} / ${count}")
      math(EXPR index "${index} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${kind}_${batch})
    endforeach()
  endforeach()
endfunction()

# octavo_embedded(FILE): for a source that embeds a text. It is compiled alone, since it alone changes with the text, which
# may be longer than the 65536 characters that standard C++ demands.
function(octavo_embedded file)
  set_source_files_properties(${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
    COMPILE_OPTIONS $<$<CXX_COMPILER_ID:Clang>:-Wno-overlength-strings>)
endfunction()

# octavo_wing(NAME [USES wing...]): the folder NAME of rooms, which use only each other and the wings after USES
# (tests/structure/check_includes.py). octavo_wing_NAME links all of its rooms and those wings.
function(octavo_wing name)
  cmake_parse_arguments(ARG "" "" "USES" ${ARGN})
  set(OCTAVO_WING ${name})
  add_subdirectory(${name})
  get_property(rooms GLOBAL PROPERTY OCTAVO_ROOMS_${name})
  list(TRANSFORM ARG_USES PREPEND octavo_wing_)
  add_library(octavo_wing_${name} INTERFACE)
  target_link_libraries(octavo_wing_${name} INTERFACE ${rooms} ${ARG_USES})
endfunction()

# octavo_library(NAME [FUZZED] [LIGHT] [HEADERS file...] [SOURCES file...] [DEPENDS target...] [PRIVATE_DEPENDS target...]
#   [TESTS file...] [SLOW filter])
# Defines a room of the wing: octavo_NAME (alias octavo::NAME) from the files of the current folder, and NAME_test from TESTS,
# with the filter SLOW of octavo_test. HEADERS are the files of include/octavo that the room implements. Library and headers are
# installed with the wing. FUZZED: tests/fuzz reads as many damaged files with it as a time
# allows, so a sanitizer's build is fast too. LIGHT: it writes files and pages and starts jobs of others, which -O1 does as
# fast, and compiles in less time.
function(octavo_library name)
  cmake_parse_arguments(ARG "FUZZED;LIGHT" "SLOW" "HEADERS;SOURCES;DEPENDS;PRIVATE_DEPENDS;TESTS" ${ARGN})
  if(ARG_SOURCES)
    add_library(octavo_${name} STATIC ${ARG_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(octavo_${name} PRIVATE $<BUILD_INTERFACE:octavo_build_rules> ${ARG_PRIVATE_DEPENDS})
    set_target_properties(octavo_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON ${octavo_hidden_symbols})
    target_precompile_headers(octavo_${name} REUSE_FROM octavo_precompiled_library)
    octavo_unity(octavo_${name} APART "${OCTAVO_READERS}")
    if(ARG_LIGHT)
      target_compile_options(octavo_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
    # The tests of most applications compute little. With -O2 the sanitizers' checks make the compilation of JSON and pages
    # take twice as long.
    if(OCTAVO_SANITIZED AND NOT OCTAVO_WING STREQUAL "engine" AND NOT ARG_FUZZED)
      target_compile_options(octavo_${name} PRIVATE -Og)
    endif()
  else()
    add_library(octavo_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  if(NOT name STREQUAL OCTAVO_WING) # octavo::WING is the wing
    add_library(octavo::${name} ALIAS octavo_${name})
  endif()
  set_target_properties(octavo_${name} PROPERTIES EXPORT_NAME ${OCTAVO_WING}_${name})
  target_compile_features(octavo_${name} ${scope} cxx_std_20)
  target_include_directories(octavo_${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(octavo_${name} ${scope} ${ARG_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY OCTAVO_ROOMS_${OCTAVO_WING} octavo_${name})
  set_property(GLOBAL APPEND PROPERTY OCTAVO_HEADERS ${ARG_HEADERS})
  if(ARG_TESTS AND (OCTAVO_TESTS_OF_APPS OR (OCTAVO_TESTS AND OCTAVO_WING STREQUAL "engine")))
    octavo_test(${name}_test SOURCES ${ARG_TESTS} DEPENDS octavo_${name} SLOW "${ARG_SLOW}")
  endif()
endfunction()

# octavo_test(NAME SOURCES file... [DEPENDS target...] [COST seconds] [SIZES filter] [LARGE filter] [SLOW filter] [ALONE filter]):
# defines a GoogleTest program. The test NAME of ctest runs its cases, but for those that match a filter of these:
#   SIZES  the test NAME.sizes, with the label `sizes`: varies sizes, contents, options and memory, and not threads, so that
#          ThreadSanitizer finds nothing there
#   LARGE  the test NAME.large, with the label `large`: takes large images, which run the same code as small ones, so that the
#          sanitizers find nothing there
#   SLOW   the test NAME.slow, with the label `slow`: is slow by nature, such as an image as long as a limit
#   ALONE  a test and a process for each case, with the label `sizes`: measures the memory of its process
# A filter may be "*". COST: about what the program takes.
function(octavo_test name)
  cmake_parse_arguments(ARG "" "COST;SIZES;LARGE;SLOW;ALONE" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE octavo_test_rules ${ARG_DEPENDS} GTest::gtest GTest::gtest_main)
  target_precompile_headers(${name} REUSE_FROM octavo_precompiled_test)
  octavo_unity(${name})
  set(others ${ARG_SIZES} ${ARG_LARGE} ${ARG_SLOW} ${ARG_ALONE})
  list(JOIN others : others)
  if(NOT others STREQUAL "*")
    octavo_gtest(${name} ${name} FILTER "-${others}" COST "${ARG_COST}")
  endif()
  foreach(label sizes large slow)
    string(TOUPPER ARG_${label} filter)
    if(${filter})
      octavo_gtest(${name}.${label} ${name} FILTER "${${filter}}" COST "${ARG_COST}" LABELS ${label})
    endif()
  endforeach()
  if(ARG_ALONE)
    include(GoogleTest)
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 TEST_FILTER "${ARG_ALONE}" PROPERTIES TIMEOUT 900 LABELS sizes)
  endif()
endfunction()
