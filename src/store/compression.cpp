#include "store/compression.hpp"

#include <zlib.h>

#include "base/assert.hpp"

namespace swaprig::store {

namespace {

/// zlib's deflate gains at most a factor of 1032 (zlib.net/zlib_tech.html): a larger claim is a broken row.
constexpr std::size_t k_most_gain = 1032;

const Bytef* raw(std::string_view bytes) { return reinterpret_cast<const Bytef*>(bytes.data()); }

}  // namespace

std::string compressed(std::string_view text) {
  auto length = compressBound(text.size());
  std::string bytes(length, '\0');
  const int done =
      compress2(reinterpret_cast<Bytef*>(bytes.data()), &length, raw(text), text.size(), Z_BEST_COMPRESSION);
  SWAPRIG_ASSERT(done == Z_OK);  // the buffer is large enough by compressBound
  bytes.resize(length);
  return bytes;
}

std::optional<std::string> decompressed(std::string_view bytes, std::size_t size) {
  if (size / k_most_gain > bytes.size()) return std::nullopt;
  std::string text(size, '\0');
  uLongf length = size;
  const int done = uncompress(reinterpret_cast<Bytef*>(text.data()), &length, raw(bytes), bytes.size());
  if (done != Z_OK || length != size) return std::nullopt;
  return text;
}

}  // namespace swaprig::store
