# What is installed: the libraries with their headers, what find_package reads, and the program. `cpack -G DEB`
# makes a Debian package of the same files.
#
# Only these have to be built before: `cmake --build FOLDER --target lockstep` is enough.
include(CMakePackageConfigHelpers)

set(cmake_files ${CMAKE_INSTALL_LIBDIR}/cmake/lockstep)
lockstep_standard_library(LOCKSTEP_STANDARD_LIBRARY)
configure_file(${PROJECT_SOURCE_DIR}/cmake/lockstepConfig.cmake.in lockstepConfig.cmake @ONLY)
write_basic_package_version_file(lockstepConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lockstepConfig.cmake ${PROJECT_BINARY_DIR}/lockstepConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/LockstepUser.cmake DESTINATION ${cmake_files})
install(EXPORT lockstepTargets NAMESPACE lockstep:: DESTINATION ${cmake_files})

# <lockstep/judge/judge.hpp> and "campaign/campaign.hpp" are below include/lockstep, because include/campaign could be the
# folder of another library.
install(DIRECTORY lockstep campaign programs DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lockstep
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(FILES LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(LOCKSTEP_WITH_GAMES)
  install(TARGETS lockstep RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # The default of --corpus (tools/verbs.hpp).
  install(DIRECTORY corpus DESTINATION ${CMAKE_INSTALL_DATADIR}/lockstep)
endif()
# For the verb gen (programs/planted_program.hpp says where it is looked for).
install(DIRECTORY tools/planter DESTINATION ${CMAKE_INSTALL_DATADIR}/lockstep
        FILES_MATCHING PATTERN "*.py" PATTERN "*.hpp" PATTERN __pycache__ EXCLUDE)
# For pages that judge changed scenarios, if they were built (page/CMakeLists.txt).
install(DIRECTORY ${PROJECT_BINARY_DIR}/share/lockstep/modules DESTINATION ${CMAKE_INSTALL_DATADIR}/lockstep OPTIONAL)

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
  set(CPACK_PACKAGE_CONTACT "The Lockstep authors <lockstep@localhost>")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
  # The libraries contain what they use of fmt, CLI11 and nlohmann_json, so a user's program needs the standard library
  # only. What the program lockstep needs is computed.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libstdc++-12-dev")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "cmake, g++")
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3, clang-19")  # gen --solution
  include(CPack)
endif()
