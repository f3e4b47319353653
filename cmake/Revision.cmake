# Writes FILE with the version and the revision of the tree SOURCE:
#   cmake -DSOURCE=… -DVERSION=… -DFILE=… -P Revision.cmake
#
# The build runs it each time, and the file changes only if the revision does. Only tools/version.cpp includes it.
set(revision "unknown revision")  # of an archive, and of a copy inside another repository
if(EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git --no-optional-locks -c safe.directory=* describe --always --tags --dirty
                  WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE
                  RESULT_VARIABLE failed ERROR_QUIET)
  if(NOT failed)
    set(revision "revision ${described}")
  endif()
endif()
file(CONFIGURE OUTPUT ${FILE} CONTENT "// Written by the build.
#define LOCKSTEP_VERSION \"${VERSION}\"
#define LOCKSTEP_REVISION \"${revision}\"
")
