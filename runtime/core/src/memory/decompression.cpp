// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/decompression.hpp"

#include <cubind/core/device/device_properties.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/decompression.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/driver/unified_addressing.hpp>

#include <string>
#include <utility>

#include "calls/driver.hpp"
#include "memory/refusals.hpp"
#include "memory/used_memory.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE {
namespace detail {
namespace {

constexpr std::pair<DecompressionAlgorithm, const char*> algorithms[] = {{DecompressionAlgorithm::deflate, "deflate"},
                                                                         {DecompressionAlgorithm::snappy, "snappy"},
                                                                         {DecompressionAlgorithm::lz4, "lz4"}};

std::string names_in(unsigned int mask) {
    std::string names;
    for (const auto& [algorithm, name] : algorithms) {
        if ((mask & static_cast<unsigned int>(algorithm)) == 0) continue;
        if (!names.empty()) names.append(", ");
        names.append(name);
    }
    return names;
}

std::string name_of(std::size_t index, std::size_t count) {
    return concat("piece ", index, " of ", count, " of the decompression: ");
}

constexpr const char* memory_advice =
    "allocate it from a DeviceMemoryResource or a VirtualMemoryResource with the option .hw_decompress = true";

// Throws unless the device has the algorithms of all pieces.
void check_algorithms(Device device, const std::vector<DecompressionPiece>& pieces) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto wanted = static_cast<unsigned int>(pieces[i].algorithm());
        const std::string name = names_in(wanted);
        if (name.empty() || (wanted & (wanted - 1)) != 0)
            throw_misuse(name_of(i, pieces.size()), "there is no DecompressionAlgorithm with the value ", wanted);
        const unsigned int mask = decompression_mask(device);
        if ((mask & wanted) != 0) continue;
        if (mask == 0) throw_no_decompression("cuMemBatchDecompressAsync", device);
        throw_not_supported("cuMemBatchDecompressAsync", concat(name_of(i, pieces.size()), "device ", device.ordinal(),
                                                                " decompresses ", names_in(mask), ", but not ", name));
    }
}

void check_length(const MemoryView& memory, const char* role, std::size_t limit, std::size_t index, std::size_t count) {
    if (memory.size == 0) throw_misuse(name_of(index, count), role, " has 0 bytes");
    if (memory.size <= limit) return;
    throw_misuse(name_of(index, count), role, " has ", memory.size, " bytes, but the device accepts at most ", limit,
                 " in one piece; compress the data in smaller parts");
}

void check_pieces(Device device, const std::vector<DecompressionPiece>& pieces, const MemoryView& sizes) {
    const std::size_t count = sizes.size / sizeof(std::uint32_t);
    if (count < pieces.size())
        throw_misuse("a decompression of ", pieces.size(), " pieces needs memory for as many sizes, but there is memory for ",
                     count);
    const auto limit = static_cast<std::size_t>(device.properties().mem_decompress_maximum_length());
    std::vector<UsedMemory> uses;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        check_length(pieces[i].source(), "the source", limit, i, pieces.size());
        check_length(pieces[i].destination(), "the destination", limit, i, pieces.size());
        uses.push_back(use_of(pieces[i].source().address, pieces[i].source().size, i, false));
        uses.push_back(use_of(pieces[i].destination().address, pieces[i].destination().size, i, true));
        uses.push_back(use_of(sizes.address + i * sizeof(std::uint32_t), sizeof(std::uint32_t), i, true));
    }
    const auto conflict = find_conflict(std::move(uses));
    if (!conflict) return;
    throw_misuse(name_of(conflict->first.piece, pieces.size()), conflict->first.describe("piece"), ", overlaps ",
                 conflict->second.describe("piece"), ": the pieces have no order");
}

std::vector<driver::CUmemDecompressParams> native(const std::vector<DecompressionPiece>& pieces, const MemoryView& sizes) {
    std::vector<driver::CUmemDecompressParams> params(pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto& [destination, source] = std::pair(pieces[i].destination(), pieces[i].source());
        params[i].srcNumBytes = source.size;
        params[i].dstNumBytes = destination.size;
        params[i].dstActBytes = reinterpret_cast<driver::cuuint32_t*>(sizes.address) + i;
        params[i].src = reinterpret_cast<const void*>(source.address);
        params[i].dst = reinterpret_cast<void*>(destination.address);
        params[i].algo = static_cast<driver::CUmemDecompressAlgorithm>(pieces[i].algorithm());
    }
    return params;
}

// Returns which memory the engine cannot use, or an empty text.
std::string advice_on(const DecompressionPiece& piece, const MemoryView& sizes) {
    const std::pair<const char*, const MemoryView*> all[] = {
        {"the source", &piece.source()}, {"the destination", &piece.destination()}, {"the memory of the sizes", &sizes}};
    for (const auto& [role, memory] : all) {
        int is_capable = 0;
        const auto queried =
            driver::cuPointerGetAttribute(&is_capable, driver::CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE, memory->address);
        if (queried.ok() && is_capable != 0) continue;
        return concat(role, ", ", bytes_at(memory->size, memory->address), ", cannot be used by the engine: ", memory_advice);
    }
    return {};
}

void retain(StreamRef stream, const MemoryView& memory) {
    if (memory.buffer != nullptr) retain_for_capture(stream, *memory.buffer);
}

}  // namespace

unsigned int decompression_mask(Device device) {
    return static_cast<unsigned int>(device.properties().mem_decompress_algorithm_mask());
}

void throw_no_decompression(const char* function, Device device) {
    throw_not_supported(function,
                        concat("device ", device.ordinal(),
                               " has no decompression engine, or the driver is older than CUDA 12.8 "
                               "(CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK is 0); decompress on the host or with a "
                               "kernel"));
}

void decompress_batch(StreamRef stream, const std::vector<DecompressionPiece>& pieces, const MemoryView& sizes) {
    const driver::CUstream handle = StreamAccess::handle(stream);
    if (pieces.empty()) return;
    const Device device = stream.device();
    check_algorithms(device, pieces);
    check_pieces(device, pieces, sizes);
    for (const DecompressionPiece& piece : pieces) {
        retain(stream, piece.destination());
        retain(stream, piece.source());
    }
    retain(stream, sizes);
    std::vector<driver::CUmemDecompressParams> params = native(pieces, sizes);
    const StreamScope scope(stream);
    const auto [status, index] = driver::cuMemBatchDecompressAsync(params.data(), params.size(), 0, handle);
    if (status == driver::CUDA_SUCCESS) return;
    const Result<driver::CUresult> failed{status};
    if (index >= pieces.size()) throw_with_advice(failed, advice_on_context(status, stream));
    throw_with_advice(failed, name_of(index, pieces.size()) + advice_on(pieces[index], sizes));
}

}  // namespace detail

bool has_decompression(Device device, DecompressionAlgorithm algorithm) {
    return (detail::decompression_mask(device) & static_cast<unsigned int>(algorithm)) != 0;
}

}  // namespace CUBIND_NAMESPACE
