// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <string_view>

namespace CUBIND_NAMESPACE::sim {

/// Decompresses a block of LZ4, without a frame. `output` has the expected size. Returns false if the block is damaged or results
/// in another size.
bool decompress_lz4(std::string_view block, std::string& output) noexcept;

/// Returns whether frames of Zstandard can be decompressed: the operating system has libzstd.so.1. It is opened by the first
/// call.
bool has_zstd() noexcept;

/// Decompresses a frame of Zstandard. Requires has_zstd(). `output` has the expected size. Returns false if the frame is damaged
/// or results in another size.
bool decompress_zstd(std::string_view frame, std::string& output) noexcept;

}  // namespace CUBIND_NAMESPACE::sim
