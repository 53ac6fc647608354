add_library(swaprig_sanitizers INTERFACE)
if(SWAPRIG_SANITIZE)
  target_compile_options(swaprig_sanitizers INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(swaprig_sanitizers INTERFACE -fsanitize=address,undefined)
endif()
