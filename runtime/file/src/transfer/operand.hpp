// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/detail/memory_operand.hpp>
#include <cubind/file/file_options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "transfer/open_file.hpp"

namespace CUBIND_NAMESPACE::detail::io {

enum class Direction { read, write };

/// The bytes of a transfer, after all checks that need no transfer.
struct Operand {
    std::uint64_t offset = 0;           ///< in the file
    std::size_t size = 0;               ///< in bytes
    driver::CUdeviceptr address = 0;    ///< of the first byte
    std::byte* host = nullptr;          ///< the address for the operating system; nullptr for memory of devices
    std::optional<Device> device = {};  ///< of memory of one device
    ContextRef context = {};            ///< of the memory; none for memory of the host
    const Buffer* buffer = nullptr;     ///< that owns the memory, or nullptr
    bool is_for_cufile = false;         ///< whether cuFile transfers it
};

/// Returns the operand of a transfer. Throws std::invalid_argument for a file that was not opened for it, for a range outside of
/// the memory, and for addresses of which a part is not of the allocation. An operand of 0 bytes has no memory
/// (cuPointerGetAttributes).
[[nodiscard]] Operand operand_of(const OpenFile& file, Direction direction, const MemoryView& memory, const FileRange& range);

/// Returns the place of the transfer for messages.
[[nodiscard]] inline Where where_of(const OpenFile& file, Direction direction, const Operand& operand) noexcept {
    return {direction == Direction::read ? "read" : "write", file.path(), operand.offset, operand.size};
}

}  // namespace CUBIND_NAMESPACE::detail::io
