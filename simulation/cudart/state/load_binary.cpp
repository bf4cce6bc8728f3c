// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/load_binary.hpp"

#include <cstddef>
#include <cstdint>

#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

// The structure of nvcc. In version 2, `linked` is an array of fat binaries that ends with a null pointer.
struct Structure {
    std::int32_t magic;
    std::int32_t version;
    const void* code;
    void* const* linked;
};

constexpr std::int32_t structure_magic = 0x466243b1;
constexpr std::int32_t version_with_links = 2;

// The beginning of a fat binary.
struct FatBinaryHeader {
    std::uint32_t magic;
    std::uint16_t version;
    std::uint16_t header_size;
    std::uint64_t size;  ///< of what follows the header
};

constexpr std::uint32_t fat_binary_magic = 0xba55ed50;

std::size_t size_of(const FatBinaryHeader& header) noexcept {
    return header.header_size + header.size;
}

bool has_code(const void* fat_binary) noexcept {
    const auto* const header = static_cast<const FatBinaryHeader*>(fat_binary);
    return header != nullptr && header->magic == fat_binary_magic && header->size != 0;
}

CUresult load(const void* code, CUlibrary& library) {
    return cuLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0);
}

// nvcc adds the device runtime, of which NVIDIA publishes machine code only. Binaries without code for the device are left out,
// so that the link names the functions that are missing without them.
CUresult add_all(CUlinkState link, void* const* binaries) {
    CUresult result = CUDA_ERROR_NO_BINARY_FOR_GPU;
    for (; *binaries != nullptr; ++binaries) {
        const auto& header = *static_cast<const FatBinaryHeader*>(*binaries);
        if (header.magic != fat_binary_magic) return CUDA_ERROR_INVALID_IMAGE;
        const std::size_t size = size_of(header);
        const CUresult status = cuLinkAddData_v2(link, CU_JIT_INPUT_FATBINARY, *binaries, size, nullptr, 0, nullptr, nullptr);
        if (status != CUDA_SUCCESS && status != CUDA_ERROR_NO_BINARY_FOR_GPU) return status;
        if (status == CUDA_SUCCESS) result = CUDA_SUCCESS;
    }
    return result;
}

// The library copies the output of the link, which ends with the link.
CUresult load_linked(CUlinkState link, void* const* binaries, CUlibrary& library) {
    void* code = nullptr;
    std::size_t size = 0;
    if (const CUresult status = add_all(link, binaries)) return status;
    if (const CUresult status = cuLinkComplete(link, &code, &size)) return status;
    return load(code, library);
}

}  // namespace

cudaError_t load_binary(const void* structure, CUlibrary& library) {
    if (const cudaError_t status = initialize()) return status;
    if (structure == nullptr || static_cast<const Structure*>(structure)->magic != structure_magic) {
        return cudaErrorInvalidKernelImage;
    }
    const auto& [magic, version, code, linked] = *static_cast<const Structure*>(structure);
    if (version != version_with_links || linked == nullptr || *linked == nullptr) return status_of(load(structure, library));
    if (const cudaError_t status = bind_context()) return status;
    CUlinkState link = nullptr;
    if (const CUresult status = cuLinkCreate_v2(0, nullptr, nullptr, &link)) return status_of(status);
    const CUresult status = load_linked(link, linked, library);
    cuLinkDestroy(link);
    if (status != CUDA_ERROR_NO_BINARY_FOR_GPU) return status_of(status);
    // Without PTX to link, the first use of what is loaded reports why it does not run: of the machine code that nvcc has linked
    // or, if there is none, of the first binary.
    return status_of(load(has_code(code) ? structure : *linked, library));
}

}  // namespace CUBIND_NAMESPACE::sim::cudart
