# What every target of the project shares, and the targets that exist once per game.

function(lockstep_common target)
  target_compile_features(${target} PUBLIC cxx_std_23)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
endfunction()

# lockstep_system_NAME: a game's vocabulary and all its simulators.
function(lockstep_game name)
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
       games/${name}.cpp games/${name}_*.cpp reference/${name}.cpp optimized/${name}/*.cpp canaries/${name}.cpp)
  if(sources)
    list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/)
    add_library(lockstep_system_${name} STATIC ${sources})
    target_link_libraries(lockstep_system_${name} PUBLIC lockstep_harness)
    lockstep_common(lockstep_system_${name})
  else()
    add_library(lockstep_system_${name} INTERFACE)
    target_link_libraries(lockstep_system_${name} INTERFACE lockstep_harness)
  endif()
endfunction()

# Makes a target of a source that is compiled once per game: it finds the game behind LOCKSTEP_SYSTEM.
function(lockstep_for_game target name)
  lockstep_common(${target})
  target_compile_definitions(${target} PRIVATE LOCKSTEP_SYSTEM="systems/${name}.hpp" LOCKSTEP_GAME_NAME="${name}"
                             LOCKSTEP_CORPUS="${PROJECT_SOURCE_DIR}/corpus")
  target_link_libraries(${target} PRIVATE lockstep_system_${name})
endfunction()
