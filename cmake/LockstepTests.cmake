# Test programs with GoogleTest and RapidCheck.
include(GoogleTest)

# Tests of systems spend their time in implementations, which are compiled elsewhere and optimized; a fresh build spends
# its time compiling tests. Under sanitizers compiling takes three times as long, so optimizing the tests does not pay,
# except for the library's own tests, which contain their implementations. Tests of campaigns wait for processes.
set(LOCKSTEP_OPTIMIZE_unit_TESTS ${LOCKSTEP_COMPILED_SOON})
set(LOCKSTEP_OPTIMIZE_campaign_TESTS -O0)
set(LOCKSTEP_OPTIMIZE_system_TESTS ${LOCKSTEP_OPTIMIZE_unit_TESTS})
if(CMAKE_CXX_FLAGS MATCHES -fsanitize)
  set(LOCKSTEP_OPTIMIZE_system_TESTS -O0)
endif()

# Makes a target a test program: main and golden files of props/, precompiled headers, and one CTest test per test case,
# named PREFIX.SUITE.NAME, so that a failure names the broken law.
# The label decides how it is compiled: `unit` (tests of the library), `campaign`, or a label of the systems' tests.
function(lockstep_tests target prefix label)
  lockstep_test_program(${target} ${label})
  lockstep_discover_tests(${target} ${prefix} ${label})
endfunction()

function(lockstep_test_program target label)
  lockstep_test_sources(${target} ${label})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  set_property(GLOBAL APPEND PROPERTY LOCKSTEP_GOLDEN_TARGETS ${target})
endfunction()

# Sets how the sources of tests are compiled, and what they link.
function(lockstep_test_sources target label)
  lockstep_common(${target})
  lockstep_coverage_of_implementations(${target})
  target_link_libraries(${target} PRIVATE lockstep_props)
  if(label MATCHES "^(unit|campaign)$")
    target_compile_options(${target} PRIVATE ${LOCKSTEP_OPTIMIZE_${label}_TESTS})
    lockstep_precompile(${target} <gtest/gtest.h> <rapidcheck/gtest.h> ${PROJECT_SOURCE_DIR}/lockstep/system/registered.hpp)
  else()
    target_compile_options(${target} PRIVATE ${LOCKSTEP_OPTIMIZE_system_TESTS})
    lockstep_precompile(${target} FROM lockstep_props)
  endif()
endfunction()

# lockstep_discover_tests(TARGET PREFIX LABEL [TEST_FILTER FILTER]): the CTest tests of a test program, or of those of its
# test cases that GoogleTest's filter selects.
function(lockstep_discover_tests target prefix label)
  gtest_discover_tests(${target} TEST_PREFIX ${prefix}. NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       ${ARGN} PROPERTIES LABELS ${label} TIMEOUT 600)
endfunction()
