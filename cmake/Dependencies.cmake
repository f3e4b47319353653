# The libraries that Lockstep depends on: the system's where installed, else a pinned release.
include(FetchContent)

FetchContent_Declare(fmt GIT_REPOSITORY https://github.com/fmtlib/fmt GIT_TAG 9.1.0 FIND_PACKAGE_ARGS)
FetchContent_Declare(CLI11 GIT_REPOSITORY https://github.com/CLIUtils/CLI11 GIT_TAG v2.1.2 FIND_PACKAGE_ARGS)
FetchContent_Declare(nlohmann_json GIT_REPOSITORY https://github.com/nlohmann/json GIT_TAG v3.11.2 FIND_PACKAGE_ARGS)
set(LOCKSTEP_HEADER_LIBRARIES fmt::fmt-header-only CLI11::CLI11 nlohmann_json::nlohmann_json)
foreach(library IN LISTS LOCKSTEP_HEADER_LIBRARIES)
  if(NOT TARGET ${library})  # a project that contains this one may have it already
    string(REGEX REPLACE "::.*" "" name ${library})
    FetchContent_MakeAvailable(${name})
  endif()
endforeach()
find_package(Threads REQUIRED)

if(LOCKSTEP_BENCHMARKS)
  FetchContent_Declare(benchmark GIT_REPOSITORY https://github.com/google/benchmark GIT_TAG v1.7.1 FIND_PACKAGE_ARGS)
  FetchContent_MakeAvailable(benchmark)
endif()

if(LOCKSTEP_TESTS)
  FetchContent_Declare(GTest GIT_REPOSITORY https://github.com/google/googletest GIT_TAG v1.13.0 FIND_PACKAGE_ARGS)
  FetchContent_Declare(rapidcheck GIT_REPOSITORY https://github.com/emil-e/rapidcheck
                       GIT_TAG 08b505829b79c8d47d25b5bc9ea91d0a1bd57a3e FIND_PACKAGE_ARGS)
  FetchContent_MakeAvailable(GTest rapidcheck)
endif()
