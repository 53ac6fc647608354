# swaprig_room(NAME SOURCES ... USES room... LINK target... SEPARATE source...): one static library for one folder
# under src/. Sources named again under SEPARATE are compiled on their own in a unity build, since their private names
# clash with others'.
function(swaprig_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;USES;LINK;SEPARATE" ${ARGN})
  add_library(swaprig_${name} STATIC ${ROOM_SOURCES})
  set_source_files_properties(${ROOM_SEPARATE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(swaprig_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src ${CMAKE_BINARY_DIR}/generated)
  list(TRANSFORM ROOM_USES PREPEND swaprig_)
  target_link_libraries(swaprig_${name}
    PUBLIC ${ROOM_USES}
    PRIVATE ${ROOM_LINK} swaprig_warnings swaprig_sanitizers)
  if(SWAPRIG_SANITIZE)
    target_link_libraries(swaprig_${name} PUBLIC swaprig_sanitizers)
  endif()
endfunction()

# swaprig_unit_test(NAME SOURCES ... USES room... LINK target...): one Catch2 program, one CTest entry, label unit.
function(swaprig_unit_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;USES;LINK" ${ARGN})
  list(TRANSFORM TEST_USES PREPEND swaprig_)
  add_executable(unit_${name} ${TEST_SOURCES})
  target_link_libraries(unit_${name} PRIVATE
    ${TEST_USES} ${TEST_LINK} swaprig_test_support swaprig_warnings swaprig_sanitizers)
  target_precompile_headers(unit_${name} REUSE_FROM swaprig_test_support)
  add_test(NAME unit.${name} COMMAND unit_${name})
  set_tests_properties(unit.${name} PROPERTIES LABELS unit TIMEOUT 120
    ENVIRONMENT "SWAPRIG_SOURCE=${CMAKE_SOURCE_DIR}")
endfunction()
