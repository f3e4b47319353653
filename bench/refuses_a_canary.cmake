# A benchmark program that includes a canary must exit with 1, say how it differs, and skip the benchmarks on which it
# differs. An unknown name must exit with 2.
function(run with expected_status expected_output)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LOCKSTEP_WITH=${with} ${BENCH} --smoke
                  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL expected_status)
    message(FATAL_ERROR "LOCKSTEP_WITH=${with}: expected status ${expected_status}, got ${status}\n${output}")
  endif()
  if(NOT output MATCHES "${expected_output}")
    message(FATAL_ERROR "LOCKSTEP_WITH=${with}: expected '${expected_output}' in the output\n${output}")
  endif()
endfunction()

run(canary 1 "ERROR OCCURRED: 'at (the setup|step [0-9]+ of [0-9]+).* (differs in|all implementations break)")
run(nobody_is_called_this 2 "LOCKSTEP_WITH: expected .canary. or one of")
