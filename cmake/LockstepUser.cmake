# Functions for projects that use Lockstep: available after find_package(lockstep), add_subdirectory or
# FetchContent_MakeAvailable.
#
# A program with all verbs is an ordinary target, so a library under test is linked like any other:
#
#   add_executable(lru lru.cpp)
#   target_link_libraries(lru PRIVATE lockstep::program their_library)
#
# `lru bench` runs the benchmarks of the same file. Implementations are compiled in it, so build type Release matters:
# without a build type CMake does not optimise.
#
# lockstep_add_fuzz_target(NAME SOURCE… [SANITIZERS SANITIZER…])
#   Compiles the program's sources again, as the libFuzzer target NAME. `lru fuzz` runs it too if it is in the program's
#   folder and has the system's name, fuzz_lru. SANITIZERS are address and undefined unless given; "SANITIZERS none" for speed.
#   What the sources need is linked as above: target_link_libraries(NAME PRIVATE their_library). Sanitizers and coverage
#   see the code of that library only if it is compiled with -fsanitize=fuzzer-no-link,address,undefined too.
#   Needs clang: other compilers have no libFuzzer.
#   If the environment variable LIB_FUZZING_ENGINE is set when the project is first configured (OSS-Fuzz and AFL++ do so),
#   NAME links with that engine, by any compiler; sanitizers and coverage are then those of the project's own flags.
#
# lockstep_add_corpus_tests(PROGRAM FOLDER)
#   Adds one CTest case for each scenario file of the folder, PROGRAM.FILE: `PROGRAM replay FILE` must find that all
#   implementations agree. Files that are added later become tests with the next build. A corpus has a folder for each
#   system; give the folder with the .txt files. Call enable_testing() before.

function(lockstep_add_fuzz_target name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" SANITIZERS)
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "lockstep_add_fuzz_target(${name}): expected the program's sources after the name")
  endif()
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_compile_definitions(${name} PRIVATE LOCKSTEP_FUZZ_TARGET)  # the engine has the main function (lockstep.hpp)
  target_link_libraries(${name} PRIVATE lockstep::program)
  set(LOCKSTEP_FUZZING_ENGINE "$ENV{LIB_FUZZING_ENGINE}" CACHE STRING
      "What fuzz targets link with: -fsanitize=fuzzer or a library; nothing: libFuzzer with SANITIZERS")
  if(LOCKSTEP_FUZZING_ENGINE)
    separate_arguments(engine UNIX_COMMAND "${LOCKSTEP_FUZZING_ENGINE}")
    target_link_libraries(${name} PRIVATE ${engine})
    return()
  endif()
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -fsanitize=fuzzer)
  check_cxx_source_compiles("extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, decltype(sizeof 0)) { return 0; }"
                            LOCKSTEP_HAS_LIBFUZZER)
  if(NOT LOCKSTEP_HAS_LIBFUZZER)
    message(FATAL_ERROR "lockstep_add_fuzz_target(${name}): ${CMAKE_CXX_COMPILER} has no libFuzzer (-fsanitize=fuzzer); "
                        "configure with clang++ and its runtime library, or call this only for such a compiler")
  endif()
  if(NOT DEFINED arg_SANITIZERS)
    set(arg_SANITIZERS address undefined)
  endif()
  list(REMOVE_ITEM arg_SANITIZERS none)
  list(PREPEND arg_SANITIZERS fuzzer)
  list(JOIN arg_SANITIZERS "," sanitizers)
  set(flags -fsanitize=${sanitizers} -fno-sanitize-recover=all)
  target_compile_options(${name} PRIVATE ${flags})
  target_link_options(${name} PRIVATE ${flags})
endfunction()

function(lockstep_add_corpus_tests program folder)
  cmake_path(ABSOLUTE_PATH folder NORMALIZE)
  if(NOT IS_DIRECTORY ${folder})
    message(FATAL_ERROR "lockstep_add_corpus_tests(${program}): there is no folder ${folder}")
  endif()
  file(GLOB scenarios CONFIGURE_DEPENDS ${folder}/*.txt)
  foreach(scenario IN LISTS scenarios)
    cmake_path(GET scenario STEM LAST_ONLY name)
    add_test(NAME ${program}.${name} COMMAND ${program} replay ${scenario})
  endforeach()
endfunction()

# Sets the variable to the standard library that the project's flags select: libstdc++ or libc++.
function(lockstep_standard_library variable)
  include(CheckCXXSymbolExists)
  check_cxx_symbol_exists(_LIBCPP_VERSION version LOCKSTEP_LIBCXX)
  if(LOCKSTEP_LIBCXX)
    set(${variable} libc++ PARENT_SCOPE)
  else()
    set(${variable} libstdc++ PARENT_SCOPE)
  endif()
endfunction()
