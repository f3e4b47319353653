# Settings that all targets of the project share, and the targets that exist once per game.

# Use a compiler cache if there is one: switching branches, or building anew in the same folder, then takes seconds. (A
# copy in another folder gains little: precompiled headers contain the folder's path.) The cache must ignore the time
# stamps of precompiled headers (pch_defines, time_macros), and the compiler must not write them.
find_program(LOCKSTEP_CCACHE ccache DOC "A compiler cache; empty: none")
if(LOCKSTEP_CCACHE AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${LOCKSTEP_CCACHE})
endif()

function(lockstep_common target)
  target_compile_features(${target} PUBLIC cxx_std_23)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  if(NOT PROJECT_IS_TOP_LEVEL)
    target_compile_options(${target} PRIVATE -w)  # the user's flags may ask for warnings; those of our sources are ours
    return()
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # g++ 12 warns of overlaps inside the library's own `"text" + string` (GCC bug 105651), and of uninitialised values
    # inside its AVX-512 intrinsics (105593); neither concerns code of this project.
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-uninitialized)
  endif()
endfunction()

# The targets of this tree include everything from its root. Other projects get lockstep/, campaign/ and programs/ only: tests/ or
# tools/ could be folders of theirs too.
set(LOCKSTEP_INCLUDE ${PROJECT_SOURCE_DIR})
if(NOT PROJECT_IS_TOP_LEVEL)
  set(LOCKSTEP_INCLUDE ${PROJECT_BINARY_DIR}/include)
  file(MAKE_DIRECTORY ${LOCKSTEP_INCLUDE})
  foreach(folder lockstep campaign programs)
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${LOCKSTEP_INCLUDE}/${folder} SYMBOLIC)
  endforeach()
endif()

# Optimizes a target for the time that compiling it takes, because nobody waits for its code. With less inlining, campaign/
# compiles in 80 % of the time of -O1 alone, its code is two thirds as large, and tests run a tenth longer.
set(LOCKSTEP_COMPILED_SOON -O1)
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  list(APPEND LOCKSTEP_COMPILED_SOON "SHELL:-mllvm -inline-threshold=25" "SHELL:-mllvm -inlinehint-threshold=25")
endif()
set(LOCKSTEP_COMPILED_SOON "$<$<NOT:$<CONFIG:Debug>>:${LOCKSTEP_COMPILED_SOON}>")

# Makes a library available to other projects, as lockstep::NAME: to those that contain this tree, and to those that use
# an installed copy. Their compilers treat its headers as a system's, so that none of their warnings is about them.
function(lockstep_exported target name)
  add_library(lockstep::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${LOCKSTEP_INCLUDE}>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/lockstep>)
  target_compile_definitions(${target} INTERFACE $<INSTALL_INTERFACE:LOCKSTEP_INSTALLED>)  # lockstep/lockstep.hpp
  if(NOT PROJECT_IS_TOP_LEVEL)
    # Together, the sources of a library compile in a third of the time; those of the user's targets stay apart.
    set_target_properties(${target} PROPERTIES SYSTEM ON UNITY_BUILD ON)
  endif()
  if(LOCKSTEP_INSTALL)
    install(TARGETS ${target} EXPORT lockstepTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endfunction()

# Under libFuzzer and AFL++: coverage of the implementations under test only. Otherwise the judge, the decoding and the reference
# would make up most of the counters. In programs that are no fuzz targets, counters only take time: a tenth of compiling.
function(lockstep_coverage_of_implementations target)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,-]*fuzzer|-fsanitize-coverage=trace-pc-guard")
    target_compile_options(${target} PRIVATE
                           -fsanitize-coverage-allowlist=${PROJECT_SOURCE_DIR}/cmake/coverage_feedback.list)
  endif()
endfunction()

# Precompiles the headers that most sources of a target include: parsing the standard library and the test libraries
# takes half of a fresh build. Not with g++ 12: it treats a precompiled library as code of the project and warns of it,
# and the gain would be a few per cent.
#   lockstep_precompile(TARGET HEADER…)       the target's own set
#   lockstep_precompile(TARGET FROM OTHER)    the set of another target with the same flags
function(lockstep_precompile target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    return()
  endif()
  if("${ARGV1}" STREQUAL FROM)
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${ARGN})
  # When the set changes, the build does not notice: CMake gives the file that lists it an old time stamp.
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir)
  set(before "")
  if(EXISTS ${folder}/precompiled.txt)
    file(READ ${folder}/precompiled.txt before)
  endif()
  if(NOT before STREQUAL "${ARGN}")
    file(REMOVE ${folder}/cmake_pch.hxx.pch)
    file(WRITE ${folder}/precompiled.txt "${ARGN}")
  endif()
endfunction()

# The sources of a game's vocabulary: its laws, features, suggestions and format of problems, but no implementations.
function(lockstep_vocabulary_sources name out)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/games/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/(canaries|roster).cpp$")
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# The targets of one game: lockstep_game_NAME, its vocabulary; lockstep_implementations_NAME, all its registered
# implementations, compiled once, because there are many; lockstep_system_NAME, which registers the game; and a header that
# names it.
function(lockstep_game name)
  lockstep_vocabulary_sources(${name} sources)
  if(sources AND LOCKSTEP_LIBRARY)
    add_library(lockstep_game_${name} INTERFACE)
    target_link_libraries(lockstep_game_${name} INTERFACE ${LOCKSTEP_LIBRARY}/liblockstep_game_${name}.a lockstep_library)
    add_library(lockstep_readers_${name} OBJECT EXCLUDE_FROM_ALL ${sources})
    lockstep_common(lockstep_readers_${name})
    target_compile_options(lockstep_readers_${name} PRIVATE ${LOCKSTEP_COMPILED_SOON})
    lockstep_precompile(lockstep_readers_${name} FROM lockstep_precompiled)
  elseif(sources)
    add_library(lockstep_game_${name} STATIC ${sources})
    add_dependencies(lockstep_archives lockstep_game_${name})
    target_link_libraries(lockstep_game_${name} PUBLIC lockstep_library)
    lockstep_common(lockstep_game_${name})
    lockstep_precompile(lockstep_game_${name} FROM lockstep_precompiled)
    lockstep_coverage_of_implementations(lockstep_game_${name})
  else()
    add_library(lockstep_game_${name} INTERFACE)
    target_link_libraries(lockstep_game_${name} INTERFACE lockstep_library)
  endif()

  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/reference/${name}.cpp
       ${PROJECT_SOURCE_DIR}/optimized/${name}/*.cpp ${PROJECT_SOURCE_DIR}/games/${name}/canaries.cpp)
  set(implementations ${PROJECT_BINARY_DIR}/generated/${name}/implementations.cpp)
  file(CONFIGURE OUTPUT ${implementations} CONTENT "// Written by the build: the one place where ${name}'s implementations are compiled.
#include \"games/${name}/roster.hpp\"
")
  add_library(lockstep_implementations_${name} OBJECT ${implementations} ${sources})
  target_link_libraries(lockstep_implementations_${name} PUBLIC lockstep_game_${name})
  lockstep_common(lockstep_implementations_${name})
  lockstep_precompile(lockstep_implementations_${name} FROM lockstep_precompiled)
  lockstep_coverage_of_implementations(lockstep_implementations_${name})

  # An object library: no symbol refers to the object that registers a system, so a linker would drop it from an archive.
  add_library(lockstep_system_${name} OBJECT ${PROJECT_SOURCE_DIR}/games/${name}/roster.cpp)
  lockstep_common(lockstep_system_${name})
  lockstep_coverage_of_implementations(lockstep_system_${name})
  target_link_libraries(lockstep_system_${name} PUBLIC lockstep_game_${name})
  lockstep_precompile(lockstep_system_${name} FROM lockstep_precompiled)
  if(CMAKE_CXX_FLAGS MATCHES -fsanitize=.*address)
    target_compile_options(lockstep_system_${name} PRIVATE -O1)  # the program is only tested so; fuzz targets are optimized
  endif()

  # ts_tetris is the struct TsTetris of games/ts_tetris/game.hpp.
  string(REPLACE "_" ";" words ${name})
  set(type "")
  foreach(word IN LISTS words)
    string(SUBSTRING ${word} 0 1 initial)
    string(SUBSTRING ${word} 1 -1 rest)
    string(TOUPPER ${initial} initial)
    string(APPEND type ${initial}${rest})
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${name}/game.hpp CONTENT "// Written by the build: the game that this source is compiled for.
#pragma once
#include \"games/${name}/system.hpp\"
namespace lockstep {
using ThisSystem = ${type};
}  // namespace lockstep
")
endfunction()

# Links the core and the vocabularies as objects that this build compiles. They define all that the archives of
# LOCKSTEP_LIBRARY do, so that none of those is linked. The text readers and the formats of problems are in them.
function(lockstep_readers_with_sanitizers target)
  if(LOCKSTEP_LIBRARY)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:lockstep_core>)
    foreach(game IN LISTS ARGN)
      if(TARGET lockstep_readers_${game})
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:lockstep_readers_${game}>)
      endif()
    endforeach()
  endif()
endfunction()

# Links the games with a target, whose code finds them in all_systems() (lockstep/system/any_system.hpp).
function(lockstep_link_games target)
  foreach(game IN LISTS ARGN)
    target_link_libraries(${target} PRIVATE lockstep_system_${game} lockstep_implementations_${game})
  endforeach()
endfunction()

# Makes a program of the objects of a library, which is compiled once, and of games. Ninja links these objects before those
# of the program's own sources, so that implementations register in the order of the roster, even if such a source includes
# some of them. In another order, the test Registry.StartsWithTheOnlyReferenceAndHasAnOptimizedSimulator fails.
function(lockstep_program_of_games target objects)
  add_executable(${target} $<TARGET_OBJECTS:${objects}>)
  lockstep_common(${target})
  lockstep_link_games(${target} ${ARGN})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endfunction()

# Adds a source that is compiled once per game to a target: LOCKSTEP_SYSTEM is a header that defines the game as
# lockstep::ThisSystem; the implementations are linked in and found through the registry.
function(lockstep_for_game target name)
  lockstep_common(${target})
  target_compile_definitions(${target} PRIVATE LOCKSTEP_SYSTEM="${PROJECT_BINARY_DIR}/generated/${name}/game.hpp")
  target_link_libraries(${target} PRIVATE lockstep_implementations_${name} lockstep_game_${name})
endfunction()
