// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/tiled_copy.hpp"

#include <cubind/driver/strings.hpp>

#include <algorithm>
#include <cstring>

#include "support/report.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

/// One end of a copy, with the memory that its tiles have now.
class End {
public:
    End(const Operand& operand, const Stride& stride) : operand_(operand), stride_(stride) {
        if (operand.tiled != nullptr) memory_ = operand.tiled->tiles();
    }

    /// Checks that the end has memory. Otherwise records a fault of the device.
    bool check() const {
        if (memory_ == nullptr || is_sparse(operand_.tiled->descriptor) || !memory_->table->is_empty()) return true;
        constexpr const char* reason = "an array has no memory: map memory to it with cuMemMapArrayAsync() before";
        report("copy", "", to_string(CUDA_ERROR_LAUNCH_FAILED), reason);
        operand_.tiled->context->device.set_fault(CUDA_ERROR_LAUNCH_FAILED, "copy", "", reason);
        return false;
    }
    /// Returns the address of the byte at this offset of the box, or null if it has no memory. Reduces `length` to the number of
    /// bytes that follow it in memory.
    std::byte* find(std::size_t offset, std::size_t& length) const {
        if (memory_ == nullptr) return operand_.data + offset;
        const std::size_t at = operand_.position + offset;
        const std::size_t in_slice = at % stride_.slice;
        const auto found = memory_->layout.find(in_slice % stride_.pitch, in_slice / stride_.pitch, at / stride_.slice);
        length = std::min(length, found.length);
        return memory_->find(found);
    }

private:
    const Operand& operand_;
    const Stride stride_;
    std::shared_ptr<const TiledMemory> memory_;
};

}  // namespace

void copy_tiled_rows(const Operand& to, const Stride& to_stride, const Operand& from, const Stride& from_stride,
                     const BoxExtent& extent) {
    const End target(to, to_stride);
    const End source(from, from_stride);
    if (!target.check() || !source.check()) return;
    for_each_row(to_stride, from_stride, extent, [&](std::size_t to_offset, std::size_t from_offset) {
        for (std::size_t done = 0; done < extent.width;) {
            std::size_t length = extent.width - done;
            std::byte* const written = target.find(to_offset + done, length);
            const std::byte* const read = source.find(from_offset + done, length);
            if (written != nullptr && read != nullptr) std::memmove(written, read, length);
            if (written != nullptr && read == nullptr) std::memset(written, 0, length);
            done += length;
        }
    });
}

}  // namespace CUBIND_NAMESPACE::sim
