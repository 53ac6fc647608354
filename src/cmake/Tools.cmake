file(GLOB_RECURSE swaprig_formatted CONFIGURE_DEPENDS
  ${CMAKE_SOURCE_DIR}/src/*.cpp ${CMAKE_SOURCE_DIR}/src/*.hpp
  ${CMAKE_SOURCE_DIR}/tests/*.cpp ${CMAKE_SOURCE_DIR}/tests/*.hpp)
add_custom_target(format COMMAND clang-format -i ${swaprig_formatted} VERBATIM)
file(GLOB_RECURSE swaprig_tidied CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/*.cpp)
add_custom_target(tidy COMMAND clang-tidy -p ${CMAKE_BINARY_DIR} ${swaprig_tidied} VERBATIM)
