// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstdio>
#include <cstring>
#include <simulation/functions.hpp>

#include "api/entry/public_names.hpp"
#include "machine/machine.hpp"
#include "support/caller.hpp"
#include "support/report.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Checks for the table that NVRTC of CUDA 12.9 to 13.5 asks for. NVRTC works without it.
bool is_for_compiler(const CUuuid& table) noexcept {
    constexpr unsigned char id[] = {0xda, 0x91, 0x51, 0xd3, 0x3a, 0xe6, 0xcc, 0x41,
                                    0xa5, 0xc0, 0x4f, 0x26, 0xd5, 0x33, 0xe3, 0x28};
    static_assert(sizeof id == sizeof table.bytes);
    return std::memcmp(table.bytes, id, sizeof id) == 0;
}

// Explains what a file that asks for private tables is, and what runs instead.
void report_private_tables() noexcept {
    const char* const caller = file_of_caller();
    const char* const file = caller != nullptr && *caller != '\0' ? caller : "the program";
    const bool is_runtime_library = std::strstr(file, "libcudart.so") != nullptr;
    char reason[2048];
    std::snprintf(
        reason, sizeof reason,
        is_runtime_library
            ? "%.1024s asks for private tables of NVIDIA's driver. It is NVIDIA's runtime library, which works with that "
              "driver only. Use the libcudart.so.13 beside the simulated driver: start the program with cubind-sim, and "
              "build a program of CUDA 12 or earlier with CUDA 13"
            : "%.1024s asks for private tables of NVIDIA's driver, as NVIDIA's runtime library in a program or library "
              "does. cubind-sim redirects that of CUDA 13, if the file has its symbols. Otherwise link the file to the "
              "shared library of CUDA 13 (nvcc -cudart shared). NVIDIA's libraries without symbols, such as cuBLAS and "
              "cuda.bindings.runtime, need a GPU",
        file);
    report("", "cuGetExportTable", "CUDA_ERROR_INVALID_VALUE", reason);
}

}  // namespace

extern "C" {

CUresult sim_cuGetProcAddress_v2(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags,
                                 CUdriverProcAddressQueryResult* symbolStatus) {
    constexpr cuuint64_t all_flags = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    if (symbol == nullptr || pfn == nullptr || (flags & ~all_flags) != 0 || cudaVersion > machine().release) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (cudaVersion < 0) cudaVersion = machine().release;  // the driver compares versions as unsigned numbers
    const NameLookup lookup = find_public_name(symbol, cudaVersion, (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0);
    *pfn = lookup.symbol != nullptr ? lookup.symbol->address : nullptr;
    if (symbolStatus != nullptr) {
        *symbolStatus = lookup.symbol != nullptr ? CU_GET_PROC_ADDRESS_SUCCESS
                        : lookup.is_known        ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                                 : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    }
    return CUDA_SUCCESS;
}

// The first form has no parameter for a query result, so a missing symbol is an error.
CUresult sim_cuGetProcAddress(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags) {
    const CUresult status = sim_cuGetProcAddress_v2(symbol, pfn, cudaVersion, flags, nullptr);
    return status == CUDA_SUCCESS && *pfn == nullptr ? CUDA_ERROR_NOT_FOUND : status;
}

// Only the vendor's driver has function tables beside the API. Programs that ask for them fail later with a status that does not
// explain why, so the first request is reported, except those of compilers.
CUresult sim_cuGetExportTable(const void** ppExportTable, const CUuuid* pExportTableId) {
    if (ppExportTable == nullptr || pExportTableId == nullptr) return CUDA_ERROR_INVALID_VALUE;
    static std::atomic_flag is_reported;
    if (!is_for_compiler(*pExportTableId) && !is_reported.test_and_set(std::memory_order_relaxed)) report_private_tables();
    *ppExportTable = nullptr;
    return CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
