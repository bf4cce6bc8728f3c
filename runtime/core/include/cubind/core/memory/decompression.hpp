// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/detail/memory_operand.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace CUBIND_NAMESPACE {

/// The form of compressed data that a decompression engine reads.
enum class DecompressionAlgorithm : unsigned int {
    deflate = driver::CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE,  ///< DEFLATE
    snappy = driver::CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY,    ///< Snappy
    lz4 = driver::CU_MEM_DECOMPRESS_ALGORITHM_LZ4,          ///< LZ4 (CUDA 12.9)
};

/// Returns whether the device has an engine that decompresses such data (CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK).
/// False for devices without an engine, such as those of compute capability 9.0, and for drivers older than CUDA 12.8.
[[nodiscard]] CUBIND_EXPORT bool has_decompression(Device device, DecompressionAlgorithm algorithm);

/// One operation of a batch: memory with compressed data, and memory for the result. It is a view; the memory of both must
/// outlive the operation.
class DecompressionPiece {
public:
    /// Decompresses all of the source to the beginning of the destination. Both are operands of copy(); a size counts bytes.
    template <class Destination, class Source>
    requires detail::IsMemoryOperand<Destination> && detail::IsMemoryOperand<Source> DecompressionPiece(
        Destination&& destination, Source&& source, DecompressionAlgorithm algorithm)
        : destination_(detail::OperandOf<Destination>::view(destination)),
          source_(detail::OperandOf<Source>::view(source)),
          algorithm_(algorithm) {
        static_assert(!std::is_const_v<typename detail::OperandOf<Destination>::Element>,
                      "the destination of a decompression must not be constant");
        static_assert(detail::outlives_call<Destination> && detail::outlives_call<Source>,
                      "a temporary object is destroyed before the operation is done: give it a name");
    }

    /// Returns the memory for the result.
    [[nodiscard]] const detail::MemoryView& destination() const noexcept { return destination_; }
    /// Returns the memory with the compressed data.
    [[nodiscard]] const detail::MemoryView& source() const noexcept { return source_; }
    /// Returns the form of the data.
    [[nodiscard]] DecompressionAlgorithm algorithm() const noexcept { return algorithm_; }

private:
    detail::MemoryView destination_;
    detail::MemoryView source_;
    DecompressionAlgorithm algorithm_;
};

namespace detail {
CUBIND_EXPORT void decompress_batch(StreamRef stream, const std::vector<DecompressionPiece>& pieces, const MemoryView& sizes);
}

/// Decompresses with the engine of the stream's device, with one driver call (cuMemBatchDecompressAsync). The batch as a whole is
/// in stream order; its pieces have no order among each other. `sizes` is memory for one std::uint32_t of each piece, to which
/// the engine writes how many bytes it has written to the destination.
///
///     DeviceMemoryResource pool(device, {.hw_decompress = true});
///     Buffer packed = pool.allocate(stream, 4096), values = pool.allocate(stream, 65536);
///     auto sizes = pool.allocate<std::uint32_t>(stream, 1);
///     decompress_batch(stream, {{values, packed, DecompressionAlgorithm::lz4}}, sizes);
///
/// All memory, also that of the sizes, must be usable by the engine: from a pool or a VirtualMemoryResource with the option
/// hw_decompress, or from cuMemAlloc. Buffers may be destroyed earlier than the operation is done, as for copy().
///
/// Throws Error with CUDA_ERROR_NOT_SUPPORTED, without a call, if the device lacks the engine or the algorithm; it names what the
/// device has. Throws std::invalid_argument, before it calls the driver, for memory of 0 bytes, for more bytes than the engine
/// accepts (CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH), if there are fewer sizes than pieces, and if memory that a piece
/// writes overlaps memory that a piece uses. Throws Error if the driver rejects a piece. Messages name the index of the piece.
template <class Sizes>
requires detail::IsMemoryOperand<Sizes>
void decompress_batch(StreamRef stream, const std::vector<DecompressionPiece>& pieces, Sizes&& sizes) {
    static_assert(std::is_same_v<typename detail::OperandOf<Sizes>::Element, std::uint32_t>,
                  "the engine writes each size as a std::uint32_t: pass a TypedBuffer<std::uint32_t>");
    static_assert(detail::outlives_call<Sizes>, "a temporary object is destroyed before the operation is done: give it a name");
    detail::decompress_batch(stream, pieces, detail::OperandOf<Sizes>::view(sizes));
}

}  // namespace CUBIND_NAMESPACE
