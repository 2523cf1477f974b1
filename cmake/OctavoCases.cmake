# What ctest runs: a process a program, not a process a case. Each test leaves an account of its cases, from which ctest's
# last lines name those that failed or were skipped, and why (tests/report_cases.py).
set(octavo_case_accounts ${PROJECT_BINARY_DIR}/Testing/cases)

# octavo_gtest(TEST PROGRAM FILTER filter [COST seconds] [LABELS label...] [ENVIRONMENT variable...]): the cases of a GoogleTest
# program that match the filter. If all of them are skipped, so is the test. COST: ctest begins with the tests that take
# long. Otherwise one of them runs alone at the end.
function(octavo_gtest test program)
  cmake_parse_arguments(ARG "" "FILTER;COST" "LABELS;ENVIRONMENT" ${ARGN})
  add_test(NAME ${test} COMMAND ${program} --gtest_filter=${ARG_FILTER} --gtest_output=xml:${octavo_case_accounts}/${test}.xml)
  set_tests_properties(${test} PROPERTIES TIMEOUT 900 COST "${ARG_COST}" LABELS "${ARG_LABELS}" ENVIRONMENT "${ARG_ENVIRONMENT}"
    SKIP_REGULAR_EXPRESSION "\\[  PASSED  \\] 0 tests\\.\r?\n(\\[  SKIPPED \\][^\n]*\n)+$")
endfunction()

# octavo_pytest(TEST ARGUMENTS argument... [COST seconds] [LABELS label...] [ENVIRONMENT variable...]): a run of pytest in the
# tests' Python environment.
function(octavo_pytest test)
  cmake_parse_arguments(ARG "" "COST" "ARGUMENTS;LABELS;ENVIRONMENT" ${ARGN})
  add_test(NAME ${test} COMMAND ${PROJECT_SOURCE_DIR}/.venv/bin/python -B -m pytest -q -ra
    --junitxml=${octavo_case_accounts}/${test}.xml ${ARG_ARGUMENTS} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${test} PROPERTIES TIMEOUT 1800 COST "${ARG_COST}" LABELS "${ARG_LABELS}" ENVIRONMENT "${ARG_ENVIRONMENT}")
endfunction()

# ctest runs a command before and after all tests, which it takes without arguments.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
foreach(step forget tell)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/Testing/${step}_cases @ONLY CONTENT
    "#!/bin/sh\nexec \"@Python3_EXECUTABLE@\" -B \"@PROJECT_SOURCE_DIR@/tests/report_cases.py\" @step@ \"@octavo_case_accounts@\"\n")
  file(CHMOD ${PROJECT_BINARY_DIR}/Testing/${step}_cases PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/CTestCustom.cmake @ONLY CONTENT
  "set(CTEST_CUSTOM_PRE_TEST \"@PROJECT_BINARY_DIR@/Testing/forget_cases\")\nset(CTEST_CUSTOM_POST_TEST \"@PROJECT_BINARY_DIR@/Testing/tell_cases\")\n")
