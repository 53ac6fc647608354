add_library(swaprig_warnings INTERFACE)
target_compile_options(swaprig_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast
  $<$<BOOL:${SWAPRIG_WERROR}>:-Werror>)
# g++ 12 warns of std::string's own copying when it inlines it (GCC bugs 105329 and 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(swaprig_warnings INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow)
endif()
