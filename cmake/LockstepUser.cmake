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
#
# lockstep_add_proof(NAME SOURCE… [PROGRAM PROGRAM] [OPTIONS OPTION…])
#   Adds the program NAME, which proves the claims of the sources (proof/claim.hpp, docs/proving.md). clang-19 compiles
#   them to the IR that is proved, and that IR to code; the rest may be compiled by any compiler. OPTIONS are clang's:
#   those with which the functions are shipped (-O3 unless given), -I, -D. PROGRAM is the program, a target of the
#   project, that judges the scenarios of counterexamples: `PROGRAM replay FILE`.
#   Needs clang-19 and a Lockstep that is installed with its prover; then the target lockstep::prover exists.

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

function(lockstep_add_proof name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" PROGRAM OPTIONS)
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "lockstep_add_proof(${name}): expected the sources of claims after the name")
  endif()
  if(NOT TARGET lockstep::prover)
    message(FATAL_ERROR "lockstep_add_proof(${name}): this Lockstep is installed without its prover; docs/proving.md says "
                        "how to add it. Or call this only if(TARGET lockstep::prover)")
  endif()
  find_program(LOCKSTEP_CLANG clang++-19 DOC "The clang++ 19 that compiles claims")
  if(NOT LOCKSTEP_CLANG)
    message(FATAL_ERROR "lockstep_add_proof(${name}): there is no clang++-19, which compiles claims to LLVM IR")
  endif()
  if(NOT arg_OPTIONS)
    set(arg_OPTIONS -O3)
  endif()
  get_target_property(include lockstep::prover INTERFACE_INCLUDE_DIRECTORIES)
  list(FILTER include EXCLUDE REGEX "INSTALL_INTERFACE")
  list(TRANSFORM include PREPEND -isystem)
  set(replay "")
  if(arg_PROGRAM)
    set(replay REPLAY "'$<TARGET_FILE:${arg_PROGRAM}>' replay")
  endif()
  set(number 0)
  set(claims "")
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    math(EXPR number "${number} + 1")
    lockstep_claims(${name}_claims_${number} ${source} ROOT ${PROJECT_SOURCE_DIR} ${replay} OPTIONS ${arg_OPTIONS} ${include})
    list(APPEND claims ${name}_claims_${number})
  endforeach()
  add_executable(${name})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PRIVATE ${claims} lockstep::prover)
endfunction()

# A claim file as the library TARGET: compiled to IR, which is proved, and that IR to code. Files below ROOT get relative
# names: they are the project's. Specifications may not use code of files whose names begin with KERNELS_IN.
function(lockstep_claims target source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "ROOT;KERNELS_IN;REPLAY" OPTIONS)
  get_filename_component(source ${source} ABSOLUTE)
  set(compiler ${LOCKSTEP_CLANG})
  if(NOT compiler)
    set(compiler ${CMAKE_CXX_COMPILER})
  endif()
  set(bitcode ${CMAKE_CURRENT_BINARY_DIR}/${target}.bc)
  set(code ${CMAKE_CURRENT_BINARY_DIR}/${target}.o)
  add_custom_command(OUTPUT ${bitcode} DEPENDS ${source} DEPFILE ${bitcode}.d
                     # Without a compiler cache: it may change the names of files, which say whose code a line is.
                     COMMAND ${compiler} -std=c++23 ${arg_OPTIONS}
                             -fPIE -gline-tables-only -ffile-prefix-map=${arg_ROOT}/=
                             -DLOCKSTEP_BITCODE="${bitcode}" -DLOCKSTEP_KERNELS_IN="${arg_KERNELS_IN}"
                             -DLOCKSTEP_REPLAY="${arg_REPLAY}" -emit-llvm -c ${source}
                             -o ${bitcode} -MD -MF ${bitcode}.d -MT ${bitcode}
                     VERBATIM)
  add_custom_command(OUTPUT ${code} DEPENDS ${bitcode}
                     COMMAND ${compiler} -O3 -fPIE -Xclang -disable-llvm-passes -c ${bitcode} -o ${code}
                     VERBATIM)
  add_library(${target} INTERFACE)
  target_sources(${target} INTERFACE ${code})
  set_source_files_properties(${code} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
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

# Sets the variable to what is wrong with the compiler: it or its standard library lacks std::expected. Empty: nothing.
function(lockstep_compiler_fault variable)
  include(CheckCXXSourceCompiles)
  set(CMAKE_CXX_STANDARD 23)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  check_cxx_source_compiles("#include <expected>
std::expected<int, int> either;" LOCKSTEP_HAS_EXPECTED)
  set(fault "")
  if(NOT LOCKSTEP_HAS_EXPECTED)
    set(fault "Lockstep needs g++ 12 or clang 19, or later ones; this is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}. Configure a new folder with -DCMAKE_CXX_COMPILER=g++ or clang++-19.")
  endif()
  set(${variable} "${fault}" PARENT_SCOPE)
endfunction()
