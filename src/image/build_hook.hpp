#pragma once

namespace swaprig::image {

/// The text of build_hook.sh, which mmdebstrap runs by sh with the image's root folder as its argument.
const char* build_hook();

}  // namespace swaprig::image
