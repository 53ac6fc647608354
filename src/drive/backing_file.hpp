#pragma once

#include <filesystem>
#include <functional>

#include "base/bytes.hpp"

namespace swaprig::drive {

/// Sizes and positions of O_DIRECT requests are multiples of it on every drive that is sold.
inline constexpr std::uint64_t k_direct_alignment = 4096;

/// Throws HostError unless `needed` bytes are free for us on the file system of `folder`; names both figures.
void require_free_space(const std::filesystem::path& folder, Bytes needed);

/// Writes zeros over `size` bytes from `offset` on in pieces of some MiB; `fd` may be O_DIRECT. `path` is for messages,
/// `progress` gets the bytes written so far and may throw. Throws HostError, on a full file system with what is needed
/// and what is free.
void write_zeros(int fd, Bytes size, const std::filesystem::path& path, const std::function<void(Bytes)>& progress,
                 Bytes offset = {});

/// Reserves the blocks of [0, size); does nothing where the file system cannot.
void reserve_blocks(int fd, Bytes size, const std::filesystem::path& path);

/// Throws HostError when what was written with O_DIRECT is in the host's page cache all the same: tmpfs takes the flag
/// since Linux 6.6 and ignores it.
void require_uncached(const std::filesystem::path& path, const char* moment);

/// Bytes of a file or block device in the host's page cache, whole pages, as fincore(1) counts them. Of devices above
/// 64 GiB on kernels before 6.5, which have no cachestat(2), an estimate from 1 MiB in every so many and both ends.
Bytes cached_bytes(const std::filesystem::path& path);

/// Bytes of the blocks that the file takes (st_blocks).
Bytes allocated_bytes(const std::filesystem::path& path);

/// fdatasync, then drops the file's cached pages; throws HostError when some stay.
void drop_cached_pages(const std::filesystem::path& path);

}  // namespace swaprig::drive
