add_library(swaprig_warnings INTERFACE)
target_compile_options(swaprig_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast
  $<$<BOOL:${SWAPRIG_WERROR}>:-Werror>)
